import type { MakePart } from "../../hall/part.ts";
import { jobsCommand } from "./command.ts";
import { jobDelivery } from "./delivery.ts";

/** Background work: the model hears of its end, people look after it. */
export const jobs: MakePart<"shell" | "agent" | "cwd" | "clock" | "after" | "channel" | "send"> = (hall) => {
  const { shell, agent, cwd, clock, after, channel, send } = hall;
  if (!shell.jobs) return undefined;
  const delivery = jobDelivery({
    jobs: shell.jobs,
    owner: agent,
    busy: () => channel.running,
    after,
    record: (draft) => void channel.record(draft),
    send: (text) => send({ text }, "after"),
    tell: (text) => channel.notify({ level: "info", text }),
  });
  return {
    name: "jobs",
    hooks: [delivery],
    keeps: {
      state: ["pith.jobs"],
      words: () => {
        const rows = shell.jobs?.running().map(({ id, label }) => `- ${id}: ${label}`) ?? [];
        return rows.length === 0 ? [] : [{ title: "Jobs that run", text: rows.join("\n") }];
      },
    },
    commands: [jobsCommand({ jobs: shell.jobs, cwd, logs: shell.logs, now: () => clock.now() })],
    [Symbol.asyncDispose]: async () => delivery[Symbol.dispose](),
  };
};
