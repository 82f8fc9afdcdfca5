import {
  type CompactionTask,
  type Entry,
  type EntryDraft,
  loadCompaction,
  type MessageEdit,
  type PathCut,
  type StrategyResult,
  type SummaryAdditions,
  sizesOf,
} from "@pith/agent";
import { defined, fail, messageOf, ok, plural, type Result } from "@pith/kit";
import type { Message } from "@pith/llm";
import { candidatesFor } from "./candidates.ts";
import {
  type CompactionEnd,
  type CompactionHall,
  type CompactionOrder,
  type MeasuredPath,
  sizeSettings,
} from "./order.ts";
import { vendorSummary } from "./vendor-summary.ts";
import { documentText, goOnNote, summaryDrafts } from "./write.ts";

/** Shortens the conversation with one write, or leaves it as it is. */
export async function compact(hall: CompactionHall, order: CompactionOrder): Promise<CompactionEnd> {
  const measured = await measureAll(hall, order);
  const { compaction, path, measure } = measured;
  if (!isWanted(order) && isUnanswered(hall.tree.recent(), order, measure.size))
    return { did: "failed", why: "nothing was answered since it was last made shorter", unanswered: true };
  // Leaving out old results alone may not be enough for a server that has refused the request.
  const pruned = isWanted(order) || order.cause === "overflow" ? undefined : prune(hall, measured);
  if (pruned) return pruned;
  const strategy = order.only ?? strategyFor(hall, order);
  const planned = planFor(order, measured);
  if (!planned.ok && !order.only && !helps(strategy, planned.kind))
    return { did: planned.kind === "nothing" ? "nothing" : "failed", why: planned.message };
  const plan = planned.ok ? planned.value : { cut: compaction.findCut(path, 0), edits: [] };
  hall.channel.announce({ type: "turn", state: { name: "compacting", cause: order.cause } });
  return carryOut(hall, order, { ...measured, ...plan, strategy });
}

/** True when the conversation is to be shortened even where there is room. */
const isWanted = ({ cause, blind }: CompactionOrder): boolean => cause === "manual" || blind === true;

function planFor(order: CompactionOrder, { compaction, path, sizes }: MeasuredPath) {
  const half = isWanted(order) ? Math.floor(compaction.totalTokens(path) / 2) : Number.POSITIVE_INFINITY;
  const plan = compaction.planCompaction(path, { ...sizes, keep: Math.min(sizes.keep, half) });
  if (plan.ok || plan.kind !== "nothing" || path[0]?.entry.type !== "compaction") return plan;
  // Nothing since the last compaction can go; that itself can, if it is pictures or too long for this window.
  const isLong = path[0].tokens > (sizes.summary + sizes.words) * 1.5;
  return order.blind || isLong ? ok({ cut: { at: 1, turn: 1 }, edits: [] }) : plan;
}

/** Runs the strategy and writes its result. */
async function carryOut(
  hall: CompactionHall,
  order: CompactionOrder,
  measured: MeasuredPath & { cut: PathCut; edits: readonly MessageEdit[]; strategy: string },
): Promise<CompactionEnd> {
  const { measure, edits } = measured;
  const first = await makeResult(hall, order, measured);
  const isDocument = first.ok && first.value.kind === "document" && !order.signal.aborted;
  const made = isDocument ? await handOff(hall, order, measured, first.value.document) : first;
  const isMoved = isDocument && made.ok && made.value.kind === "document";
  if (order.signal.aborted && !isMoved) return failed(hall, order, { kind: "aborted", message: "" });
  if (!made.ok) return failed(hall, order, made);
  const { value } = made;
  if (value.kind === "document") return succeeded(hall, order, measure.size);
  const making = value.kind === "summary" ? { ...measured, made: value, cut: value.cut } : undefined;
  const drafts = making ? await summaryDrafts(hall, order, making) : [];
  const longer = making && edits.length === 0 && !order.blind ? longerThan(making, drafts) : undefined;
  if (longer) return failed(hall, order, { kind: "failed", message: longer });
  const written = hall.channel.recordAll([
    ...editDrafts(measured, value.kind === "edits" ? value.edits : edits),
    ...drafts,
  ]);
  const entry = written.find((one): one is Entry & { type: "compaction" } => one.type === "compaction");
  return succeeded(hall, order, measure.size, entry);
}

