import type { Hook } from "@pith/agent";
import { messageOf } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import again from "./again.md" with { type: "text" };
import { compactCommand } from "./command.ts";
import { endOf } from "./compactor.ts";
import goOn from "./go-on.md" with { type: "text" };

type Needs = "compactor" | "between" | "send" | "interrupt" | "settings" | "after" | "tree" | "channel" | "keeping";

/** Keeps a conversation inside the window of its model: before requests, after turns, while nobody waits, and by hand. */
export const compaction: MakePart<Needs> = (hall) => {
  const { compactor, settings, channel } = hall;
  const leaving = new AbortController();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  const rest = () => {
    clearTimeout(waiting);
    waiting = undefined;
  };
  const begin = (cause: "threshold" | "idle", longerThan?: number) => {
    running = between(hall, cause, longerThan, leaving.signal).catch((error) =>
      channel.notify({ level: "warn", text: `The conversation could not be made shorter: ${messageOf(error)}` }),
    );
  };
  const hook: Hook = {
    name: "compaction",
    step(turn) {
      rest();
      return compactor.beforeStep(turn);
    },
    async settle(turn) {
      const { reply, model } = turn;
      if (reply?.stopReason !== "length" || reply.usage.totalTokens <= 0.9 * model.contextWindow) return { do: "done" };
      const entry = hall.tree.last("assistant");
      const ran = entry ? await compactor.incomplete(turn, entry.id) : undefined;
      if (ran?.did === "shorter") return { do: "go on", note: goOn.trim() };
      if (ran?.did === "promoted") return { do: "go on", note: again.trim() };
      if (ran?.did === "failed")
        channel.notify({ level: "error", text: `Incomplete response recovery failed: ${ran.why}.` });
      return { do: "done" };
    },
    idle(end, { reply }) {
      rest();
      // What was no turn has made nothing longer.
      if (leaving.signal.aborted || hall.after === "end" || end.reason !== "done" || !reply) return;
      begin("threshold");
      if (!settings.get("compaction.idleEnabled")) return;
      const longer = settings.get("compaction.idleThresholdTokens");
      waiting = setTimeout(() => begin("idle", longer), settings.get("compaction.idleTimeoutSeconds") * 1000);
      waiting.unref?.();
    },
  };
  return {
    name: "compaction",
    hooks: [hook],
    commands: [compactCommand(hall)],
    async [Symbol.asyncDispose]() {
      rest();
      leaving.abort();
      await running;
    },
  };
};

async function between(
  { compactor, settings, keeping, ...hall }: Pick<Hall, Needs>,
  cause: "threshold" | "idle",
  longerThan: number | undefined,
  leaving: AbortSignal,
): Promise<void> {
  if (!(await compactor.isLong(longerThan)) || leaving.aborted) return;
  await hall.between(async (signal) => {
    const ran = await compactor.betweenTurns(cause, AbortSignal.any([signal, leaving]));
    const goesOn = ran.did === "shorter" && cause === "threshold" && keeping.open;
    // It waits behind what a person may have said meanwhile.
    if (goesOn && settings.get("compaction.autoContinue")) void hall.send({ text: goOn.trim() }, "after");
    return endOf(ran);
  });
}
