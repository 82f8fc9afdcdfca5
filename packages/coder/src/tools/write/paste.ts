import { fail, ok, type Result } from "@pith/kit";
import { type Editing, openAny } from "../../edit/file.ts";
import { Lines } from "../../edit/line.ts";
import { readTagHeader, type TagHeader } from "../../snapshot/header.ts";

/** What the model has been shown. */
export interface Known {
  /** The text below a header; `gone` when it was not kept, undefined when nobody was shown it. */
  below(header: TagHeader): string | "gone" | undefined;
  /** All texts that are still known. */
  texts(): Iterable<string>;
}

/** What a paste can be told by: what was shown, in this process or in another, of the file as it stands. */
export function knownOf(editing: Editing, name: string | undefined): Known {
  const { snapshots, resolve } = editing;
  const standing = (path: string) => {
    const opened = openAny(editing, path);
    return opened.ok ? opened.value.base?.text : undefined;
  };
  return {
    below({ path: written, tag }) {
      const path = resolve(written);
      const kept = snapshots.find(path, tag);
      if (kept !== undefined) return kept === "gone" ? kept : kept.text;
      const text = standing(path);
      return text !== undefined && snapshots.matches(path, tag, text) ? text : undefined;
    },
    *texts() {
      const path = name === undefined ? undefined : resolve(name);
      const text = path === undefined ? undefined : standing(path);
      if (text !== undefined) yield text;
      yield* snapshots.texts(path);
    },
  };
}

export interface Unpasted {
  content: string;
  stripped: boolean;
}

/**
 * Takes away what a read prints around the lines of a file and a model may paste back: headers `[path#TAG]` and numbers
 * `12:`. Only what was shown is: anything else that looks like it is content. Rows of which something was left out
 * are refused, because what was left out would be gone.
 */
export function withoutPasted(content: string, known: Known): Result<Unpasted, "left out"> {
  const rows = content.split("\n");
  const parts = partsOf(rows, known);
  const read = parts.map((part) => readPart(part, known));
  for (const part of read) if (part.leftOut !== undefined) return fail("left out", leftOutText(part.leftOut));
  if (read.every(({ plain }) => plain !== undefined))
    return ok({ content: read.flatMap(({ plain = [] }) => plain).join("\n"), stripped: true });
  // A header alone is taken only from the top, where a read has it; elsewhere it may be meant.
  return parts[0]?.shown === undefined
    ? ok({ content, stripped: false })
    : ok({ content: rows.slice(1).join("\n"), stripped: true });
}

/** Rows below a header that was given out, or rows without one. */
interface Part {
  shown: string | "gone" | undefined;
  rows: string[];
}

function partsOf(rows: readonly string[], known: Known): Part[] {
  const parts: Part[] = [];
  for (const row of rows) {
    const header = readTagHeader(row);
    const shown = header && known.below(header);
    const open = parts.at(-1);
    if (shown !== undefined) parts.push({ shown, rows: [] });
    else if (open) open.rows.push(row);
    else parts.push({ shown: undefined, rows: [row] });
  }
  return parts;
}

interface Numbered {
  from: number;
  /** Beyond `from` where one row stands for several lines. */
  to: number;
  text: string;
}

interface ReadPart {
  /** Its rows without their numbers, where all have one. */
  plain?: string[];
  /** What was left out: lines, or some between two rows. */
  leftOut?: string;
}

function readPart({ shown, rows }: Part, known: Known): ReadPart {
  const numbered = rows.map(numberOf);
  const some = numbered.filter((row) => row !== undefined);
  const texts = shown === undefined ? known.texts() : shown === "gone" ? [] : [shown];
  // Without a header it takes two rows to tell a paste from a time of day.
  const least = shown === undefined ? 2 : 1;
  const isPaste = shown === "gone" || (some.length >= least && anyOf(texts, (text) => stands(text, some, least)));
  if (!isPaste) return shown !== undefined && rows.every((row) => row === "") ? { plain: rows } : {};
  const merged = some.find(({ from, to }) => to > from);
  if (merged) return { leftOut: `${merged.from}-${merged.to}` };
  const gap = rows.findIndex((row, i) => row === "..." && numbered[i - 1] && numbered[i + 1]);
  if (gap !== -1) return { leftOut: `${(numbered[gap - 1]?.from ?? 0) + 1}-${(numbered[gap + 1]?.from ?? 0) - 1}` };
  const counts = some.every(({ from }, i) => i === 0 || from === (some[i - 1]?.from ?? 0) + 1);
  const all = rows.every((row, i) => numbered[i] || (row === "" && i === rows.length - 1));
  return counts && all && some.length > 0 ? { plain: rows.map((row, i) => numbered[i]?.text ?? row) } : {};
}

function numberOf(row: string): Numbered | undefined {
  const [, from, to = from, text] = /^[ *]?(\d+)(?:-(\d+))?:(.*)$/s.exec(row) ?? [];
  return text === undefined ? undefined : { from: Number(from), to: Number(to), text };
}

/** Whether rows stand in a text at their numbers: most of them, because some may have been changed. */
function stands(text: string, rows: readonly Numbered[], least: number): boolean {
  const lines = new Lines(text);
  const there = rows.filter(({ from, to, text }) => {
    const line = lines.at(from);
    return to > from
      ? to <= lines.count && (text === "..." || (text.includes("..") && text.startsWith(line.trimEnd())))
      : from <= lines.count && line === text.replace(/\r$/, "");
  });
  return there.length >= least && there.length * 2 >= rows.length;
}

function anyOf(texts: Iterable<string>, holds: (text: string) => boolean): boolean {
  for (const text of texts) if (holds(text)) return true;
  return false;
}

const leftOutText = (lines: string): string =>
  `The content is what read showed, and lines ${lines} were left out there: they would be lost. ` +
  "Read them first, or change only what shall change with edit. Nothing was written.";