/** Says that a summary would take more room than what it replaces; undefined if it takes less. */
function longerThan(
  { compaction, path, measure, cut }: MeasuredPath & { cut: PathCut },
  drafts: readonly EntryDraft[],
): string | undefined {
  const made = drafts.find((draft) => draft.type === "compaction");
  if (!made) return undefined;
  const entry = { ...made, id: "", parentId: null, timestamp: "" } as Entry;
  const [now, then] = [path.slice(0, cut.at), compaction.measurePath([entry], measure.tokens)].map(
    compaction.totalTokens,
  );
  const [old, fresh] = [Math.round(now ?? 0), Math.round(then ?? 0)];
  return fresh < old ? undefined : `the summary is longer (${fresh} tokens) than what it replaces (${old})`;
}

/** Goes on in another session; if that is not possible, makes a summary of this one. */
async function handOff(
  hall: CompactionHall,
  order: CompactionOrder,
  measured: MeasuredPath & { cut: PathCut },
  document: string,
): Promise<Result<CompactionMade, "aborted" | "failed">> {
  const text = await documentText(hall, measured, document);
  // A sub-agent stays in the record that its parent names.
  const isMain = hall.scope === "main";
  const moved = isMain ? await hall.handOver(text) : fail("unable", "this is the session of a sub-agent");
  if (moved.ok) {
    if (order.next !== "nothing" && hall.settings.get("compaction.autoContinue")) hall.channel.record(goOnNote);
    return ok({ kind: "document", document });
  }
  if (order.only) return fail("failed", moved.message);
  notUsed(hall, "handoff", moved.message);
  return makeResult(hall, order, { ...measured, strategy: "context-full" });
}

async function succeeded(
  { channel, gauge }: CompactionHall,
  { cause, next }: CompactionOrder,
  before: number,
  entry?: Entry & { type: "compaction" },
): Promise<CompactionEnd> {
  const after = (await gauge()).size();
  const made = { aborted: false, willRetry: next === "again", ...(entry && { entry }) };
  channel.announce({ type: "compacted", cause, tokensAfter: after, ...made });
  if (cause !== "manual") channel.notify({ level: "info", text: `Made room: ${before} tokens became about ${after}.` });
  return { did: "shorter", before, after };
}

async function measureAll(
  { gauge, settings, tree }: CompactionHall,
  { window, drop }: CompactionOrder,
): Promise<MeasuredPath> {
  const [compaction, measured] = await Promise.all([loadCompaction(), gauge()]);
  const measure = measured.measure();
  const sizes = sizesOf(window, measure.fixed, sizeSettings(settings));
  const path = compaction.measurePath(tree.recent(), measure.tokens);
  if (drop === undefined) return { compaction, measure, sizes, path, dropped: [] };
  const dropped = [{ targetId: drop, replacement: null }];
  return { compaction, measure, sizes, path: path.filter(({ entry }) => entry.id !== drop), dropped };
}

/** Leaves old results out, if that alone makes enough room. */
function prune({ channel }: CompactionHall, measured: MeasuredPath): CompactionEnd | undefined {
  const { compaction, path, sizes, measure } = measured;
  const { edits, won } = compaction.pruneResults(path, sizes);
  const after = measure.size - won;
  if (edits.length === 0 || after > sizes.goal) return undefined;
  channel.recordAll(editDrafts(measured, edits));
  const count = plural(edits.length, "old result");
  channel.notify({ level: "info", text: `The model is no longer shown ${count}; the record keeps what they said.` });
  return { did: "shorter", before: measure.size, after };
}

