import type {
  CompactionModule,
  CompactionSummary,
  Entry,
  EntryDraft,
  MeasuredEntry,
  PathCut,
  PlacedDraft,
  SessionTree,
  WindowSizes,
} from "@pith/agent";
import { messageOf, shortId } from "@pith/kit";
import { againOf, statesIn } from "../../hall/keeping.ts";
import type { Measure } from "../../usage/gauge.ts";
import goOn from "./go-on.md" with { type: "text" };
import type { CompactorNeeds, Order } from "./needs.ts";

interface Ground {
  compaction: CompactionModule;
  path: readonly MeasuredEntry[];
  sizes: WindowSizes;
  measure: Measure;
}

interface Making extends Ground {
  cut: PathCut;
  made: CompactionSummary & { by: "us" | "hook" };
}

/**
 * What is written of a summary: the state of the parts and the prompt said again, then the compaction, then the word to
 * go on. In this order a write that is cut short leaves no compaction without its state.
 */
export async function summaryDrafts(needs: CompactorNeeds, order: Order, making: Making): Promise<PlacedDraft[]> {
  const { compaction, path, cut, measure, made } = making;
  const { kept, files } = await keptOf(needs, making, cut.at);
  const first = path[cut.at]?.entry.id;
  // What keeps nothing begins with it.
  const prompt: PlacedDraft = { ...needs.anew(), id: newId() };
  const { details, shortSummary, preserveData, by } = made;
  const entry: EntryDraft = {
    type: "compaction",
    summary: [compaction.withoutFiles(made.summary), kept.text, files.text].filter(Boolean).join("\n\n"),
    firstKeptEntryId: first ?? prompt.id ?? "",
    tokensBefore: measure.size,
    details: { ...details, ...files.details, kept: kept.carried },
    ...(shortSummary === undefined ? {} : { shortSummary }),
    ...(preserveData === undefined ? {} : { preserveData }),
    ...(by === "hook" ? { fromExtension: true } : {}),
  };
  const isKept = new Set(path.slice(cut.at).map(({ entry: one }) => one.id));
  // Between two steps the model goes on by itself; it is told so where what it was at is no longer to be seen.
  const cutThrough = order.next !== "nothing" && cut.turn < cut.at && needs.settings.get("compaction.autoContinue");
  return [...repeated(needs, (one) => !isKept.has(one.id)), prompt, entry, ...(cutThrough ? [goOnNote] : [])];
}

/** What another session begins with: what the model wrote down, and what is kept of all that was said. */
export async function documentText(needs: CompactorNeeds, making: Ground, document: string): Promise<string> {
  const { kept, files } = await keptOf(needs, making, making.path.length);
  return [making.compaction.withoutFiles(document), kept.text, files.text].filter(Boolean).join("\n\n");
}

const lettersPerToken = 3;
/** Of the room for words, what a list of files may take at most. */
const filesShare = 0.4;

/** What code, not the model, says of what goes: words, and files. */
async function keptOf(
  { channel, keeping, tree }: CompactorNeeds,
  { compaction, path, sizes, measure }: Ground,
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
  // Another program carries nothing on: what was said before its summary is read once more, this once.
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
  const earlier = all.slice(
    0,
    Math.max(
      0,
      all.findIndex(({ id }) => shown.has(id)),
    ),
  );
  const messages = earlier.filter(({ type }) => type === "message");
  return compaction.collectQuotes(
    compaction.measurePath(messages, () => 0),
    compaction.quotesIn(undefined),
  );
}

/** The model goes on by itself. */
export const goOnNote: EntryDraft = {
  type: "custom_message",
  customType: "pith.note",
  content: goOn.trim(),
  display: false,
};

/** While only the end of a long file is known its ids are not: one of this length cannot meet any of them. */
const newId = (): string => shortId(() => false) + shortId(() => false);

/** The newest of everything that is somebody's state, where a reader of the end of the file would no longer find it. */
const repeated = ({ tree, keeping }: CompactorNeeds, isGone: (entry: Entry) => boolean): EntryDraft[] =>
  statesIn(tree, keeping.states)
    .filter(isGone)
    .map((entry) => {
      const draft = againOf(entry);
      return draft.type === "custom" ? { ...draft, repeats: draft.repeats ?? entry.id } : draft;
    });
