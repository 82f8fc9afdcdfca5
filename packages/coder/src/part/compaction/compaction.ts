import { messageOf } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import again from "./again.md" with { type: "text" };
import { compactCommand, handoffCommand } from "./command.ts";
import { turnEnd } from "./compactor.ts";
import goOn from "./go-on.md" with { type: "text" };

type Needs =
  | ("after" | "between" | "channel" | "compactor" | "interrupt")
  | ("journal" | "keeping" | "send" | "settings" | "tree");

/** Shortens a conversation before requests, after turns, when idle, and by `/compact` and `/handoff`. */
export const compaction: MakePart<Needs> = (hall) => {
  const { compactor, settings, channel } = hall;
  const leaving = new AbortController();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  const stopWaiting = () => {
    clearTimeout(waiting);
    waiting = undefined;
  };
  const begin = (cause: "threshold" | "idle", longerThan?: number) => {
    running = between(hall, cause, longerThan, leaving.signal).catch((error) =>
      channel.notify({ level: "warn", text: `The conversation could not be made shorter: ${messageOf(error)}` }),
    );
  };
  return {
    name: "compaction",
    commands: [compactCommand(hall), handoffCommand(hall)],
    step(turn) {
      stopWaiting();
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
      stopWaiting();
      if (leaving.signal.aborted || hall.after === "end" || end.reason !== "done" || !reply) return;
      begin("threshold");
      if (!settings.get("compaction.idleEnabled")) return;
      const longer = settings.get("compaction.idleThresholdTokens");
      waiting = setTimeout(() => begin("idle", longer), settings.get("compaction.idleTimeoutSeconds") * 1000);
      waiting.unref?.();
    },
    async [Symbol.asyncDispose]() {
      stopWaiting();
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
    // Input of a person goes first.
    if (goesOn && settings.get("compaction.autoContinue")) void hall.send({ text: goOn.trim() }, "after");
    return turnEnd(ran);
  });
}

/** Handles requests that a server refuses as too long: a larger model takes over, or the conversation is shortened. */
export const overflow: MakePart<"compactor"> = ({ compactor }) => ({
  name: "overflow",
  async fail({ kind, message }, turn) {
    if (kind === "overflow") return compactor.overflow(turn, message);
  },
});
