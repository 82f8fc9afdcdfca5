import { perTurn } from "@pith/agent";
import type { MakePart } from "../../hall/part.ts";
import type { Teller, TellerNeeds } from "./teller.ts";

/** After every step a small model is told where it stands and what it was asked for. Said once, and never changed. */
export const packets: MakePart<TellerNeeds> = (hall) => {
  const began = perTurn(() => hall.tree.leaf);
  let teller: Teller | undefined;
  return {
    name: "packets",
    hooks: [
      {
        name: "packets",
        async step(turn) {
          const input = began(turn);
          const isOn = hall.settings.get("local.packets") || hall.settings.get("local.completion");
          if (turn.step === 0 || !isOn) return { do: "go" };
          teller ??= new (await import("./teller.ts")).Teller(hall, await hall.memory());
          teller.tell(turn, input);
          return { do: "go" };
        },
      },
    ],
  };
};
