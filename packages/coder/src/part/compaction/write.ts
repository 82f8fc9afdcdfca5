import type {
  CompactionModule,
  CompactionSummary,
  Entry,
  EntryDraft,
  MeasuredEntry,
  PathCut,
  PlacedDraft,
  SessionTree,
} from "@pith/agent";
import { defined, messageOf, shortId } from "@pith/kit";
import { againOf, statesIn } from "../../hall/keeping.ts";
import goOn from "./go-on.md" with { type: "text" };
import type { CompactionHall, CompactionOrder, MeasuredPath } from "./order.ts";

interface Making extends MeasuredPath {
  cut: PathCut;
  made: CompactionSummary & { by: "us" | "hook" };
}

/**
 * The entries of a summary: the state of the parts and the prompt again, the compaction, the note to go on. A write
 * that is cut short leaves no compaction without its state.
 */
export async function summaryDrafts(
  hall: CompactionHall,
  order: CompactionOrder,
  making: Making,
): Promise<PlacedDraft[]> {
  const { compaction, path, cut, measure, made } = making;
  const { kept, files } = await keptOf(hall, making, cut.at);
  const first = path[cut.at]?.entry.id;
  // A compaction that keeps no entry names the prompt as the first kept one.
  const prompt: PlacedDraft = { ...hall.briefing.anew(), id: newId() };
  const { details, shortSummary, preserveData, by } = made;
  const entry: EntryDraft = {
    type: "compaction",
    summary: [compaction.withoutFiles(made.summary), kept.text, files.text].filter(Boolean).join("\n\n"),
    firstKeptEntryId: first ?? prompt.id ?? "",
    tokensBefore: measure.size,
    details: { ...details, ...files.details, kept: kept.carried },
    ...defined({ shortSummary, preserveData, fromExtension: by === "hook" || undefined }),
  };
  const isKept = new Set(path.slice(cut.at).map(({ entry: one }) => one.id));
  // A model that goes on by itself is told so, if it no longer sees the step before.
  const cutThrough = order.next !== "nothing" && cut.turn < cut.at && hall.settings.get("compaction.autoContinue");
  return [...repeated(hall, (one) => !isKept.has(one.id)), prompt, entry, ...(cutThrough ? [goOnNote] : [])];
}

/** The text that another session begins with: the model's document, and what is kept word for word. */
export async function documentText(hall: CompactionHall, making: MeasuredPath, document: string): Promise<string> {
  const { kept, files } = await keptOf(hall, making, making.path.length);
  return [making.compaction.withoutFiles(document), kept.text, files.text].filter(Boolean).join("\n\n");
}

const lettersPerToken = 3;
/** The share of the room for kept words that a list of files may take. */
const filesShare = 0.4;

/** Words and files of the summarized entries that are kept by code, not by the model. */
async function keptOf(
  { channel, keeping, tree }: CompactionHall,
  { compaction, path, sizes, measure }: MeasuredPath,
  upTo: number,
) {
  const tokens = (text: string) => measure.tokens({ role: "user", content: text, timestamp: 0 });
  const summedUp = path.slice(0, upTo);
  const last = path.find(({ entry }) => entry.type === "compaction")?.entry;
  const tellThrow = (error: unknown) =>
    channel.notify({ level: "warn", text: `Something was not kept word for word: ${messageOf(error)}` });
  const words = await keeping.words(tellThrow);
  const changed = await keeping.changed(tellThrow);
  const before = compaction.quotesIn(last);
  // The summary of another program carries no quotes: they are collected from the entries before it.
  const isOurs = last === undefined || before.first !== undefined;
  const carried = compaction.collectQuotes(summedUp, isOurs ? before : saidBefore(compaction, tree, path));
  const entries = summedUp.map(({ entry }) => entry);
  const files = compaction.touchedFiles(entries, sizes.words * filesShare * lettersPerToken, changed);
  const left = sizes.words - Math.min(sizes.words * filesShare, tokens(files.text));
  return { kept: compaction.keptText(carried, words, compaction.lastErrors(summedUp), left, tokens), files };
}

function saidBefore(compaction: CompactionModule, tree: SessionTree, path: readonly MeasuredEntry[]) {
  const shown = new Set(path.map(({ entry }) => entry.id));
  const all = tree.pathTo();
  const end = all.findIndex(({ id }) => shown.has(id));
  const messages = all.slice(0, Math.max(0, end)).filter(({ type }) => type === "message");
  const measured = compaction.measurePath(messages, () => 0);
  return compaction.collectQuotes(measured, compaction.quotesIn(undefined));
}

export const goOnNote: EntryDraft = {
  type: "custom_message",
  customType: "pith.note",
  content: goOn.trim(),
  display: false,
};

/** An id that is longer than those in the file, which are not all known. */
const newId = (): string => shortId(() => false) + shortId(() => false);

/** The newest state of every part again, where it would stand before the compaction. */
const repeated = ({ tree, keeping }: CompactionHall, isGone: (entry: Entry) => boolean): EntryDraft[] =>
  statesIn(tree, keeping.states)
    .filter(isGone)
    .map((entry) => {
      const draft = againOf(entry);
      return draft.type === "custom" ? { ...draft, repeats: draft.repeats ?? entry.id } : draft;
    });
