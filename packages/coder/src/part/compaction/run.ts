import {
  type CompactionModule,
  type CompactionSummary,
  type CompactionTask,
  type Entry,
  type EntryDraft,
  loadCompaction,
  type MeasuredEntry,
  type MessageEdit,
  type PathCut,
  type StrategyResult,
  type SummaryAdditions,
  sizesOf,
  type WindowSizes,
} from "@pith/agent";
import { fail, messageOf, ok, plural, type Result } from "@pith/kit";
import type { Message } from "@pith/llm";
import type { Measure } from "../../usage/gauge.ts";
import { candidatesFor } from "./candidates.ts";
import { type CompactorNeeds, type Order, type Ran, wishesOf } from "./needs.ts";
import { sealedBy } from "./seal.ts";
import { documentText, goOnNote, summaryDrafts } from "./write.ts";

/** Makes the conversation shorter, once: with one write, or not at all. */
export async function compact(needs: CompactorNeeds, order: Order): Promise<Ran> {
  const ground = await groundOf(needs, order);
  const { compaction, path, measure } = ground;
  if (!isWanted(order) && isUnanswered(needs.tree.recent(), order, measure.size))
    return { did: "failed", why: "nothing was answered since it was last made shorter", unanswered: true };
  // What a server finds too long is shortened once, so by all that can be had.
  const pruned = isWanted(order) || order.cause === "overflow" ? undefined : prune(needs, ground);
  if (pruned) return pruned;
  const strategy = order.only ?? strategyFor(needs, order);
  const planned = planFor(order, ground);
  if (!planned.ok && !order.only && !helps(strategy, planned.kind))
    return { did: planned.kind === "nothing" ? "nothing" : "failed", why: planned.message };
  const plan = planned.ok ? planned.value : { cut: compaction.findCut(path, 0), edits: [] };
  needs.channel.announce({ type: "turn", state: { name: "compacting", cause: order.cause } });
  return carriedOut(needs, order, { ...ground, ...plan, strategy });
}

/** Asked for by a person or by a model that sees nothing: made shorter even where there is room. */
const isWanted = ({ cause, blind }: Order): boolean => cause === "manual" || blind === true;

function planFor(order: Order, { compaction, path, sizes }: Ground) {
  const half = isWanted(order) ? Math.floor(compaction.totalTokens(path) / 2) : Number.POSITIVE_INFINITY;
  const plan = compaction.planCompaction(path, { ...sizes, keep: Math.min(sizes.keep, half) });
  if (plan.ok || plan.kind !== "nothing" || path[0]?.entry.type !== "compaction") return plan;
  // All that was said since is kept: then it is pictures that nobody sees, or a summary for a larger window.
  const isLong = path[0].tokens > (sizes.summary + sizes.words) * 1.5;
  return order.blind || isLong ? ok({ cut: { at: 1, turn: 1 }, edits: [] }) : plan;
}

/** Has it made, and writes what was made. */
async function carriedOut(
  needs: CompactorNeeds,
  order: Order,
  ground: Ground & { cut: PathCut; edits: readonly MessageEdit[]; strategy: string },
): Promise<Ran> {
  const { compaction, path, sizes, measure, edits } = ground;
  const first = await makeIt(needs, order, ground);
  const isDocument = first.ok && first.value.kind === "document" && !order.signal.aborted;
  const made = isDocument ? await handedOver(needs, order, ground, first.value.document) : first;
  const isMoved = isDocument && made.ok && made.value.kind === "document";
  if (order.signal.aborted && !isMoved) return notMade(needs, order, { kind: "aborted", message: "" });
  if (!made.ok) return notMade(needs, order, made);
  const { value } = made;
  if (value.kind === "document") return told(needs, order, measure.size);
  const drafts =
    value.kind === "summary"
      ? await summaryDrafts(needs, order, { compaction, path, sizes, measure, made: value, cut: value.cut })
      : [];
  const written = needs.channel.recordAll([
    ...editDrafts(ground, value.kind === "edits" ? value.edits : edits),
    ...drafts,
  ]);
  const entry = written.find((one): one is Entry & { type: "compaction" } => one.type === "compaction");
  return told(needs, order, measure.size, entry);
}

/** The work goes on in another session; where none can be begun, a summary is made of this one after all. */
async function handedOver(
  needs: CompactorNeeds,
  order: Order,
  ground: Ground & { cut: PathCut },
  document: string,
): Promise<Result<Finished, "aborted" | "failed">> {
  const text = await documentText(needs, ground, document);
  const moved = (await needs.handOver?.(text)) ?? fail("unable", "this is the session of a sub-agent");
  if (moved.ok) {
    if (order.next !== "nothing" && needs.settings.get("compaction.autoContinue")) needs.channel.record(goOnNote);
    return ok({ kind: "document", document });
  }
  if (order.only) return fail("failed", moved.message);
  notUsed(needs, "handoff", moved.message);
  return makeIt(needs, order, { ...ground, strategy: "context-full" });
}

