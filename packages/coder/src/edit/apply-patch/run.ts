import { type FsKind, findAny } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import {
  commit,
  type Draft,
  draftChanges,
  draftContent,
  draftRemoval,
  type EditParts,
  type FileDone,
  openText,
  type TextFile,
} from "../file.ts";
import { type PatchHunk, parsePatch, pathsOf } from "./parse.ts";
import { type FinalNewline, planUpdate } from "./update.ts";

export interface PatchParts extends EditParts {
  /**
   * `each` makes the hunks one after the other and keeps those before a failing one, as in the original program; `all`
   * makes all or none.
   */
  apply: "each" | "all";
  finalNewline: FinalNewline;
  /** Refuses paths that may not be touched, with the reason. */
  deny?(path: string): string | undefined;
  /** After each hunk that was made. */
  progress?(done: PatchDone): void;
}

export interface PatchDone {
  files: FileDone[];
  /** As they are reported, in the order of the patch. */
  marks: { sign: "A" | "M" | "D"; path: string }[];
  notes: string[];
}

/** A patch that could not be made as a whole: what was made before, and what was left. */
export interface PatchFailure extends PatchDone {
  message: string;
  kind: "parse" | "apply";
  /** Paths of the hunks that were not tried any more. */
  skipped: string[];
}

export async function runPatch(parts: PatchParts, input: string): Promise<PatchDone | PatchFailure> {
  const done: PatchDone = { files: [], marks: [], notes: [] };
  const parsed = parsePatch(input);
  if (!parsed.ok) return { ...done, kind: "parse", message: parsed.message, skipped: [] };
  const hunks = parsed.value;
  if (hunks.length === 0) return { ...done, kind: "apply", message: "No files were modified.", skipped: [] };
  return parts.apply === "each" ? runEach(parts, hunks, done) : runAll(parts, hunks, done);
}

/** What the program prints when all went well. */
export function summary({ marks }: PatchDone): string {
  const order = ["A", "M", "D"];
  const rows = marks
    .toSorted((a, b) => order.indexOf(a.sign) - order.indexOf(b.sign))
    .map(({ sign, path }) => `${sign} ${path}`);
  return ["Success. Updated the following files:", ...rows].join("\n");
}

/** What a person or a model should know of a patch that stopped half-way. */
export function aftermath({ marks, skipped }: PatchFailure): string[] {
  const rows = marks.map(({ sign, path }) => `${sign} ${path}`);
  return [
    ...(rows.length > 0 ? ["Applied before the failure:", ...rows] : ["Nothing was applied."]),
    ...(skipped.length > 0 ? ["Not tried:", ...skipped] : []),
  ];
}

async function runEach(
  parts: PatchParts,
  hunks: readonly PatchHunk[],
  done: PatchDone,
): Promise<PatchDone | PatchFailure> {
  for (const [i, hunk] of hunks.entries()) {
    const problem = await runOne(parts, hunk, done);
    if (problem !== undefined)
      return { ...done, kind: "apply", message: problem, skipped: hunks.slice(i + 1).map((left) => left.path) };
    parts.progress?.(done);
  }
  return done;
}

async function runOne(parts: PatchParts, hunk: PatchHunk, done: PatchDone): Promise<string | undefined> {
  const planned = planHunk(parts, hunk, new Map());
  if (!planned.ok) return planned.message;
  // A move is two steps: when the second cannot be made, the first is kept, as the original does, so it is not one
  // commit.
  for (const { draft, failure } of planned.value.drafts) {
    const made = await commit(parts, [draft]);
    if (!made.ok) return failure(made.kind, made.message);
    done.files.push(...made.value);
  }
  done.marks.push(planned.value.mark);
  done.notes.push(...planned.value.notes);
  return undefined;
}

/** Plans every hunk on top of the ones before it, then makes one change per file, all or none. */
async function runAll(
  parts: PatchParts,
  hunks: readonly PatchHunk[],
  done: PatchDone,
): Promise<PatchDone | PatchFailure> {
  const overlay: Overlay = new Map();
  const nothing = (message: string): PatchFailure => ({
    files: [],
    marks: [],
    notes: [],
    kind: "apply",
    message,
    skipped: hunks.map((hunk) => hunk.path),
  });
  for (const hunk of hunks) {
    const planned = planHunk(parts, hunk, overlay);
    if (!planned.ok) return nothing(planned.message);
    for (const { draft } of planned.value.drafts)
      overlay.set(draft.file.path, { first: overlay.get(draft.file.path)?.first ?? draft.file, draft });
    done.marks.push(planned.value.mark);
    done.notes.push(...planned.value.notes);
  }
  const drafts = [...overlay.values()].flatMap(({ first, draft }) => settled(first, draft));
  const made = await commit(parts, drafts);
  if (!made.ok) return nothing(made.message);
  return { ...done, files: made.value };
}

/** Files as the hunks before left them, not yet written. */
type Overlay = Map<string, { first: TextFile; draft: Draft }>;

/** The one change that leads from the file on the disk to the last draft of it. */
function settled(first: TextFile, draft: Draft): Draft[] {
  if (draft.file === first) return [draft];
  if (draft.after === undefined) return first.target.is === "missing" ? [] : [draftRemoval(first)];
  return [{ ...draftContent(first, draft.after), step: draft.step }];
}

interface Planned {
  drafts: { draft: Draft; failure: (kind: FsKind, message: string) => string }[];
  mark: PatchDone["marks"][number];
  notes: string[];
}

