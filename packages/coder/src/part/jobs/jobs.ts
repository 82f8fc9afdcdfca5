import type { MakePart } from "../../hall/part.ts";
import { jobsCommand } from "./command.ts";
import { jobDelivery } from "./delivery.ts";

/** What goes on beside the conversation: the model hears of its end, people look after it. */
export const jobs: MakePart<"commands" | "agent" | "cwd" | "clock" | "after" | "channel" | "send"> = (hall) => {
  const { commands, agent, cwd, clock, after, channel, send } = hall;
  if (!commands.jobs) return undefined;
  const delivery = jobDelivery({
    jobs: commands.jobs,
    owner: agent,
    busy: () => channel.running,
    after,
    record: (draft) => void channel.record(draft),
    send: (text) => send({ text }, "after"),
    tell: (text) => channel.tell({ level: "info", text }),
  });
  return {
    name: "jobs",
    hooks: [delivery],
    keeps: {
      state: ["pith.jobs"],
      words: () => {
        const rows = commands.jobs?.running().map(({ id, label }) => `- ${id}: ${label}`) ?? [];
        return rows.length === 0 ? [] : [{ title: "Jobs that run", text: rows.join("\n") }];
      },
    },
    commands: [jobsCommand({ jobs: commands.jobs, cwd, logs: commands.logs, now: () => clock.now() })],
    [Symbol.asyncDispose]: async () => delivery[Symbol.dispose](),
  };
};
