import { formatCount } from "@pith/kit";
import { type Command, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import { turnEnd } from "./compactor.ts";
import type { CompactionEnd } from "./order.ts";

type Needs = "compactor" | "between" | "interrupt" | "journal";

/** The command `/compact`, which ends a running turn first. */
export const compactCommand = (hall: Pick<Hall, Needs>): Command => ({
  name: "compact",
  about: "compact the conversation to make room",
  usage: "[what to look after]",
  async run(words, signal) {
    const end = await runNow(hall, "the conversation is compacted", signal, (all) => hall.compactor.manual(words, all));
    switch (end?.did) {
      case "shorter":
        return show(`Compacted: about ${formatCount(end.before)} tokens became ${formatCount(end.after)}.`);
      case "nothing":
        return show(`Nothing was compacted: ${end.why}.`);
      case "stopped":
        return show("It was stopped; nothing has changed.");
      case "failed":
        return show(`Compaction failed: ${end.why}.`, "failed");
      default:
        return show("Something else has begun; try again.", "failed");
    }
  },
});

/** The command `/handoff`: the conversation goes on in a new session, with what the model wrote down for it. */
export const handoffCommand = (hall: Pick<Hall, Needs>): Command => ({
  name: "handoff",
  about: "continue in a new session with a summary by the model",
  usage: "[what to look after]",
  async run(words, signal) {
    const end = await runNow(hall, "the session is handed off", signal, (all) => hall.compactor.handoff(words, all));
    if (!end) return show("Something else has begun; try again.", "failed");
    if (end.did === "shorter") return show(`The work goes on in a new session, ${hall.journal.header.id}.`);
    if (end.did === "stopped") return show("It was stopped; nothing has changed.", "failed");
    return show(`Nothing was handed off: ${end.why.replace(/\.$/, "")}.`, "failed");
  },
});

/** Ends the running turn, then runs the work; undefined if another turn begins first. */
async function runNow(
  { between, interrupt }: Pick<Hall, Needs>,
  reason: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<CompactionEnd>,
): Promise<CompactionEnd | undefined> {
  await interrupt(reason);
  let end: CompactionEnd | undefined;
  await between(async (stopped) => {
    end = await work(AbortSignal.any([signal, stopped]));
    return turnEnd(end);
  });
  return end;
}