function planHunk(parts: PatchParts, hunk: PatchHunk, overlay: Overlay): Result<Planned, "edit"> {
  for (const path of pathsOf([hunk])) {
    const refused = parts.deny?.(parts.resolve(path));
    if (refused !== undefined) return fail("edit", refused);
  }
  if (hunk.do === "add") return planAdd(parts, hunk, overlay);
  if (hunk.do === "delete") return planDelete(parts, hunk.path, overlay);
  return planUpdateHunk(parts, hunk, overlay);
}

function open(parts: PatchParts, path: string, overlay: Overlay): Result<TextFile, FsKind> {
  const drafted = overlay.get(parts.resolve(path));
  if (!drafted) return openText(parts, path);
  const { first, draft } = drafted;
  const bytes = draft.step.do === "write" ? Buffer.from(draft.step.bytes) : Buffer.alloc(0);
  const base =
    draft.after === undefined
      ? undefined
      : { encoding: "utf-8" as const, bom: "no bom" as const, ...draft.file.base, text: draft.after };
  return ok({ ...first, base, bytes });
}

function planAdd(
  parts: PatchParts,
  { path, content }: PatchHunk & { do: "add" },
  overlay: Overlay,
): Result<Planned, "edit"> {
  const file = open(parts, path, overlay);
  if (!file.ok) return fail("edit", unwritten(path, file.kind));
  const notes = file.value.base ? [`${path} existed and was overwritten.`] : [];
  return ok({
    drafts: [{ draft: draftContent(file.value, content), failure: (kind) => unwritten(path, kind) }],
    mark: { sign: "A", path },
    notes,
  });
}

function planDelete(parts: PatchParts, path: string, overlay: Overlay): Result<Planned, "edit"> {
  const file = open(parts, path, overlay);
  const undeleted = (kind: FsKind) =>
    `Failed to delete file ${path}: ${kind === "directory" ? "path is a directory" : ioText(kind)}`;
  const gone = file.ok ? file.value : withoutText(parts.resolve(path), path);
  if (!gone) return fail("edit", undeleted(file.ok ? "missing" : file.kind));
  if (file.ok && !gone.base) return fail("edit", undeleted("missing"));
  return ok({ drafts: [{ draft: draftRemoval(gone), failure: undeleted }], mark: { sign: "D", path }, notes: [] });
}

/** What is no text, or too large to be read, can still be deleted, but not shown. */
function withoutText(path: string, name: string): TextFile | undefined {
  const found = findAny(path);
  if (!found.ok || found.value.is === "missing") return undefined;
  const target = found.value;
  return { path, name, target, base: undefined, bytes: target.is === "file" ? target.bytes : Buffer.alloc(0) };
}

function planUpdateHunk(
  parts: PatchParts,
  { path, moveTo, chunks }: PatchHunk & { do: "update" },
  overlay: Overlay,
): Result<Planned, "edit"> {
  const opened = open(parts, path, overlay);
  if (!opened.ok)
    return fail(
      "edit",
      `Failed to read file to update ${path}: ${opened.kind === "denied" || opened.kind === "binary" ? opened.message : ioText(opened.kind)}`,
    );
  const file = opened.value;
  if (!file.base) return fail("edit", `Failed to read file to update ${path}: ${ioText("missing")}`);
  const planned = planUpdate(path, file.base.text, chunks, parts.finalNewline);
  if (!planned.ok) return planned;
  const draft = draftChanges(file, planned.value.changes);
  if (!draft.ok) return draft;
  const mark = { sign: "M", path } as const;
  const notes = planned.value.warnings;
  if (moveTo === undefined || parts.resolve(moveTo) === file.path)
    return ok({ drafts: [{ draft: draft.value, failure: (kind) => unwritten(path, kind) }], mark, notes });
  const there = open(parts, moveTo, overlay);
  if (!there.ok) return fail("edit", unwritten(moveTo, there.kind));
  if (there.value.base) notes.push(`${moveTo} existed and was overwritten.`);
  return ok({ drafts: moved(draft.value, there.value, { path, moveTo }), mark, notes });
}

/** The new content under the new name in the old form of bytes, then the old name goes. */
function moved(
  { file, step, after, changes }: Draft,
  there: TextFile,
  { path, moveTo }: { path: string; moveTo: string },
): Planned["drafts"] {
  const bytes = step.do === "write" ? step.bytes : new Uint8Array();
  const mode = file.target.is === "file" ? { mode: Number(file.target.stat.mode & 0o777n) } : {};
  const here: Draft = {
    file: there,
    step: { do: "write", target: there.target, bytes, ...mode },
    after,
    changes,
    from: { name: file.name, text: file.base?.text ?? "" },
  };
  return [
    { draft: here, failure: (kind) => unwritten(moveTo, kind) },
    {
      draft: { ...draftRemoval(file), hidden: true },
      failure: (kind) => `Failed to remove original ${path}: ${ioText(kind)}`,
    },
  ];
}

function unwritten(path: string, kind: FsKind): string {
  return kind === "not-directory"
    ? `Failed to create parent directories for ${path}: ${ioText(kind)}`
    : `Failed to write file ${path}: ${ioText(kind)}`;
}

/** As the original names them, with the number of the system's error. */
const ioTexts: Partial<Record<FsKind, string>> = {
  missing: "No such file or directory (os error 2)",
  denied: "Permission denied (os error 13)",
  directory: "Is a directory (os error 21)",
  "not-directory": "Not a directory (os error 20)",
  special: "Not a regular file",
  full: "No space left on device (os error 28)",
  changed: "The file was changed by something else in the meantime",
  large: "File too large (os error 27)",
};

const ioText = (kind: FsKind): string => ioTexts[kind] ?? "Input/output error (os error 5)";
