import {
  type FileChange,
  type Intent,
  isOutcome,
  type Outcome,
  type PrepareOptions,
  type RewriteData,
  refusal,
} from "@pith/agent";
import { defined, plural, type Result, shorten, sumOf } from "@pith/kit";
import { type Draft, draftChanges, type Editing, openText } from "../../../edit/draft/file.ts";
import { draftIntent, type Made } from "../../../edit/draft/intent.ts";
import { blocksOf, countsOf, unified } from "../../../edit/text/diff.ts";
import { excerpt } from "../../../edit/text/excerpt.ts";
import { Lines } from "../../../edit/text/line.ts";
import type { Pending } from "../../../session/pending.ts";
import { tagHeader } from "../../../snapshot/header.ts";
import type { Snapshots } from "../../../snapshot/snapshot.ts";
import { cutHead } from "../../../tools/cut.ts";
import { metaOf } from "../../../tools/meta.ts";
import { readScopes } from "../../../tools/scope.ts";
import type { Router } from "../../../url/router.ts";
import { issueLines } from "../rule.ts";
import { type SourceScopes, sourceScopes } from "../source.ts";
import { changesOf, type Op, planOps, printOf, type Rewrite, type RewriteOptions, type RewrittenFile } from "./plan.ts";

export interface AstEditOptions extends RewriteOptions {
  /** Internal addresses. */
  urls?: Pick<Router, "resolve" | "target">;
  snapshots: Snapshots;
  /** With "shown", previews carry the tags that anchored edits refer to. */
  tags: "shown" | "left out";
  pending: Pending;
}

/** The arguments of a call. */
export interface Wanted {
  ops: readonly Op[];
  paths: readonly string[];
}

