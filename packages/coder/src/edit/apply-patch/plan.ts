import type { FsKind } from "@pith/host";
import { fail, ok, type Result, realPath } from "@pith/kit";
import { type Decoded, decodeMixed } from "../../snapshot/decode.ts";
import {
  type Draft,
  draftChanges,
  draftContent,
  draftRemoval,
  type Editing,
  openAny,
  openText,
  type TextFile,
} from "../draft/file.ts";
import { type PatchHunk, parsePatch } from "./parse.ts";
import { type FinalNewline, planUpdate } from "./update.ts";

export interface PatchEditing extends Editing {
  /**
   * `each` makes the hunks one after the other and keeps those before a failing one, as in the original program; `all`
   * makes all or none.
   */
  apply: "each" | "all";
  finalNewline: FinalNewline;
  /** Gives the reason for a path that may not be touched. */
  deny?(path: string): string | undefined;
}

/** The line of the summary about a hunk. */
export interface Mark {
  sign: "A" | "M" | "D";
  path: string;
}

export interface PlannedHunk {
  /**
   * A move is two: when the second cannot be made, the first is kept, as the original does. `failure` says why one
   * could not be made.
   */
  drafts: { draft: Draft; failure: (kind: FsKind) => string }[];
  mark: Mark;
  notes: string[];
}

export interface PatchPlan {
  /** The paths of all hunks of the patch, as they are written there. */
  paths: string[];
  /** In the order of the patch, each on top of the ones before it. */
  hunks: PlannedHunk[];
  /** The same as a change for each file. */
  settled: Draft[];
  stop?: Stop;
}

/** The reason why the hunks end before the patch does, and the paths of those that were not tried any more. */
export interface Stop {
  kind: "parse" | "apply";
  message: string;
  skipped: string[];
}

/** Plans every hunk on top of the ones before it, up to the first that cannot be made; of `all`, all or none. */
export function planHunks(editing: PatchEditing, input: string): PatchPlan {
  const paths: string[] = [];
  const nothing = (stop: Stop): PatchPlan => ({ paths, hunks: [], settled: [], stop });
  const parsed = parsePatch(input);
  if (!parsed.ok) return nothing({ kind: "parse", message: parsed.message, skipped: [] });
  const wanted = parsed.value;
  if (wanted.length === 0) return nothing({ kind: "apply", message: "The patch changes nothing.", skipped: [] });
  paths.push(...wanted.map(({ path }) => path));
  const overlay: Overlay = new Map();
  const hunks: PlannedHunk[] = [];
  let stop: Stop | undefined;
  for (const [i, hunk] of wanted.entries()) {
    const planned = planHunk(editing, hunk, overlay);
    if (!planned.ok) {
      const skipped = editing.apply === "all" ? paths : paths.slice(i + 1);
      stop = { kind: "apply", message: planned.message, skipped };
      break;
    }
    hunks.push(planned.value);
    for (const { draft } of planned.value.drafts) {
      const { real } = draft.file.target;
      overlay.set(real, { first: overlay.get(real)?.first ?? draft.file, draft });
    }
  }
  if (stop && editing.apply === "all") return nothing(stop);
  const settled = [...overlay.values()].flatMap(({ first, draft }) => settle(first, draft));
  return { paths, hunks, settled, stop };
}

/** Files by their real paths, as the hunks before left them, not yet written. */
type Overlay = Map<string, { first: TextFile; draft: Draft }>;

/** The one change that leads from the file on the disk to the last draft of it. */
function settle(first: TextFile, draft: Draft): Draft[] {
  if (draft.file === first) return [draft];
  if (draft.after === undefined) return first.target.is === "missing" ? [] : [draftRemoval(first)];
  return [{ ...draftContent(first, draft.after), step: draft.step }];
}

function planHunk(editing: PatchEditing, hunk: PatchHunk, overlay: Overlay): Result<PlannedHunk, "edit"> {
  const path = editing.resolve(hunk.path);
  const moveTo = hunk.do === "update" && hunk.moveTo !== undefined ? editing.resolve(hunk.moveTo) : undefined;
  const refused = editing.deny?.(path) ?? (moveTo === undefined ? undefined : editing.deny?.(moveTo));
  if (refused !== undefined) return fail("edit", refused);
  const open = (at: string) => openOver(editing, at, overlay);
  if (hunk.do === "add") return planAdd(hunk, open(path));
  if (hunk.do === "delete") return planDelete(editing, hunk.path, path, open(path));
  const target = moveTo === undefined || moveTo === path ? undefined : open(moveTo);
  return planChange(editing, hunk, open(path), target);
}

type Opened = Result<TextFile, FsKind>;