async function told(
  { channel, gauge }: CompactorNeeds,
  { cause, next }: Order,
  before: number,
  entry?: Entry & { type: "compaction" },
): Promise<Ran> {
  const after = (await gauge()).size();
  const made = { aborted: false, willRetry: next === "again", ...(entry && { entry }) };
  channel.announce({ type: "compacted", cause, tokensAfter: after, ...made });
  if (cause !== "manual") channel.notify({ level: "info", text: `Made room: ${before} tokens became about ${after}.` });
  return { did: "shorter", before, after };
}

interface Ground {
  compaction: CompactionModule;
  measure: Measure;
  sizes: WindowSizes;
  path: readonly MeasuredEntry[];
  /** An answer that is shown no more, whatever else is done. */
  dropped: readonly MessageEdit[];
}

async function groundOf({ gauge, settings, tree }: CompactorNeeds, { window, drop }: Order): Promise<Ground> {
  const [compaction, measured] = await Promise.all([loadCompaction(), gauge()]);
  const measure = measured.measure();
  const sizes = sizesOf(window, measure.fixed, wishesOf(settings));
  const path = compaction.measurePath(tree.recent(), measure.tokens);
  if (drop === undefined) return { compaction, measure, sizes, path, dropped: [] };
  const dropped = [{ targetId: drop, replacement: null }];
  return { compaction, measure, sizes, path: path.filter(({ entry }) => entry.id !== drop), dropped };
}

/** Old results are shown no more, where that alone makes enough room. */
function prune({ channel }: CompactorNeeds, ground: Ground): Ran | undefined {
  const { compaction, path, sizes, measure } = ground;
  const { edits, won } = compaction.pruneResults(path, sizes);
  const after = measure.size - won;
  if (edits.length === 0 || after > sizes.goal) return undefined;
  channel.recordAll(editDrafts(ground, edits));
  const count = plural(edits.length, "old result");
  channel.notify({ level: "info", text: `The model is no longer shown ${count}; the record keeps what they said.` });
  return { did: "shorter", before: measure.size, after };
}

function notMade(
  { channel }: CompactorNeeds,
  { cause }: Order,
  { kind, message }: { kind: string; message: string },
): Ran {
  const aborted = kind === "aborted";
  // Whoever tells it ends the sentence.
  const why = message.replace(/\.$/, "");
  const error = aborted ? {} : { error: `${failedTexts[cause]}: ${why}` };
  channel.announce({ type: "compacted", cause, aborted, willRetry: false, ...error });
  return aborted ? { did: "stopped" } : { did: "failed", why };
}

const failedTexts = {
  manual: "Compaction failed",
  threshold: "Auto-compaction failed",
  idle: "Auto-compaction failed",
  overflow: "Context overflow recovery failed",
  incomplete: "Incomplete response recovery failed",
};

type Finished =
  | Exclude<StrategyResult, { kind: "summary" }>
  | (Extract<StrategyResult, { kind: "summary" }> & { cut: PathCut; by: "us" | "hook" });

/** Hooks first; then the strategy, and where that cannot, the one that always can. */
async function makeIt(
  needs: CompactorNeeds,
  order: Order,
  { path, cut, sizes, measure, strategy }: Ground & { cut: PathCut; strategy: string },
): Promise<Result<Finished, "aborted" | "failed">> {
  const { channel, points } = needs;
  const { cause, instructions, signal } = order;
  const entries = path.map(({ entry }) => entry);
  const answer = await points.compact(
    { cause, path: entries, cut, tokensBefore: measure.size, instructions, signal },
    (name, error) => channel.notify({ level: "warn", text: `${name} failed at a compaction: ${messageOf(error)}` }),
  );
  if (answer.do === "cancel") return fail("aborted", "a hook cancelled it");
  const most = sizes.goal - sizes.fixed - sizes.words;
  const isLong = answer.do === "result" && measure.tokens(asMessage(answer.result.summary)) > most;
  if (isLong) channel.notify({ level: "warn", text: "The summary of a hook is too long, and is not used." });
  if (answer.do === "result" && !isLong) {
    const { firstKeptEntryId, ...result } = answer.result;
    const at = entries.findIndex(({ id }) => id === firstKeptEntryId);
    return ok({ kind: "summary", ...result, cut: at === -1 ? cut : { at, turn: at }, by: "hook" });
  }
  const additions: SummaryAdditions = answer.do === "result" ? {} : answer;
  const pressing = cause === "overflow" || measure.size > order.window;
  const task: CompactionTask = {
    cause,
    path: entries,
    cut,
    sizes,
    model: order.model,
    instructions,
    additions,
    candidates: await candidatesFor(needs, cause),
    aside: needs.aside,
    standing: needs.standing,
    tokens: measure.tokens,
    signal,
  };
  const vain = new AbortController();
  const inWords = byStrategy(needs, strategy, task, order.only ? "only" : pressing ? "pressing" : "any").then((one) => {
    if (!one.ok || one.value.kind !== "summary") vain.abort();
    return one;
  });
  const forItself = { ...task, signal: AbortSignal.any([signal, vain.signal]) };
  const sealing = strategy === "context-full" ? sealedBy(needs, forItself) : undefined;
  const [made, sealed] = await Promise.all([inWords, sealing]);
  if (!made.ok) return made;
  const { value } = made;
  return ok(value.kind === "summary" ? { ...value, ...kept(additions, value, sealed), cut, by: "us" } : value);
}

