import { type Outcome, refusal } from "@pith/agent";
import {
  type FsKind,
  isPicture,
  type LineRange,
  languageOf,
  notebookOutputs,
  notebookText,
  pictureType,
} from "@pith/host";
import { fail, ok, plural, type Result } from "@pith/kit";
import { plainEnds } from "../../../edit/text/line.ts";
import { type Decoded, isByteWise } from "../../../snapshot/decode.ts";
import { maxTagged } from "../../../snapshot/snapshot.ts";
import { cutHead } from "../../../tools/cut.ts";
import type { Selector } from "../../../tools/selector.ts";
import { showConflicts } from "./conflict.ts";
import { showPicture } from "./document.ts";
import type { ReadOptions } from "./options.ts";
import { maxLines, type PageInfo, showStream, showText } from "./page.ts";
import { showSummary } from "./summary.ts";
import type { FileTarget } from "./target.ts";

/** Larger than for other files: most of a notebook are its outputs, which are not shown. */
const maxNotebook = 64 * 1024 * 1024;
const maxWide = 64 * 1024 * 1024;
/** A file of no more bytes comes whole: a summary would cost a second request. */
const smallFile = 6 * 1024;

/** Shows a plain file: text in any encoding, the cells of a notebook, or a picture. */
export async function showFile(options: ReadOptions, target: FileTarget, signal: AbortSignal): Promise<Outcome> {
  const outcome = await readFile(options, target, signal);
  if (outcome.ok) return outcome.value;
  const message = outcome.message.replace(target.at.real, () => target.name);
  return refusal(outcome.kind === "binary" ? `${message}. Look at it with a program that knows its format.` : message);
}

async function readFile(
  options: ReadOptions,
  target: FileTarget,
  signal: AbortSignal,
): Promise<Result<Outcome, FsKind>> {
  const { files } = options;
  const { real } = target.at;
  const whole = files.read(real, isNotebook(target) ? maxNotebook : maxTagged);
  if (whole.ok) return showBytes(options, target, whole.value.bytes, signal);
  if (whole.kind !== "large") return whole;
  if (isPicture(real)) return ok(await showPicture(options, target, signal));
  const streamed = await readLarge(options, target, signal);
  // A file that cannot be read in pieces may be text all the same: UTF-16.
  const wide = streamed.ok || streamed.kind !== "binary" ? undefined : files.read(real, maxWide);
  return wide?.ok ? showBytes(options, target, wide.value.bytes, signal) : streamed;
}

const isNotebook = ({ at }: FileTarget): boolean => at.real.endsWith(".ipynb");

