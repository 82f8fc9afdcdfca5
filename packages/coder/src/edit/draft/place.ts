import type { FileChange } from "@pith/agent";
import type { FsKind, InPlace, Step } from "@pith/host";
import { defined, fail, ok, type Result } from "@pith/kit";
import { allLines } from "../../snapshot/seen.ts";
import { blocksOf, countsOf, unified } from "../text/diff.ts";
import { excerpt } from "../text/excerpt.ts";
import { Lines } from "../text/line.ts";
import { type ChangedRange, changedRanges } from "../text/range.ts";
import { shiftsOf } from "../text/shift.ts";
import type { Draft, Editing } from "./file.ts";

/** The result of a change of one file. */
export interface FileDone {
  path: string;
  change: FileChange;
  /** The tag of the new content; undefined when the file is gone. */
  tag: string | undefined;
  excerpt: string;
  /** The changed places without the text that was just written. */
  ranges: readonly ChangedRange[];
  echoes: readonly string[];
  inPlace?: InPlace;
}

/** Is shown each change before it is made, so that it can be looked at while guards and the disk are busy. */
export type Look = (change: { path: string; name: string; before: string | undefined; after: string }) => void;

export function show(drafts: readonly Draft[], look: Look | undefined): void {
  for (const { file, after } of drafts)
    if (after !== undefined) look?.({ path: file.path, name: file.name, before: file.base?.text, after });
}

/** Makes all drafted changes, or none. */
export async function place(
  editing: Editing,
  drafts: readonly Draft[],
  look?: Look,
): Promise<Result<FileDone[], FsKind>> {
  const steps: Step[] = [];
  for (const draft of drafts) {
    const step = standing(editing, draft);
    if (!step.ok) return step;
    steps.push(step.value);
  }
  show(drafts, look);
  const placing = editing.files.place(steps);
  // While the disk is busy.
  const spoken = drafts.filter(({ movedTo }) => movedTo === undefined).map((draft) => describe(editing, draft));
  const done = await placing;
  if (!done.ok) {
    const { at, kind, message } = done.refused;
    const file = drafts[at]?.file;
    return fail(kind, file ? message.replace(file.target.path, file.name) : message);
  }
  return ok(spoken.map(({ draft, tell }) => ({ ...tell(), ...done.applied[drafts.indexOf(draft)] })));
}

/** The step on what an earlier draft left, which must be just what stands there now. */
function standing({ files }: Editing, { file, step }: Draft): Result<Step, FsKind> {
  const left = file.made?.step;
  if (!left) return ok(step);
  const there = files.find(file.target.path);
  if (!there.ok) return there;
  const { value: target } = there;
  const same =
    target.real === file.target.real &&
    (target.is === "missing" ? left.do === "remove" : left.do === "write" && target.bytes.equals(left.bytes));
  if (!same) return fail("changed", `${file.name}: was changed by something else in the meantime`);
  return ok({ ...step, target });
}

/** Works something out once for each draft. */
function once<T>(work: (draft: Draft) => T): (draft: Draft) => T {
  const known = new WeakMap<Draft, { made: T }>();
  return (draft) => {
    const { made } = known.get(draft) ?? { made: work(draft) };
    known.set(draft, { made });
    return made;
  };
}

/** The differences of the text, for questions and the result. A file that is no text is not compared. */
export const compared = once((draft) => {
  const before = draft.from ?? draft.file;
  const [old, now] = [new Lines(before.base?.text ?? ""), new Lines(draft.after ?? "")];
  const unread = before.base === undefined && before.target.is !== "missing" && !before.made;
  const binary = unread || old.text.includes("\0") || now.text.includes("\0");
  return { old, now, blocks: binary ? [] : blocksOf(old, now, draft.changes) };
});

/** Longer patches are left out: they are recorded with the session, and nobody reads more. */
const maxPatch = 256 * 1024;

/** The change that a draft makes, for views and for guards. */
export const changeOf = once((draft): FileChange => {
  const { file, after, from } = draft;
  const { old, now, blocks } = compared(draft);
  const isNew = !from && file.base === undefined && (file.target.is === "missing" || file.made !== undefined);
  const first = blocks[0]?.newStart;
  const counts = countsOf(blocks);
  // A line of a diff has a sign and an end: with this many it cannot be small enough.
  const hopeless = blocks.length === 0 || (counts.added + counts.removed) * 2 > maxPatch;
  const names = { from: isNew ? undefined : (from ?? file).name, to: after === undefined ? undefined : file.name };
  const patch = hopeless ? "" : unified(old, now, blocks, names);
  const change: FileChange["change"] = after === undefined ? "deleted" : from ? "moved" : isNew ? "added" : "modified";
  return defined({
    path: file.name,
    change,
    from: from?.name,
    ...counts,
    patch: patch.length > maxPatch ? "" : patch,
    firstChangedLine: first === undefined ? undefined : Math.max(1, Math.min(first, now.count)),
  });
});

/** Works out the result of a draft; only once it is made does its content have a tag. */
function describe({ snapshots }: Editing, draft: Draft): { draft: Draft; tell(): FileDone } {
  const { file, after, changes, from, echoes = [] } = draft;
  const { old, now, blocks } = compared(draft);
  // A content that is given anew as a whole does not tell where its lines went.
  const whole = changes.some(({ start, end }) => start === 0 && end === old.text.length);
  const shifts = shiftsOf(old, changes);
  const led = file.base && !from && !whole ? file.base.text : undefined;
  const via = led === undefined ? undefined : { from: snapshots.mint(file.path, led, { seen: [] }), shifts };
  const done = {
    path: file.path,
    change: changeOf(draft),
    excerpt: excerpt(old, now, blocks),
    ranges: changedRanges(old, shifts),
    echoes,
  };
  const tag = () =>
    after === undefined ? undefined : snapshots.mint(file.path, after, { via, seen: via ? undefined : allLines });
  return { draft, tell: () => ({ ...done, tag: tag() }) };
}
