import { join } from "node:path";
import { type Outcome, refusal } from "@pith/agent";
import { documentEnding, type FsKind, isPicture, nearPath, notebookText, pictureType, readWhole } from "@pith/host";
import { type Fail, fail, ok, type Result, showPath } from "@pith/kit";
import { type Place, trouble } from "../../files/path.ts";
import { type Decoded, decode, isByteWise } from "../../snapshot/decode.ts";
import type { Selector } from "../selector.ts";
import { showConflicts } from "./conflict.ts";
import { showDirectory } from "./directory.ts";
import { showDocument, showPicture } from "./document.ts";
import { findBySuffix, resolvedNote } from "./missing.ts";
import { type Shown, showStream, showText } from "./page.ts";
import type { ReadParts } from "./parts.ts";
import { showSummary } from "./summary.ts";
import type { FileTarget } from "./target.ts";

/** A larger file is read in pieces and has no tag: keeping it would cost more than an edit of it is worth. */
const maxWhole = 4 * 1024 * 1024;
/** Most of a notebook are its outputs, which are not shown. */
const maxNotebook = 64 * 1024 * 1024;
const maxWide = 64 * 1024 * 1024;

/** A file or directory; one that is missing is looked for by the end of its path. */
export async function readFile(parts: ReadParts, target: FileTarget, signal: AbortSignal): Promise<Outcome> {
  const got = await readPath(parts, target, signal);
  if (got.ok) return got.value;
  if (got.kind !== "missing") return refusal(failure(parts, target.path, got));
  const path = await findBySuffix(parts, target, signal);
  if (signal.aborted) return refusal(`${target.given}: reading was stopped`);
  const found = path === undefined ? got : await readPath(parts, { ...target, path }, signal);
  if (!found.ok || path === undefined) return refusal(failure(parts, target.path, got));
  const resolved = showPath(parts.cwd, path);
  const { value } = found;
  return {
    ...value,
    ...(value.kind === "page" && { data: { ...value.data, suffixResolution: { from: target.given, to: resolved } } }),
    text: `${resolvedNote(parts, target.given, path)}\n${value.text}`,
  } as Outcome;
}

async function readPath(parts: ReadParts, target: FileTarget, signal: AbortSignal): Promise<Result<Outcome, FsKind>> {
  const { path } = target;
  if (documentEnding.test(path) && target.show !== "raw") {
    const shown = await showDocument(parts, target, signal);
    if (shown) return ok(shown);
  }
  const whole = readWhole(path, path.endsWith(".ipynb") ? maxNotebook : maxWhole);
  if (whole.ok) return readBytes(parts, target, whole.value.bytes, signal);
  if (whole.kind === "directory") return ok(await showDirectory(parts, target, signal));
  if (whole.kind !== "large") return whole;
  if (isPicture(path)) return ok(await showPicture(parts, path, signal));
  const streamed = await readLarge(parts, target, signal);
  // What cannot be read in pieces may be text all the same: UTF-16.
  const wide = streamed.ok || streamed.kind !== "binary" ? undefined : readWhole(path, maxWide);
  return wide?.ok ? readBytes(parts, target, wide.value.bytes, signal) : streamed;
}

async function readBytes(
  parts: ReadParts,
  target: FileTarget,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Result<Outcome, FsKind>> {
  const { path } = target;
  if (pictureType(bytes)) return ok(await showPicture(parts, path, signal));
  const decoded = textOf(bytes);
  if (!decoded.ok) return fail("binary", `${path}: is not a text file`);
  const { text } = decoded.value;
  const name = showPath(parts.cwd, path);
  const shown: Shown = { name, source: { path }, display: parts.display, notes: encodingNotes(decoded.value) };
  if (target.show === "conflicts") return ok(showConflicts(parts, path, text));
  const cells = path.endsWith(".ipynb") && target.show !== "raw" ? notebookText(text) : undefined;
  if (cells?.ok) {
    const tag = parts.display === "hashline" ? parts.snapshots.mint(path, cells.value) : undefined;
    return ok(showText(cells.value, target, parts.defaultLimit, { ...shown, tag }));
  }
  const tag = parts.display === "hashline" && target.show !== "raw" ? parts.snapshots.mint(path, text) : undefined;
  const notes = [...(shown.notes ?? []), ...(target.show === "raw" ? [] : conflictNotes(name, text))];
  const summary =
    parts.summarize === "on" && wantsAll(target) && notes.length === 0
      ? await showSummary(path, text, { ...shown, tag })
      : undefined;
  if (signal.aborted) return fail("aborted", `${path}: reading was stopped`);
  if (summary) return ok(summary);
  return ok(showText(text, target, parts.defaultLimit, { ...shown, tag, notes }, bytes.length));
}

const wantsAll = ({ ranges, show }: Selector): boolean => ranges.length === 0 && show === "numbered";

/** Bytes that no encoding forbids may still be anything: what is full of control characters is no text. */
function textOf(bytes: Buffer): Result<Decoded, "binary"> {
  const decoded = decode(bytes);
  if (!decoded.ok || !isByteWise(decoded.value.encoding)) return decoded;
  const head = decoded.value.text.slice(0, 8192);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
  const odd = head.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g)?.length ?? 0;
  return odd * 20 > head.length ? fail("binary", "is binary") : decoded;
}

const encodingNotes = ({ encoding }: Decoded): string[] =>
  encoding === "utf-8" ? [] : [`${encodingNames[encoding]}; it is kept so when it is changed`];
const encodingNames = {
  "utf-16le": "The file is UTF-16, not UTF-8",
  "utf-16be": "The file is UTF-16 (big-endian), not UTF-8",
  latin1: "The file is not UTF-8 and is read as Latin-1",
  "windows-1252": "The file is not UTF-8 and is read as Windows-1252",
};

const conflictNotes = (name: string, text: string): string[] =>
  /^<{7} /m.test(text) && /^>{7} /m.test(text) ? [`It has unresolved merge conflicts: read ${name}:conflicts`] : [];

async function readLarge(parts: ReadParts, target: FileTarget, signal: AbortSignal): Promise<Result<Outcome, FsKind>> {
  const { path } = target;
  if (target.show === "conflicts") return fail("large", `${path}: is too large to be searched for conflicts`);
  return showStream(
    path,
    target,
    parts.defaultLimit,
    { name: showPath(parts.cwd, path), source: { path }, display: parts.display },
    signal,
  );
}

function failure(place: Place, path: string, problem: Fail<FsKind>): string {
  const said = trouble(place, path, problem);
  if (problem.kind === "binary") return `${said}. Look at it with a program that knows its format.`;
  if (problem.kind !== "missing") return said;
  const { parent, missing, names } = nearPath(path);
  const where = join(parent, missing) === path ? "" : ` There is no ${showPath(place.cwd, join(parent, missing))}.`;
  return `${said}.${where}${names.length > 0 ? ` Did you mean ${names.map((name) => showPath(place.cwd, join(parent, name))).join(" or ")}?` : ""}`;
}
