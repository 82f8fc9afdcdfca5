import { formatCount } from "@pith/kit";
import { type Command, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import { endOf } from "./compactor.ts";
import type { Ran } from "./needs.ts";

/** By hand, and with words for the summary; what runs is ended first. */
export const compactCommand = ({
  compactor,
  between,
  interrupt,
}: Pick<Hall, "compactor" | "between" | "interrupt">): Command => ({
  name: "compact",
  about: "sum up what was said so far, to make room",
  usage: "[what to look after]",
  when: "any time",
  async run(words, signal) {
    await interrupt("the conversation is summed up");
    let ran: Ran | undefined;
    const work = between(async (stopped) => {
      ran = await compactor.manual(words, AbortSignal.any([signal, stopped]));
      return endOf(ran);
    });
    if (!work) return show("Something else has begun; try again.", "failed");
    await work;
    return ran ? told(ran) : show("Nothing came of it.", "failed");
  },
});

function told(ran: Ran) {
  switch (ran.did) {
    case "shorter":
      return show(`Summed up: about ${formatCount(ran.before)} tokens became ${formatCount(ran.after)}.`);
    case "nothing":
      return show(`Nothing was summed up: ${ran.why}.`);
    case "stopped":
      return show("It was stopped; nothing has changed.");
    case "failed":
      return show(`Compaction failed: ${ran.why}.`, "failed");
  }
}