const asMessage = (content: string): Message => ({ role: "user", content, timestamp: 0 });

const kept = (
  { preserveData }: SummaryAdditions,
  made: CompactionSummary,
  sealed: CompactionSummary["preserveData"],
) =>
  preserveData || made.preserveData || sealed
    ? { preserveData: { ...sealed, ...made.preserveData, ...preserveData } }
    : {};

/** One that cannot gives way to a summary; where there is no room left and no summary to be had, results are left out. */
async function byStrategy(
  needs: CompactorNeeds,
  name: string,
  task: CompactionTask,
  need: "only" | "pressing" | "any",
): Promise<Result<StrategyResult, "aborted" | "failed">> {
  const { strategies } = await loadCompaction();
  const run = async (one: string) =>
    (await strategies[one]?.())?.(task) ?? fail("unable", "there is none of that name");
  let made = await run(name);
  if (!made.ok && made.kind === "unable" && need !== "only") {
    notUsed(needs, name, made.message);
    made = await run("context-full");
  }
  if (!made.ok && made.kind === "failed" && need === "pressing" && name !== "shake") {
    const { message } = made;
    made = await run("shake");
    const text = `No summary could be made (${message}); old output of tools is left out instead.`;
    if (made.ok) needs.channel.notify({ level: "warn", text });
    else return fail("failed", message);
  }
  return made.ok ? made : fail(made.kind === "aborted" ? "aborted" : "failed", made.message);
}

/** By hand it is made shorter whatever is set; words for the summary ask for one, and no handoff fits where nothing does. */
function strategyFor(needs: CompactorNeeds, { cause, instructions }: Order): string {
  const set = needs.settings.get("compaction.strategy");
  if (set === "off" || (instructions && set !== "handoff")) return "context-full";
  if (set !== "handoff") return set;
  if (cause === "overflow" || !needs.handOver) return "context-full";
  if (needs.journal.file !== undefined) return set;
  notUsed(needs, set, "the session is not recorded");
  return "context-full";
}

const notUsed = ({ channel }: CompactorNeeds, strategy: string, why: string): void =>
  channel.notify({ level: "warn", text: `The strategy ${strategy} is not used: ${why}. A summary is made instead.` });

const editDrafts = ({ dropped }: Ground, edits: readonly MessageEdit[]): EntryDraft[] =>
  [...dropped, ...edits].map((edit) => ({ type: "context_edit", ...edit }));

/** Whether a strategy has a way of its own where a summary has no place: none helps against what stands before all. */
const helps = (strategy: string, kind: "prompt" | "full" | "nothing"): boolean =>
  kind !== "prompt" && (strategy === "handoff" || (strategy === "shake" && kind === "full"));

/**
 * True while what was last made shorter has seen no whole answer: another run would meet the same. Words that a person
 * has said since are something new where they leave no room at all, or where the answer to them found none.
 */
function isUnanswered(recent: readonly Entry[], { cause, model }: Order, size: number): boolean {
  const since = recent.slice(recent.findLastIndex(isRun) + 1);
  if (since.length === recent.length || since.some(isAnswer)) return false;
  const isNew = since.some((entry) => entry.type === "message" && entry.message.role === "user");
  return !(isNew && (cause === "incomplete" || size > model.contextWindow));
}

const isRun = (entry: Entry): boolean =>
  entry.type === "compaction" ||
  entry.type === "context_edit" ||
  (entry.type === "custom_message" && entry.customType === "handoff");

const isAnswer = (entry: Entry): boolean =>
  entry.type === "message" &&
  entry.message.role === "assistant" &&
  entry.message.stopReason !== "error" &&
  entry.message.stopReason !== "length";
