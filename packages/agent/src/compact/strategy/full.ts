import { fail, fill, ok, shorten } from "@pith/kit";
import { archiveOf } from "../../session/compaction/frame.ts";
import { withoutQuotes } from "../../session/compaction/quotes.ts";
import { withoutFiles } from "../../session/walk/touched-files.ts";
import { measurePath } from "../cut.ts";
import { withTrueNames } from "../summary/names.ts";
import { saidIn } from "../summary/said.ts";
import { serialize } from "../summary/serialize.ts";
import { minOutput, type SummaryMaterial, type SummaryPrompt, summarize } from "../summary/summary.ts";
import first from "./first.md" with { type: "text" };
import prefix from "./prefix.md" with { type: "text" };
import type { CompactionTask, Strategy } from "./strategy.ts";
import update from "./update.md" with { type: "text" };

/** Share of the summary for the beginning of a turn that is cut. */
const turnShare = 0.3;

/** Names that are remembered as wrong. */
const mostCorrected = 200;

/** Replaces what is cut by a summary from a model; of a turn that is cut, by two. */
export const contextFull: Strategy = async (task) => {
  const { additions, candidates, instructions, sizes, signal } = task;
  const tokens = (text: string) => task.tokens({ role: "user", content: text, timestamp: 0 });
  const { history, turn, previous } = materialOf(task, tokens);
  const context = additions.context ?? [];
  const summarise = (material: Pick<SummaryMaterial, "pieces" | "previous" | "ask" | "update">, maxOutput: number) =>
    summarize(candidates, { ...material, context, instructions }, { maxOutput, tokens }, signal);

  // A single summary says more than two short ones.
  const split = history.length > 0 && turn.length > 0 && sizes.summary * turnShare >= minOutput;
  const whole = split ? history : [...history, ...turn];
  const own: SummaryPrompt | undefined = additions.prompt === undefined ? undefined : () => additions.prompt ?? "";
  const ask: SummaryPrompt = own ?? ((words) => fill(first, { words }));
  const material = { pieces: whole, previous, ask, update: own ?? ((words) => fill(update, { words })) };
  const made = await summarise(material, split ? Math.floor(sizes.summary * (1 - turnShare)) : sizes.summary);
  if (!made.ok) return fail(made.kind === "aborted" ? "aborted" : "failed", made.message);
  const begin: SummaryPrompt = (words) => fill(prefix, { words });
  const beginning = { pieces: turn, previous: undefined, ask: begin, update: begin };
  const begun = split ? await summarise(beginning, Math.floor(sizes.summary * turnShare)) : undefined;
  if (begun && !begun.ok) return fail(begun.kind === "aborted" ? "aborted" : "failed", begun.message);
  const text = begun
    ? `${made.value.summary}\n\n---\n\n**Turn Context (split turn):**\n\n${begun.value.summary}`
    : made.value.summary;
  const said = saidIn(task.path, { more: [instructions ?? "", ...context], earlier: task.earlier });
  const { summary, corrected } = withTrueNames(text, said);
  const still = said.doubted.difference(new Set(corrected.map(({ from }) => from)));
  const all = [...corrected, ...[...still].map((from) => ({ from }))].slice(0, mostCorrected);
  const details = { by: made.value.by, corrected: all.length > 0 ? all : undefined };
  return ok({ kind: "summary", summary, shortSummary: lineOf(summary), details });
};

/** The material: history before the turn that is cut, the cut part of that turn, and the summary to continue. */
function materialOf({ path, cut, sizes, tokens: measure }: CompactionTask, tokens: (text: string) => number) {
  const shown = measurePath(path, measure);
  const last = shown.find(({ entry }) => entry.type === "compaction")?.entry;
  // A summary in pictures has only a guide in words; their text is summed up like the conversation.
  const inWords = last?.type === "compaction" && !archiveOf(last.preserveData) ? last : undefined;
  const said = (from: number, to: number) => serialize(shown.slice(from, to).filter(({ entry }) => entry !== inWords));
  const [history, turn] = [said(0, cut.turn), said(cut.turn, cut.at)];
  const previous = inWords && withoutFiles(withoutQuotes(inWords.summary));
  // A summary made for a larger window is summed up itself.
  if (previous === undefined || tokens(previous) <= sizes.summary * 1.2) return { history, turn, previous };
  return { history: [`[summary of what came before] ${previous}`, ...history], turn, previous: undefined };
}

/** First line of a summary below its headings, for lists. */
function lineOf(summary: string): string {
  const rows = summary.split("\n").map((row) => row.replace(/^\s*(?:[-*]|\d+\.)\s+/, "").trim());
  return shorten(rows.find((row) => row !== "" && !row.startsWith("#")) ?? "", 120);
}