function failed(
  { channel }: CompactionHall,
  { cause }: CompactionOrder,
  { kind, message }: { kind: string; message: string },
): CompactionEnd {
  const aborted = kind === "aborted";
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

type CompactionMade =
  | Exclude<StrategyResult, { kind: "summary" }>
  | (Extract<StrategyResult, { kind: "summary" }> & { cut: PathCut; by: "us" | "hook" });

/** Makes the result: that of a hook, or of the strategy. */
async function makeResult(
  hall: CompactionHall,
  order: CompactionOrder,
  { path, cut, sizes, measure, strategy }: MeasuredPath & { cut: PathCut; strategy: string },
): Promise<Result<CompactionMade, "aborted" | "failed">> {
  const { channel, points } = hall;
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
  const task: CompactionTask = {
    cause,
    path: entries,
    earlier: () => earlierOf(hall.tree, entries),
    cut,
    sizes,
    model: order.model,
    instructions,
    additions,
    candidates: await candidatesFor(hall, cause, hall.aside),
    aside: hall.aside,
    nextRequest: hall.standing,
    tokens: measure.tokens,
    signal,
  };
  const needless = new AbortController();
  const isPressing = cause === "overflow" || measure.size > order.window;
  const inWords = byStrategy(hall, strategy, task, order.only ? "only" : isPressing ? "pressing" : "any").then(
    (one) => {
      if (!one.ok || one.value.kind !== "summary") needless.abort();
      return one;
    },
  );
  const vendorTask = { ...task, signal: AbortSignal.any([signal, needless.signal]) };
  const vendorData = strategy === "context-full" ? vendorSummary(hall, vendorTask) : undefined;
  const [made, data] = await Promise.all([inWords, vendorData]);
  if (!made.ok) return made;
  const { value } = made;
  if (value.kind !== "summary") return ok(value);
  const all = { ...data, ...value.preserveData, ...additions.preserveData };
  const preserveData = Object.keys(all).length > 0 ? all : undefined;
  return ok({ ...value, ...defined({ preserveData }), cut, by: "us" });
}

/** Entries before some, the newest first. A compaction stands behind what it kept: the oldest of that counts. */
function earlierOf(tree: CompactionHall["tree"], shown: readonly Entry[]): Iterable<Entry> {
  const oldest = tree.recent()[0] ?? shown[0];
  return oldest?.parentId ? tree.back(oldest.parentId) : [];
}

const asMessage = (content: string): Message => ({ role: "user", content, timestamp: 0 });

/** Runs a strategy; in place of one that is unable makes a summary, and where that fails, leaves out old results. */
async function byStrategy(
  hall: CompactionHall,
  name: string,
  task: CompactionTask,
  need: "only" | "pressing" | "any",
): Promise<Result<StrategyResult, "aborted" | "failed">> {
  const { strategies } = await loadCompaction();
  const run = async (one: string) =>
    (await strategies[one]?.())?.(task) ?? fail("unable", "there is none of that name");
  let made = await run(name);
  if (!made.ok && made.kind === "unable" && need !== "only") {
    notUsed(hall, name, made.message);
    made = await run("context-full");
  }
  if (!made.ok && made.kind === "failed" && need === "pressing" && name !== "shake") {
    const { message } = made;
    made = await run("shake");
    const text = `No summary could be made (${message}); old output of tools is left out instead.`;
    if (made.ok) hall.channel.notify({ level: "warn", text });
    else return fail("failed", message);
  }
  return made.ok ? made : fail(made.kind === "aborted" ? "aborted" : "failed", made.message);
}

/** The configured strategy, where it can be used: instructions are for a summary, and no handoff is possible at an overflow. */
function strategyFor(hall: CompactionHall, { cause, instructions }: CompactionOrder): string {
  const set = hall.settings.get("compaction.strategy");
  if (set === "off" || (instructions && set !== "handoff")) return "context-full";
  if (set !== "handoff") return set;
  if (cause === "overflow" || hall.scope !== "main") return "context-full";
  if (hall.journal.file !== undefined) return set;
  notUsed(hall, set, "the session is not recorded");
  return "context-full";
}

const notUsed = ({ channel }: CompactionHall, strategy: string, why: string): void =>
  channel.notify({ level: "warn", text: `The strategy ${strategy} is not used: ${why}. A summary is made instead.` });

const editDrafts = ({ dropped }: MeasuredPath, edits: readonly MessageEdit[]): EntryDraft[] =>
  [...dropped, ...edits].map((edit) => ({ type: "context_edit", ...edit }));

/** True when a strategy may help where no summary is possible; none helps against a long prompt. */
const helps = (strategy: string, kind: "prompt" | "full" | "nothing"): boolean =>
  kind !== "prompt" && (strategy === "handoff" || (strategy === "shake" && kind === "full"));

/**
 * True when the model has not answered since the last compaction, so that another would do nothing. New input counts as
 * a change if it does not fit, or if the answer to it was cut off.
 */
function isUnanswered(recent: readonly Entry[], { cause, model }: CompactionOrder, size: number): boolean {
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
