import type { MakePart } from "../../hall/part.ts";
import type { Completion, CompletionNeeds } from "./completing.ts";
import { word } from "./word.ts";

/**
 * A small model says by a word that it is done. One that stops without it is asked on once, twice where a change is
 * due; one that never said what it did is asked for that.
 */
export const completion: MakePart<CompletionNeeds> = (hall) => {
  const isOn = () => hall.settings.get("local.completion");
  let made: Completion | undefined;
  return {
    name: "completion",
    hooks: [
      {
        name: "completion",
        context: (request) => (isOn() ? { ...request, completion: word } : request),
        async settle(turn) {
          if (!isOn() || !turn.reply || turn.reply.stopReason === "length") return { do: "done" };
          made ??= new (await import("./completing.ts")).Completion(hall);
          return made.settle(turn, turn.reply);
        },
      },
    ],
  };
};
