import type { FileChange } from "@pith/agent";
import { type AnyTarget, applySteps, type FsKind, findTarget, type InPlace, type Step } from "@pith/host";
import { fail, ok, type Result, showPath } from "@pith/kit";
import { type Decoded, decode, encode, markOf } from "../snapshot/decode.ts";
import type { Snapshots } from "../snapshot/snapshot.ts";
import { blocksOf, statOf, unified } from "./diff.ts";
import { generatedMark } from "./generated.ts";
import { Lines } from "./line.ts";
import { type Notebook, openNotebook } from "./notebook.ts";
import { type Change, compile, splice, spliceText } from "./plan.ts";
import { preview } from "./preview.ts";
import { shiftsOf } from "./shift.ts";

/** What every dialect needs of the world. */
export interface EditParts {
  /** Paths are shown relative to it. */
  root: string;
  /** The absolute path that an argument means. */
  resolve(given: string): string;
  snapshots: Snapshots;
  /** Whether files that a program wrote may be changed. */
  generated: "refuse" | "allow";
  /** Told of each change before it is made, so that it can be looked at while the disk is busy. */
  planned?(change: PlannedChange): void;
}

export interface PlannedChange {
  path: string;
  name: string;
  before: string | undefined;
  after: string;
}

/** A file as an edit found it. `base` is undefined when there is none. */
export interface TextFile {
  path: string;
  name: string;
  target: AnyTarget;
  base: Decoded | undefined;
  /** What `base` was decoded from. */
  bytes: Buffer;
  /** Of a notebook: `base` is the text of its cells, and this is the file as it stands. */
  notebook?: Notebook & { json: string };
}

export function openText(parts: EditParts, given: string): Result<TextFile, FsKind> {
  const path = parts.resolve(given);
  const name = showPath(parts.root, path);
  const found = findTarget(path);
  if (!found.ok) return fail(found.kind, found.message.replace(path, name));
  const target = found.value;
  if (target.is === "missing") return ok({ path, name, target, base: undefined, bytes: Buffer.alloc(0) });
  const decoded = decode(target.bytes);
  if (!decoded.ok) return fail("binary", `${name}: ${decoded.message}; it cannot be edited as text`);
  const mark = parts.generated === "refuse" ? generatedMark(decoded.value.text) : undefined;
  if (mark)
    return fail(
      "denied",
      `${name} is generated (it says ${JSON.stringify(mark.slice(0, 120))}); change what generates it instead`,
    );
  const file = { path, name, target, base: decoded.value, bytes: target.bytes };
  const notebook = path.endsWith(".ipynb") ? openNotebook(decoded.value.text) : undefined;
  return ok(
    notebook
      ? {
          ...file,
          base: { ...decoded.value, text: notebook.text },
          notebook: { ...notebook, json: decoded.value.text },
        }
      : file,
  );
}

/** One planned change of a file, not yet made. */
export interface Draft {
  file: TextFile;
  step: Step;
  after: string | undefined;
  changes: readonly Change[];
  /** When a file is moved here: its name and text before. */
  from?: { name: string; text: string };
  /** The other half of a move, which speaks for both. */
  hidden?: true;
}

export function draftChanges(file: TextFile, changes: readonly Change[]): Result<Draft, "edit"> {
  const { base, bytes, target, name } = file;
  if (!base) throw new Error(`${name} does not exist`);
  if (file.notebook) return draftNotebook(file, base, changes);
  const plan = compile(base, changes);
  if (!plan.ok) return fail("edit", `${name}: ${plan.message}.`);
  return ok({
    file,
    step: { do: "write", target, bytes: splice(bytes, plan.value) },
    after: spliceText(base.text, changes),
    changes,
  });
}

/** The cells are changed as text, the file where their lines stand in it. */
function draftNotebook(file: TextFile, base: Decoded, changes: readonly Change[]): Result<Draft, "edit"> {
  const after = spliceText(base.text, changes);
  const made = file.notebook?.apply(after);
  if (!made?.ok) return fail("edit", `${file.name}: ${made?.message}. Nothing was changed.`);
  const bytes = encode(made.json, base.encoding);
  if (!bytes.ok) return fail("edit", `${file.name}: ${bytes.message}.`);
  return ok({
    file,
    step: { do: "write", target: file.target, bytes: Buffer.concat([markOf(base), bytes.value]) },
    after,
    changes,
  });
}

/** The whole content, whatever stood there before. */
export function draftContent(file: TextFile, content: string): Draft {
  const change = { start: 0, end: file.base?.text.length ?? 0, text: content };
  return {
    file,
    step: { do: "write", target: file.target, bytes: Buffer.from(content) },
    after: content,
    changes: [change],
  };
}

export function draftRemoval(file: TextFile): Draft {
  return {
    file,
    step: { do: "remove", target: file.target },
    after: undefined,
    changes: [{ start: 0, end: file.base?.text.length ?? 0, text: "" }],
  };
}

/** What became of one file. */
export interface FileDone {
  path: string;
  change: FileChange;
  /** Of the new content; undefined when the file is gone. */
  tag: string | undefined;
  preview: string;
  inPlace?: InPlace;
}

/** Makes all drafted changes, or none. */
export async function commit(parts: EditParts, drafts: readonly Draft[]): Promise<Result<FileDone[], FsKind>> {
  const applying = applySteps(drafts.map((draft) => draft.step));
  for (const { file, after } of drafts)
    if (after !== undefined) parts.planned?.({ path: file.path, name: file.name, before: file.base?.text, after });
  const done = await applying;
  if (!done.ok) {
    const { at, kind, message } = done.refused;
    const file = drafts[at]?.file;
    return fail(kind, file ? message.replace(file.path, file.name) : message);
  }
  return ok(drafts.flatMap((draft, i) => (draft.hidden ? [] : [{ ...describe(parts, draft), ...done.applied[i] }])));
}

/** It is recorded with the session, and nobody reads more. */
const maxPatch = 256 * 1024;

function describe(parts: EditParts, { file, after, changes, from }: Draft): FileDone {
  const { path, name } = file;
  const before = from?.text ?? file.base?.text;
  const [old, now] = [new Lines(before ?? ""), new Lines(after ?? "")];
  const blocks = blocksOf(old, now, changes);
  const patch = unified(old, now, blocks, {
    from: before === undefined ? undefined : (from?.name ?? name),
    to: after === undefined ? undefined : name,
  });
  const via =
    file.base && !from
      ? { from: parts.snapshots.mint(path, file.base.text), shifts: shiftsOf(old, changes) }
      : undefined;
  const first = blocks[0]?.newStart;
  return {
    path,
    change: {
      path: name,
      change: after === undefined ? "deleted" : from ? "moved" : before === undefined ? "added" : "modified",
      ...(from ? { from: from.name } : {}),
      ...statOf(blocks),
      patch: patch.length > maxPatch ? "" : patch,
      ...(first === undefined ? {} : { firstChangedLine: Math.max(1, Math.min(first, now.count)) }),
    },
    tag: after === undefined ? undefined : parts.snapshots.mint(path, after, via),
    preview: preview(old, now, blocks),
  };
}
