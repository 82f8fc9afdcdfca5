import { languageOf } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import { type Editing, openAny } from "../../../edit/draft/file.ts";
import { Lines } from "../../../edit/text/line.ts";
import { readTagHeader } from "../../../snapshot/header.ts";
import { looksLikeUrl } from "../../../url/url.ts";
import { withoutNumbers } from "../numbers.ts";

/** A text that was shown, and whether it is of the file that is written. */
interface ShownText {
  text: string;
  own: boolean;
}

/** Texts that the model has been shown. */
interface ShownTexts {
  /** The text below a header; `gone` when it was not kept, undefined when nobody was shown it. */
  below(header: { path: string; tag?: string }): ShownText | "gone" | undefined;
  /** All texts that are still known. */
  texts(): Iterable<ShownText>;
}

/** The texts that a paste can be told by: those that were shown, also in another process, of files as they stand. */
export function shownTexts(editing: Editing, name: string | undefined): ShownTexts {
  const { snapshots, resolve } = editing;
  const target = name === undefined ? undefined : resolve(name);
  const standing = (path: string) => {
    const opened = openAny(editing, path);
    return opened.ok ? opened.value.base?.text : undefined;
  };
  return {
    below({ path: written, tag }) {
      const path = resolve(written);
      const own = path === target;
      const kept = tag === undefined ? undefined : snapshots.find(path, tag);
      if (kept !== undefined) return kept === "gone" ? kept : { text: kept.text, own };
      const text = standing(path);
      const same = text !== undefined && (tag === undefined || snapshots.matches(path, tag, text));
      return same ? { text, own } : undefined;
    },
    *texts() {
      const text = target === undefined ? undefined : standing(target);
      if (text !== undefined) yield { text, own: true };
      for (const text of snapshots.texts(target)) yield { text, own: false };
    },
  };
}

export interface Unpasted {
  content: string;
  stripped: boolean;
}

/**
 * Takes away the headers `[path#TAG]`, numbers `12:` and notices that a read prints around the lines of a file, where a
 * model has pasted them back. Only around lines that were shown: anything else that looks like it is content. A paste
 * comes out whole or is refused: with lines left out it would lose them, and numbers that cannot be told from the text
 * would stay.
 */
export function withoutPasted(content: string, known: ShownTexts): Result<Unpasted, "paste"> {
  const rows = content.split("\n");
  const parts = partsOf(rows, known);
  const read = parts.map((part) => readPart(part, known));
  // A content that begins otherwise only quotes what was shown.
  const [first] = read;
  const quotes = parts[0]?.tagged !== true && first?.plain === undefined && first?.wrong === undefined;
  if (quotes) return ok({ content, stripped: false });
  for (const part of read) if (part.wrong !== undefined) return fail("paste", part.wrong);
  if (read.some(({ plain }) => plain !== undefined))
    return ok({ content: parts.flatMap(({ rows }, i) => read[i]?.plain ?? rows).join("\n"), stripped: true });
  // A header alone is taken only from the top, where a read has it; elsewhere it may be meant.
  return ok({ content: rows.slice(1).join("\n"), stripped: true });
}

/**
 * Code without numbers of lines, where every row begins with its own: in the place of a file that has none, or as a new
 * one of several lines. Other texts may be like that.
 */
export function withoutOwnNumbers(editing: Editing, name: string, content: string): Unpasted {
  const rows = content.replace(/\n$/, "").split("\n");
  const path = editing.resolve(name);
  const opened = looksLikeUrl(name) ? undefined : openAny(editing, path);
  const there = opened?.ok ? opened.value.base?.text : undefined;
  const language = languageOf(path, content);
  const mayBe = language !== undefined && language !== "markdown" && (there !== undefined || rows.length > 1);
  const isNumbered = rows.every((row, i) => new RegExp(`^${i + 1}[:|]`).test(row));
  const lines = new Lines(there ?? "");
  const plain = mayBe && isNumbered ? withoutNumbers(rows, 1, (n) => lines.at(n)) : undefined;
  return plain
    ? { content: plain.join("\n") + (content.endsWith("\n") ? "\n" : ""), stripped: true }
    : { content, stripped: false };
}

/** Rows below a header that was given out, or rows without one. */
interface Part {
  shown: ShownText | "gone" | undefined;
  /** True for a header that says which content was shown, so that it is no heading of something else. */
  tagged: boolean;
  rows: string[];
}

function partsOf(rows: readonly string[], known: ShownTexts): Part[] {
  const parts: Part[] = [];
  for (const [i, row] of rows.entries()) {
    const header = readTagHeader(row) ?? bareHeader(row, rows[i + 1]);
    const shown = header && known.below(header);
    const open = parts.at(-1);
    if (shown !== undefined) parts.push({ shown, tagged: header !== undefined && "tag" in header, rows: [] });
    else if (open) open.rows.push(row);
    else parts.push({ shown: undefined, tagged: false, rows: [row] });
  }
  return parts;
}

/** A header without a tag looks like many things; above a number it is one. */
function bareHeader(row: string, next: string | undefined): { path: string } | undefined {
  const path = /^\[([^\]]+)\]$/.exec(row)?.[1];
  return path !== undefined && numberOf(next ?? "") ? { path } : undefined;
}

interface Numbered {
  from: number;
  /** Beyond `from` where one row stands for several lines. */
  to: number;
  text: string;
}