/** Shows what the ops would change and leaves it waiting for `resolve`. */
export async function prepareShown(
  options: AstEditOptions,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Intent | Outcome> {
  const scopes = await scopesOf(options, wanted.paths, signal);
  if (isOutcome(scopes)) return scopes;
  return {
    effect: "read",
    paths: scopes.roots.map(({ at }) => at),
    run: async (call) => showRewrite(options, wanted, await planOps(options, scopes, wanted.ops, call.signal)),
  };
}

/** The places that the ops look at. An address must name something that can be written: the preview is of a write. */
async function scopesOf(
  options: AstEditOptions,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<SourceScopes | Outcome> {
  if (paths.length === 0) return refusal('Say in paths which files shall change; "." is the whole project');
  const scopes = readScopes(options.files, paths);
  for (const scope of scopes.ok ? scopes.value : []) {
    if (scope.is !== "url" || (await options.urls?.target(scope.href))?.ok) continue;
    return refusal(`${scope.href} can only be read, and ast_edit is for changing files. Nothing was looked at.`);
  }
  const sources = await sourceScopes(options, paths, signal);
  return sources.ok ? sources.value : refusal(sources.message);
}

function showRewrite(
  options: AstEditOptions,
  { ops, paths }: Wanted,
  planned: Result<Rewrite, "path" | "overlap">,
): Outcome {
  if (!planned.ok) return refusal(planned.message);
  const rewrite = planned.value;
  const { notes } = rewrite;
  const data = details(rewrite, paths, "shown");
  if (rewrite.files.length === 0) {
    const text = ["No replacements made", tail(rewrite)].filter(Boolean).join("\n\n");
    return { kind: "diff", data: { files: [], ...data }, text, meta: { notes } };
  }
  const label = summaryOf(rewrite);
  options.pending.push({ tool: "ast_edit", label, plan: { ops, paths, print: printOf(rewrite) } satisfies Shown });
  const blocks =
    count(rewrite) > maxWhole ? countedRows(rewrite, ops) : rewrite.files.map((file) => shownFile(options, file));
  const head = `Preview: ${label}. Nothing is written yet; call resolve to apply or discard.`;
  const { text, truncation } = cutHead([head, ...blocks, tail(rewrite)].filter(Boolean).join("\n\n"));
  return {
    kind: "diff",
    data: { files: withinRoom(rewrite.files.map(changeOf)), ...data },
    text,
    meta: metaOf({ truncation, notes }),
  };
}

/** More replacements than these are counted by file, with examples: one is as the other. */
const maxWhole = 12;

const count = ({ files }: Rewrite): number => sumOf(files, ({ plan }) => plan.length);

const summaryOf = (rewrite: Rewrite): string =>
  `${plural(count(rewrite), "replacement")} in ${plural(rewrite.files.length, "file")}`;

const tail = (rewrite: Rewrite): string =>
  [...(rewrite.full ? ["Limit reached; narrow paths."] : []), ...issueLines(rewrite.issues)].join("\n");

function details(rewrite: Rewrite, paths: readonly string[], state: "shown" | "applied"): RewriteData {
  const issues = [...new Set(rewrite.issues)];
  return defined({
    totalReplacements: count(rewrite),
    filesTouched: rewrite.files.length,
    filesSearched: rewrite.searched,
    applied: state === "applied",
    limitReached: rewrite.full,
    parseErrors: issues.length > 0 ? issues : undefined,
    scopePath: paths.join(", "),
    fileReplacements: rewrite.files.map(({ source, plan }) => ({ path: source.name, count: plan.length })),
  });
}

function shownFile({ tags, snapshots }: AstEditOptions, file: RewrittenFile): string {
  const { path, name, text } = file.source;
  if (tags === "left out") return [`# ${name}`, ...file.plan.flatMap(placedRows)].join("\n");
  const [before, after] = [new Lines(text), new Lines(file.after)];
  const rows = excerpt(before, after, blocksOf(before, after, changesOf(file.plan)));
  return `${tagHeader(name, snapshots.mint(path, text))}\n${rows}`;
}

const [maxExamples, maxCounted] = [3, 60];

/** Counts the changes of each op, by file, with examples of its first changes. */
function countedRows({ files }: Rewrite, ops: readonly Op[]): string[] {
  const shown = files.slice(0, maxCounted);
  const lines = ({ plan }: RewrittenFile) => [...new Set(plan.map(({ from }) => from.line + 1))].join(", ");
  const rest = files.length - shown.length;
  const names = shown.map((file) => `${file.source.name}: ${shorten(lines(file), 60)}`);
  const examples = ops.flatMap(({ pat, out }) => {
    const all = files.flatMap(({ source, plan }) =>
      plan.flatMap((edit) => (edit.pat === pat ? [{ name: source.name, edit }] : [])),
    );
    const unlike = [...new Map(all.toReversed().map((one) => [one.edit.before, one])).values()].toReversed();
    const rows = unlike.slice(0, maxExamples).flatMap(({ name, edit }) => [`# ${name}`, ...placedRows(edit)]);
    return all.length === 0 ? [] : [[`${plural(all.length, "time")} ${opText({ pat, out })}, as`, ...rows].join("\n")];
  });
  const more = rest > 0 ? [`… and ${plural(rest, "more file")}`] : [];
  return [["Changed lines:", ...names, ...more].join("\n"), ...examples];
}

const opText = ({ pat, out }: Op): string => `${shorten(pat, 100)} → ${out === "" ? "nothing" : shorten(out, 100)}`;

/** The lines of a change with line and column, for an answer without tags. */
function placedRows({ from, before, after }: RewrittenFile["plan"][number]): string[] {
  const rows = (sign: string, text: string) => {
    const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
    return lines.map((line, i) => `${sign}${from.line + 1 + i}:${i === 0 ? from.column + 1 : 1} ${line.slice(0, 300)}`);
  };
  return [...rows("-", before), ...rows("+", after)];
}

/** The room for diffs: they are recorded with the session, and nobody reads more of a rewrite of many files. */
const maxPatches = 256 * 1024;

/** The changes with their diffs, as long as there is room. */
function withinRoom(changes: readonly FileChange[]): FileChange[] {
  let left = maxPatches;
  return changes.map((change) => {
    left -= change.patch.length;
    return left < 0 ? { ...change, patch: "" } : change;
  });
}

function changeOf(file: RewrittenFile): FileChange {
  const [before, after] = [new Lines(file.source.text), new Lines(file.after)];
  const blocks = blocksOf(before, after, changesOf(file.plan));
  const { name: path } = file.source;
  const patch = unified(before, after, blocks, { from: path, to: path });
  return { path, change: "modified", ...countsOf(blocks), patch };
}

const stale = (): Outcome =>
  refusal(
    "The preview is stale: its changes are no longer those that were shown. Nothing was written. Run ast_edit again.",
  );

/** A preview as it is kept until it is decided: enough to plan it again and to see that it is the same. */
interface Shown extends Wanted {
  print: string;
}

/** Reads a preview; a record may come from a stranger, and a plan of another shape was never shown. */
function readShown(plan: unknown): Shown | undefined {
  const { ops, paths, print } = (plan ?? {}) as Partial<Shown>;
  const isText = (value: unknown) => typeof value === "string";
  return Array.isArray(ops) &&
    ops.every((op: Partial<Op> | null) => isText(op?.pat) && isText(op?.out)) &&
    Array.isArray(paths) &&
    paths.every(isText) &&
    print !== undefined
    ? { ops, paths, print }
    : undefined;
}

/** Plans a preview afresh and compares it: its files are those that it leads to now. All of them change, or none. */
export async function prepareRewrite(
  options: AstEditOptions,
  plan: unknown,
  { signal, without }: PrepareOptions,
): Promise<Intent | Outcome> {
  const shown = readShown(plan);
  if (!shown) return stale();
  const scopes = await scopesOf(options, shown.paths, signal);
  if (isOutcome(scopes)) return stale();
  const now = await planOps(options, scopes, shown.ops, signal);
  if (!now.ok || printOf(now.value) !== shown.print) return stale();
  const { files, snapshots, generated } = options;
  const editing: Editing = { files, resolve: (path) => path, snapshots, generated };
  const drafts: Draft[] = [];
  for (const file of now.value.files) {
    const draft = draftOf(editing, file);
    if (isOutcome(draft)) return draft;
    drafts.push(draft);
  }
  return draftIntent(editing, drafts, { without }, () => (made) => applied(options, now.value, made));
}

function draftOf(editing: Editing, file: RewrittenFile): Draft | Outcome {
  const { path, real, text } = file.source;
  const opened = openText(editing, path);
  if (!opened.ok) return refusal(`${opened.message}. Nothing was written.`);
  if (opened.value.target.real !== real || opened.value.base?.text !== text) return stale();
  const draft = draftChanges(opened.value, changesOf(file.plan));
  return draft.ok ? draft.value : refusal(`${draft.message} Nothing was written.`);
}

function applied({ tags }: AstEditOptions, rewrite: Rewrite, { done, refused }: Made): Outcome<"diff"> {
  const rows = done.map(({ change, tag }) =>
    tags === "shown" && tag !== undefined ? tagHeader(change.path, tag) : change.path,
  );
  const head = refused.length > 0 ? refused : [`Applied ${summaryOf(rewrite)}.`];
  const left = rows.length > maxCounted ? [`… and ${plural(rows.length - maxCounted, "more file")}`] : [];
  const missed = tail(rewrite);
  const names = rewrite.files.map(({ source }) => source.name);
  return {
    kind: "diff",
    data: { files: withinRoom(done.map(({ change }) => change)), ...details(rewrite, names, "applied") },
    text: cutHead([...head, ...rows.slice(0, maxCounted), ...left, ...(missed === "" ? [] : ["", missed])].join("\n"))
      .text,
  };
}