function openOver(editing: PatchEditing, path: string, overlay: Overlay): Opened {
  const drafted = overlay.get(realPath(path));
  if (!drafted) return openText(editing, path);
  const { first, draft } = drafted;
  const bytes = draft.step.do === "write" ? draft.step.bytes : new Uint8Array();
  const form: Omit<Decoded, "text"> = draft.file.base ?? { encoding: "utf-8", bom: "no bom" };
  const mixed = form.bad && decodeMixed(bytes, form.bom);
  const base = draft.after === undefined ? undefined : { ...form, text: draft.after, ...mixed, bytes };
  return ok({ path, name: editing.files.show(path), target: first.target, base, made: draft });
}

function planAdd({ path, content }: PatchHunk & { do: "add" }, file: Opened): Result<PlannedHunk, "edit"> {
  if (!file.ok) return fail("edit", unwritten(path, file.kind));
  const notes = file.value.base ? [`${path} existed and was overwritten.`] : [];
  const failure = (kind: FsKind) => unwritten(path, kind);
  return ok({ drafts: [{ draft: draftContent(file.value, content), failure }], mark: { sign: "A", path }, notes });
}

function planDelete(editing: PatchEditing, name: string, path: string, file: Opened): Result<PlannedHunk, "edit"> {
  const failure = (kind: FsKind) => `${name} cannot be deleted: ${ioText(kind)}`;
  if (file.ok && !file.value.base) return fail("edit", failure("missing"));
  // A file that is no text, or too large to be read, can still be deleted, but not shown.
  const gone = file.ok ? file : openAny(editing, path);
  if (!gone.ok) return fail("edit", failure(gone.kind));
  return ok({ drafts: [{ draft: draftRemoval(gone.value), failure }], mark: { sign: "D", path: name }, notes: [] });
}

function planChange(
  { files, finalNewline }: PatchEditing,
  { path, moveTo = path, chunks }: PatchHunk & { do: "update" },
  opened: Opened,
  there: Opened | undefined,
): Result<PlannedHunk, "edit"> {
  const unreadable = (why: string) => fail("edit", `${path} cannot be updated: ${why}`);
  if (!opened.ok)
    return unreadable(opened.kind === "denied" || opened.kind === "binary" ? opened.message : ioText(opened.kind));
  const file = opened.value;
  if (!file.base) return unreadable(ioText("missing"));
  const held = file.base.text;
  const whole = (said: string) => files.restore(held, said);
  const meant = chunks.map((chunk) => ({
    ...chunk,
    contexts: chunk.contexts.map(whole),
    rows: chunk.rows.map((row) => ({ ...row, text: whole(row.text) })),
  }));
  const planned = planUpdate(path, held, meant, finalNewline);
  if (!planned.ok) return planned;
  const draft = draftChanges(file, planned.value.changes);
  if (!draft.ok) return draft;
  const mark: Mark = { sign: "M", path };
  const notes = planned.value.warnings;
  if (!there) return ok({ drafts: [{ draft: draft.value, failure: (kind) => unwritten(path, kind) }], mark, notes });
  if (!there.ok) return fail("edit", unwritten(moveTo, there.kind));
  if (there.value.base) notes.push(`${moveTo} existed and was overwritten.`);
  return ok({ drafts: moved(draft.value, there.value, { path, moveTo }), mark, notes });
}

/** The new content under the new name in the old form of bytes, then the old name goes. */
function moved(
  { file, step, after, changes }: Draft,
  there: TextFile,
  { path, moveTo }: { path: string; moveTo: string },
): PlannedHunk["drafts"] {
  const bytes = step.do === "write" ? step.bytes : new Uint8Array();
  const mode = file.target.is === "missing" ? {} : { mode: Number(file.target.stat.mode & 0o777n) };
  const write = { do: "write" as const, target: there.target, bytes, ...mode };
  return [
    { draft: { file: there, step: write, after, changes, from: file }, failure: (kind) => unwritten(moveTo, kind) },
    {
      draft: { ...draftRemoval(file), movedTo: there.path },
      failure: (kind) => `${path} stands under its new name, but cannot be removed: ${ioText(kind)}`,
    },
  ];
}

function unwritten(path: string, kind: FsKind): string {
  const what = kind === "not-directory" ? `The directories of ${path} cannot be made` : `${path} cannot be written`;
  return `${what}: ${ioText(kind)}`;
}

const ioText = (kind: FsKind): string => ioTexts[kind] ?? "the disk does not answer";
const ioTexts: Partial<Record<FsKind, string>> = {
  missing: "there is no such file",
  denied: "there is no permission",
  directory: "it is a directory",
  "not-directory": "a part of its path is no directory",
  special: "it is no regular file",
  full: "the disk is full",
  changed: "something else has changed it in the meantime",
  large: "it is too large",
};
