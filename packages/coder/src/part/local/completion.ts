import type { MakePart } from "../../hall/part.ts";
import { doneWord } from "./nudge.ts";
import type { Completion, CompletionNeeds } from "./turn-completion.ts";

/**
 * A small model writes a word when it is done. One that stops without it is asked to go on once, or twice where a
 * change is due; one that wrote no final text is asked for it.
 */
export const completion: MakePart<CompletionNeeds> = (hall) => {
  const isOn = () => hall.settings.get("local.completion");
  let made: Completion | undefined;
  return {
    name: "completion",
    context: (request) => (isOn() ? { ...request, completion: doneWord } : request),
    async settle(turn) {
      if (!isOn() || !turn.reply || turn.reply.stopReason === "length") return { do: "done" };
      made ??= new (await import("./turn-completion.ts")).Completion(hall);
      return made.settle(turn, turn.reply);
    },
  };
};
