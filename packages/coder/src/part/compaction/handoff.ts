import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import { endOf } from "./compactor.ts";
import type { Ran } from "./needs.ts";

/** A conversation that goes on in a new session, with what the model wrote down for it. */
export const handoff: MakePart<"compactor" | "between" | "interrupt" | "journal"> = (hall) => ({
  name: "handoff",
  commands: [
    {
      name: "handoff",
      about: "go on in a new session, with what the model writes down for it",
      usage: "[what to look after]",
      when: "any time",
      async run(words, signal) {
        await hall.interrupt("the session is handed off");
        let ran: Ran | undefined;
        const work = hall.between(async (stopped) => {
          ran = await hall.compactor.handoff(words, AbortSignal.any([signal, stopped]));
          return endOf(ran);
        });
        if (!work) return show("Something else has begun; try again.", "failed");
        await work;
        if (ran?.did === "shorter") return show(`The work goes on in a new session, ${hall.journal.header.id}.`);
        if (ran?.did === "stopped") return show("It was stopped; nothing has changed.", "failed");
        return show(`Nothing was handed off: ${ran?.why.replace(/\.$/, "") ?? "nothing came of it"}.`, "failed");
      },
    },
  ],
});
