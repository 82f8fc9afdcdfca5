import { perTurn, textOf } from "@pith/agent";
import type { MakePart } from "../../../hall/part.ts";
import type { Needs } from "./classify.ts";

/**
 * Asks the model for the intent of an input before it begins, and gives it a note for that. With `dispatch.routes`, a
 * sub-agent answers a question first.
 */
export const dispatch: MakePart<Needs> = (hall) => {
  const { channel, settings } = hall;
  const asked = perTurn(() => ({ done: false }));
  return {
    name: "dispatch",
    async step(turn) {
      const state = asked(turn);
      if (turn.step > 0 || state.done || !settings.get("dispatch.enabled")) return { do: "go" };
      state.done = true;
      const { classify, explore, guidance, reportNote } = await import("./classify.ts");
      const { messages, ...request } = await hall.standing();
      const last = messages.at(-1);
      // A turn that goes on by itself has its intent already.
      if (last?.role !== "user") return { do: "go" };
      const intent = await classify(hall, { ...request, messages }, last, turn);
      if (turn.signal.aborted) return { do: "go" };
      channel.record({ type: "custom", customType: "pith.task", data: { turn: turn.id, ...intent } });
      const report = intent.intent === "analyze" ? await explore(hall, textOf(last.content), intent, turn) : undefined;
      channel.record(report ?? reportNote(guidance(intent), {}));
      return { do: "go" };
    },
  };
};
