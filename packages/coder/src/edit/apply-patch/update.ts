import { fail, ok, type Result } from "@pith/kit";
import { type Change, type LineOp, lineChanges } from "../text/change.ts";
import { Lines } from "../text/line.ts";
import { likestLine, nearestPlace } from "../text/match.ts";
import { type DiffRow, oldOf, placeRows } from "../text/row.ts";
import type { Chunk } from "./parse.ts";
import { Haystack, seek } from "./seek.ts";

/** With "add", a file that ends without a newline gets one, as in the original program. */
export type FinalNewline = "add" | "keep";

export interface Updated {
  changes: Change[];
  warnings: string[];
}

/**
 * Compiles the chunks of one file. Chunks come in the order of the file; the first place that fits is taken. Kept lines
 * keep the file's bytes.
 */
export function planUpdate(
  path: string,
  text: string,
  chunks: readonly Chunk[],
  final: FinalNewline,
): Result<Updated, "edit"> {
  const lines = new Lines(text);
  const hay = new Haystack(lines.all());
  const placed: { at: number; ops: LineOp[] }[] = [];
  const warnings: string[] = [];
  let cursor = 0;
  for (const chunk of chunks) {
    for (const context of chunk.contexts) {
      const spot = seek(hay, [context], cursor, "anywhere");
      if (!spot) return fail("edit", `${path} has no line '${context}' to look below${nearest(lines, [context])}`);
      cursor = spot.at + 1;
    }
    const spot = find(hay, chunk, cursor);
    if (!spot) {
      const old = oldOf(chunk.rows);
      return fail("edit", `These lines are not in ${path}:\n${old.join("\n")}${nearest(lines, old)}`);
    }
    const { at, count, rows } = spot;
    const first = `the first place, line ${at + 1}, was changed.`;
    const made = placeRows(path, lines, rows, at + 1);
    warnings.push(
      ...(count > 1 ? [`The lines of a hunk stand ${count} times in ${path}; ${first}`] : []),
      ...made.warnings,
    );
    placed.push({ at, ops: made.ops });
    // Lines that are added at the end are no reason to look for the next hunk there.
    const old = oldOf(rows).length;
    if (old > 0) cursor = at + old;
  }
  // In the order of the file: lines added at its end come after those that another hunk adds to its last lines.
  const ops = placed.toSorted((a, b) => a.at - b.at).flatMap(({ ops }) => ops);
  const changes = lineChanges(lines, ops);
  return ok({ changes: final === "add" ? withFinalNewline(lines, changes) : changes, warnings });
}

/** The lines of the file that come nearest to those that were looked for. */
function nearest(lines: Lines, wanted: readonly string[]): string {
  const place = nearestPlace(lines, wanted);
  const first = place ? place.line - place.same : likestLine(lines, wanted.find((row) => row.trim() !== "") ?? "");
  if (first === undefined) return "";
  const last = Math.min(lines.count, Math.max(place?.line ?? first, first), first + maxNear - 1);
  const rows = lines.wholes(first, last).map((_, i) => `${first + i}:${lines.at(first + i).slice(0, 200)}`);
  return `\nThe nearest lines are:\n${rows.join("\n")}`;
}

const maxNear = 12;

function find(
  hay: Haystack,
  { rows: all, contexts, atEnd }: Chunk,
  cursor: number,
): { at: number; count: number; rows: readonly DiffRow[] } | undefined {
  for (let rows: readonly DiffRow[] | undefined = all; rows; rows = withoutBlankEnd(rows)) {
    if (rows.every((row) => row.sign === "+")) {
      // A blank line that was to go and is not there is no mere separator, except that an empty file has none.
      if (hay.lines.length > 0 && all.some((row) => row.sign === "-")) return undefined;
      // Lines that are only added go after the line that was named, else to the end.
      return { at: contexts.length > 0 ? cursor : endOf(hay), count: 1, rows };
    }
    const spot = seek(hay, oldOf(rows), cursor, atEnd ? "at end" : "anywhere");
    if (spot) return { ...spot, rows };
  }
  return undefined;
}

/** The rows without a blank last one, which often only separates, or stands for the newline at the end of the file. */
function withoutBlankEnd(rows: readonly DiffRow[]): DiffRow[] | undefined {
  const old = rows.findLastIndex((row) => row.sign !== "+");
  if (rows[old]?.text !== "") return undefined;
  const spare = rows[old]?.sign === "-" && rows.at(-1)?.sign === "+" && rows.at(-1)?.text === "" ? rows.length - 1 : -1;
  const left = rows.filter((_, i) => i !== old && i !== spare);
  return left.length > 0 ? left : undefined;
}

/** The place of lines that are added to the end: before a blank last line. */
const endOf = (hay: Haystack): number => (hay.lines.at(-1) === "" ? hay.lines.length - 1 : hay.lines.length);

function withFinalNewline(lines: Lines, changes: Change[]): Change[] {
  const end = lines.text.length;
  const last = changes.at(-1);
  const left = last?.end === end ? last.text : lines.text.slice(last?.end ?? 0);
  const before = lines.text.slice(0, last?.start ?? 0);
  const ends = left === "" ? before === "" || /[\r\n]$/.test(before) : /[\r\n]$/.test(left);
  return ends ? changes : [...changes, { start: end, end, text: lines.style }];
}