interface ReadPart {
  /** Its rows without their numbers, where it is a paste. */
  plain?: string[];
  /** The reason why a paste cannot be taken. */
  wrong?: string;
}

function readPart({ shown, rows: all, tagged }: Part, known: ShownTexts): ReadPart {
  const rows = withoutNotices(all);
  const numbered = rows.map(numberOf);
  const some = numbered.filter((row) => row !== undefined);
  const texts = Iterator.from(shown === undefined ? known.texts() : shown === "gone" ? [] : [shown]);
  // Without a header it takes two rows to tell a paste from a time of day.
  const least = shown === undefined ? 2 : 1;
  const most = shown !== undefined || some.length * 2 >= rows.filter((row) => row.trim() !== "").length;
  const source = some.length < least || !most ? undefined : texts.find(({ text }) => stands(text, some, least));
  if (!source && (shown !== "gone" || some.length === 0))
    return tagged && rows.every((row) => row === "") ? { plain: rows } : {};
  const back = some.find(({ from }, i) => i > 0 && from < (some[i - 1]?.from ?? 0));
  if (back) return { wrong: unclearText(back.from) };
  const leftOut = gapOf(rows, numbered, all) ?? (source && cutOf(source, some));
  if (leftOut !== undefined) return { wrong: leftOutText(leftOut) };
  return { plain: rows.map((row, i) => numbered[i]?.text ?? row) };
}

/** The rows without the notices below the lines of a read, after a blank row. */
function withoutNotices(rows: readonly string[]): string[] {
  const last = rows.findLastIndex((row) => row.trim() !== "");
  let from = last;
  while (/^\[.+\]$/.test(rows[from] ?? "")) from--;
  return from < last && rows[from] === "" ? [...rows.slice(0, from), ""] : [...rows];
}

/** Lines that a read did not show, or that were not copied, between two rows or below the last. */
function gapOf(
  rows: readonly string[],
  numbered: readonly (Numbered | undefined)[],
  all: readonly string[],
): string | undefined {
  let last: Numbered | undefined;
  for (const [i, row] of numbered.entries()) {
    if (!row) continue;
    if (row.to > row.from) return `${row.from}-${row.to}`;
    if (last && row.from > last.from + 1) return rangeText(last.from + 1, row.from - 1);
    if (last && rows[i - 1] === "..." && row.from > last.from) return rangeText(last.from + 1, row.from);
    last = row;
  }
  const [, to, total] =
    /^\[.*\bShowing lines \d+-(\d+) of (?:more than )?(\d+)/m.exec(all.slice(rows.length - 1).join("\n")) ?? [];
  return to === undefined ? undefined : rangeText(Number(to) + 1, Number(total));
}

/** Lines of the file itself that a paste of it does not have: those before it, behind it, or the end of a long one. */
function cutOf({ text, own }: ShownText, rows: readonly Numbered[]): string | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!own || !first || !last) return undefined;
  const lines = new Lines(text);
  const long = rows.find(({ from, text }) => text.length >= minLong && isHead(text, lines.at(from)));
  if (long) return `${long.from}`;
  if (first.from > 1 && first.text !== lines.at(1)) return rangeText(1, first.from - 1);
  const ends = last.from >= lines.count || last.text === lines.at(lines.count);
  return ends ? undefined : rangeText(last.from + 1, lines.count);
}

/** A line that is shown in part is shown up to here at least. */
const minLong = 512;
const isHead = (head: string, line: string): boolean => line.length > head.length && line.startsWith(head);
const rangeText = (from: number, to: number): string => (from >= to ? `${from}` : `${from}-${to}`);

function numberOf(row: string): Numbered | undefined {
  const [, from, to = from, text] = /^[ *]?(\d+)(?:-(\d+))?[:|](.*)$/s.exec(row) ?? [];
  return text === undefined ? undefined : { from: Number(from), to: Number(to), text };
}

/**
 * True for rows of which most stand in a text, since some may have been changed. Rows that were numbered anew count
 * wherever their lines stand.
 */
function stands(text: string, rows: readonly Numbered[], least: number): boolean {
  const lines = new Lines(text);
  const there = rows.filter(({ from, to, text }) => {
    const line = lines.at(from);
    return to > from
      ? to <= lines.count && (text === "..." || (text.includes("..") && text.startsWith(line.trimEnd())))
      : from <= lines.count && line === text.replace(/\r$/, "");
  });
  if (there.length >= least && there.length * 2 >= rows.length) return true;
  if (rows.length < 3 || rows.some(({ from }, i) => i > 0 && from !== (rows[i - 1]?.from ?? 0) + 1)) return false;
  const all = new Set(lines.all());
  const filled = rows.filter(({ text }) => text.trim() !== "");
  const anywhere = filled.filter(({ text }) => all.has(text.replace(/\r$/, "")));
  return anywhere.length * 2 >= filled.length && anywhere.length >= least;
}

const leftOutText = (lines: string): string =>
  `The content is what read showed, and lines ${lines} were left out there: they would be lost. ` +
  "Read them first, or change only what shall change with edit. Nothing was written.";

const unclearText = (line: number): string =>
  `The content is what read showed, with its line numbers, and ${line} comes out of order there, so that the numbers ` +
  "cannot be told from the text. Give the content without them. Nothing was written.";