async function showBytes(
  options: ReadOptions,
  target: FileTarget,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Result<Outcome, FsKind>> {
  const { at, name, selector } = target;
  const { path } = at;
  const { snapshots, display } = options;
  const room = options.room();
  if (pictureType(bytes)) return ok(await showPicture(options, target, signal));
  const decoded = textOf(snapshots.decode(path, bytes));
  if (!decoded.ok) return fail("binary", `${at.real}: is not a text file`);
  const { text } = decoded.value;
  const hasEnd = languageOf(path, text) === undefined;
  const info: PageInfo = { name, source: { path }, display, notes: encodingNotes(decoded.value), hasEnd };
  const raw = selector.show === "raw";
  const tagged = (text: string): Pick<PageInfo, "tag" | "onShown"> => {
    if (display !== "hashline" || raw) return {};
    const tag = snapshots.mint(path, text, { seen: [] });
    return { tag, onShown: (lines) => snapshots.show(path, tag, lines) };
  };
  if (selector.show === "conflicts") return ok(showConflicts(options.urls.conflicts, target, text, room.bytes));
  const cells = isNotebook(target) && !raw ? notebookText(text) : undefined;
  if (cells?.ok) {
    const page = showText(cells.value, selector, room, { ...info, hasEnd: false, ...tagged(cells.value) });
    return ok(selector.ranges.length > 0 ? page : withOutputs(page, text, room.bytes));
  }
  const notes = [...(info.notes ?? []), ...(raw ? [] : conflictNotes(name, text))];
  const whole: PageInfo = { ...info, ...tagged(text), notes };
  const summary =
    options.summarize === "on" && bytes.length > smallFile && wantsMuch(selector) && notes.length === 0
      ? await showSummary(path, plainEnds(text), room, whole, selector.ranges[0] as LineRange | undefined)
      : undefined;
  if (signal.aborted) return fail("aborted", `${name}: reading was stopped`);
  return ok(summary ?? showText(raw ? text : plainEnds(text), selector, room, whole, bytes.length));
}

/** A page of a notebook with what its cells have put out below it, which is no part of the text. */
function withOutputs(page: Outcome<"page">, json: string, bytes: number): Outcome<"page"> {
  const outputs = notebookOutputs(json).map(
    ({ cell, text, failed }) => `cell:${cell}${failed ? " failed" : ""}\n${text}`,
  );
  if (outputs.length === 0) return page;
  const { text, truncation } = cutHead(outputs.join("\n"), Math.floor(bytes / 4));
  const more = truncation ? "\n…" : "";
  return {
    ...page,
    text: `${page.text}\n\n<outputs of the cells, errors first; not part of the text>\n${text}${more}`,
  };
}

/** True for a selector of all lines, or of a stretch that is longer than any page. */
const wantsMuch = ({ ranges: [range, other], last, show }: Selector): boolean =>
  show === "numbered" &&
  last === undefined &&
  (!range || (!other && range.to !== undefined && range.to - range.from >= maxLines));

/** Refuses a text full of control characters: bytes that no encoding forbids may still be anything. */
function textOf(decoded: Result<Decoded, "binary">): Result<Decoded, "binary"> {
  if (!decoded.ok || !(decoded.value.bad || isByteWise(decoded.value.encoding))) return decoded;
  const head = decoded.value.text.slice(0, 8192);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
  const odd = head.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g)?.length ?? 0;
  return odd * 20 > head.length ? fail("binary", "is binary") : decoded;
}

function encodingNotes({ encoding, text, bad }: Decoded): string[] {
  if (encoding !== "utf-8") return [`${encodingNames[encoding]}; it is kept so when it is changed`];
  const [first] = bad ?? [];
  if (!bad || first === undefined) return [];
  const are = `${plural(bad.length, "byte")} of it ${bad.length === 1 ? "is" : "are"}`;
  return [`${are} no UTF-8, shown like ${text.slice(first, first + 4)} and kept`];
}

const encodingNames = {
  "utf-16le": "The file is UTF-16, not UTF-8",
  "utf-16be": "The file is UTF-16 (big-endian), not UTF-8",
  latin1: "The file is not UTF-8 and is read as Latin-1",
  "windows-1252": "The file is not UTF-8 and is read as Windows-1252",
};

const conflictNotes = (name: string, text: string): string[] =>
  /^<{7} /m.test(text) && /^>{7} /m.test(text) ? [`It has unresolved merge conflicts: read ${name}:conflicts`] : [];

async function readLarge(
  { files, display, room }: ReadOptions,
  { at, name, selector }: FileTarget,
  signal: AbortSignal,
): Promise<Result<Outcome, FsKind>> {
  if (selector.show === "conflicts") return fail("large", `${name}: is too large to be searched for conflicts`);
  // A tag would have to be made of all of it.
  const notes =
    display === "hashline" ? ["Too large for a tag: edit it with `path` and `edits` of `oldText` and `newText`"] : [];
  const hasEnd = languageOf(at.path, "") === undefined;
  const info: PageInfo = { name, source: { path: at.path }, display, notes, hasEnd };
  return showStream((request) => files.page(at.real, request), selector, room(), info, signal);
}
