import { type FileChange, type Outcome, type RewriteData, refusal } from "@pith/agent";
import { plural } from "@pith/kit";
import type { Pending } from "../../behaviour/pending.ts";
import { blocksOf, statOf, unified } from "../../edit/diff.ts";
import { commit, type Draft, draftChanges, type EditParts, openText } from "../../edit/file.ts";
import { Lines } from "../../edit/line.ts";
import type { Change } from "../../edit/plan.ts";
import { preview } from "../../edit/preview.ts";
import { tagHeader } from "../../snapshot/header.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import { cutHead } from "../cut.ts";
import { issueLines, maxFiles } from "../rule.ts";
import type { SourceParts } from "../source.ts";
import { type Op, planOps, printOf, type Rewrite, type RewrittenFile } from "./plan.ts";

export interface AstEditParts extends SourceParts {
  env: Readonly<Record<string, string | undefined>>;
  snapshots: Snapshots;
  /** Whether what is shown carries the tags that anchored edits refer to. */
  tags: "shown" | "left out";
  generated: "refuse" | "allow";
  pending: Pending;
}

/** Shows what the ops would change and leaves it waiting for `resolve`. */
export async function showRewrite(
  parts: AstEditParts,
  { ops, paths }: { ops: readonly Op[]; paths: readonly string[] },
  signal: AbortSignal,
): Promise<Outcome> {
  const shown = await planOps({ ...parts, maxFiles: maxFiles(parts.env) }, ops, paths, signal);
  if (!shown.ok) return refusal(shown.message);
  const rewrite = shown.value;
  if (rewrite.files.length === 0) return nothing(rewrite, paths);
  const label = told(rewrite);
  parts.pending.push({
    tool: "ast_edit",
    label,
    paths: rewrite.files.map((file) => file.source.path),
    plan: { ops, paths, print: printOf(rewrite) } satisfies Shown,
  });
  const blocks = rewrite.files.map((file) => shownFile(parts, file));
  const head = `Preview: ${label}. Nothing is written yet; call resolve to apply or discard.`;
  const { text, truncation } = cutHead([head, ...blocks, tail(rewrite)].filter(Boolean).join("\n\n"));
  return {
    kind: "diff",
    data: { files: withinRoom(rewrite.files.map(changeOf)), ...details(rewrite, paths, "shown") },
    text,
    meta: { ...(truncation && { truncation }), notes: rewrite.notes },
  };
}

const count = ({ files }: Rewrite): number => files.reduce((sum, file) => sum + file.plan.length, 0);

const told = (rewrite: Rewrite): string =>
  `${plural(count(rewrite), "replacement")} in ${plural(rewrite.files.length, "file")}`;

const tail = (rewrite: Rewrite): string =>
  [...(rewrite.full ? ["Limit reached; narrow paths."] : []), ...issueLines(rewrite.issues)].join("\n");

function nothing(rewrite: Rewrite, paths: readonly string[]): Outcome<"diff"> {
  const text = ["No replacements made", tail(rewrite)].filter(Boolean).join("\n\n");
  return {
    kind: "diff",
    data: { files: [], ...details(rewrite, paths, "shown") },
    text,
    meta: { notes: rewrite.notes },
  };
}

function details(rewrite: Rewrite, paths: readonly string[], state: "shown" | "applied"): RewriteData {
  const issues = [...new Set(rewrite.issues)];
  return {
    totalReplacements: count(rewrite),
    filesTouched: rewrite.files.length,
    filesSearched: rewrite.searched,
    applied: state === "applied",
    limitReached: rewrite.full,
    ...(issues.length > 0 && { parseErrors: issues }),
    scopePath: paths.join(", "),
    fileReplacements: rewrite.files.map(({ source, plan }) => ({ path: source.name, count: plan.length })),
  };
}

const changesOf = ({ plan }: RewrittenFile): Change[] =>
  plan.map(({ from, to, after }) => ({ start: from.index, end: to.index, text: after }));

function shownFile(parts: AstEditParts, file: RewrittenFile): string {
  const { path, name, text } = file.source;
  if (parts.tags === "left out") return [`# ${name}`, ...file.plan.flatMap(placedRows)].join("\n");
  const [before, after] = [new Lines(text), new Lines(file.after)];
  return `${tagHeader(name, parts.snapshots.mint(path, text))}\n${preview(before, after, blocksOf(before, after, changesOf(file)))}`;
}

/** Without tags a change is told by line and column, all of its lines. */
function placedRows({ from, before, after }: RewrittenFile["plan"][number]): string[] {
  const rows = (sign: string, text: string) =>
    text === ""
      ? []
      : text
          .replace(/\r?\n$/, "")
          .split(/\r?\n/)
          .map((line, i) => `${sign}${from.line + 1 + i}:${i === 0 ? from.column + 1 : 1} ${line.slice(0, 300)}`);
  return [...rows("-", before), ...rows("+", after)];
}

/** They are recorded with the session, and nobody reads more of a rewrite of many files. */
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
  const blocks = blocksOf(before, after, changesOf(file));
  const { name } = file.source;
  return {
    path: name,
    change: "modified",
    ...statOf(blocks),
    patch: unified(before, after, blocks, { from: name, to: name }),
  };
}

const stale =
  "The preview is stale: what it would change is no longer what was shown. Nothing was written. Run ast_edit again.";

/** What was shown, as it is kept until it is decided: enough to plan it again and to see that it is the same. */
interface Shown {
  ops: readonly Op[];
  paths: readonly string[];
  print: string;
}

/** It is planned afresh and compared before anything is written; then all files change, or none does. */
export async function applyRewrite(parts: AstEditParts, plan: unknown, signal: AbortSignal): Promise<Outcome> {
  const { ops, paths, print } = plan as Shown;
  const now = await planOps({ ...parts, maxFiles: maxFiles(parts.env) }, ops, paths, signal);
  if (!now.ok || printOf(now.value) !== print) return refusal(stale);
  const editParts: EditParts = {
    root: parts.cwd,
    resolve: (path) => path,
    snapshots: parts.snapshots,
    generated: parts.generated,
  };
  const drafts: Draft[] = [];
  for (const file of now.value.files) {
    const opened = openText(editParts, file.source.path);
    if (!opened.ok || opened.value.base?.text !== file.source.text)
      return refusal(opened.ok ? stale : `${opened.message}. Nothing was written.`);
    const draft = draftChanges(opened.value, changesOf(file));
    if (!draft.ok) return refusal(`${draft.message} Nothing was written.`);
    drafts.push(draft.value);
  }
  const done = await commit(editParts, drafts);
  if (!done.ok) return refusal(`${done.message}. Nothing was written.`);
  const rows = done.value.map(({ change, tag }) =>
    parts.tags === "shown" && tag !== undefined ? tagHeader(change.path, tag) : change.path,
  );
  const { text } = cutHead([`Applied ${told(now.value)}.`, ...rows].join("\n"));
  return {
    kind: "diff",
    data: {
      files: withinRoom(done.value.map(({ change }) => change)),
      ...details(
        now.value,
        now.value.files.map(({ source }) => source.name),
        "applied",
      ),
    },
    text,
  };
}
