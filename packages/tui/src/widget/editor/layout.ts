import { printable } from "../../text/clean.ts";
import { graphemes, width } from "../../text/width.ts";

/** The text as it is shown: a control character takes the cells of its picture. */
export const visibleText = (text: string): string => printable(text.replaceAll("\t", "    "));
const cells = (text: string) => width(visibleText(text));

/** The part `[from, to)` of a text that is one row on the screen. */
export interface LayoutLine {
  readonly from: number;
  readonly to: number;
}

const maxKnown = 4000;

/** Breaks a text into rows; lines that did not change are not broken again. */
export class Layout {
  #ends = new Map<string, readonly number[]>();
  #columns = 0;

  lines(text: string, columns: number): readonly LayoutLine[] {
    if (columns !== this.#columns) this.#ends.clear();
    this.#columns = columns;
    const out: LayoutLine[] = [];
    let start = 0;
    for (const line of text.split("\n")) {
      let from = start;
      for (const end of this.#endsOf(line)) {
        out.push({ from, to: start + end });
        from = start + end;
      }
      start += line.length + 1;
    }
    return out;
  }

  #endsOf(line: string): readonly number[] {
    const known = this.#ends.get(line);
    if (known) return known;
    const ends = breakLine(line, Math.max(1, this.#columns));
    if (this.#ends.size >= maxKnown) this.#ends.clear();
    this.#ends.set(line, ends);
    return ends;
  }
}

/** Row and column of an offset. At a soft break the cursor belongs to the row that begins there. */
export function locate(lines: readonly LayoutLine[], text: string, offset: number): { row: number; column: number } {
  let row = lines.findIndex((line) => offset < line.to || (offset === line.to && text[line.to] === "\n"));
  if (row === -1) row = lines.length - 1;
  const line = lines[row];
  return { row, column: line ? cells(text.slice(line.from, offset)) : 0 };
}

/** The offset nearest to a column of a row. */
export function offsetAt(lines: readonly LayoutLine[], text: string, row: number, column: number): number {
  const line = lines[Math.max(0, Math.min(lines.length - 1, row))];
  if (!line) return 0;
  let at = line.from;
  let used = 0;
  for (const each of graphemes(text.slice(line.from, line.to))) {
    const wide = cells(each);
    if (used + wide > column) break;
    used += wide;
    at += each.length;
  }
  // The end of a soft row is the start of the next one: stay on this row.
  const last = at === line.to && at > line.from && text[at] !== "\n" && at < text.length;
  return last ? at - (graphemes(text.slice(line.from, line.to)).at(-1)?.length ?? 0) : at;
}

// Ends of the rows of one line: after a space where there is one, inside a word where it is longer than a row.
function breakLine(line: string, columns: number): number[] {
  if (line.length < columns && cells(line) < columns) return [line.length];
  const ends: number[] = [];
  let used = 0;
  let at = 0;
  let space = -1;
  let sinceSpace = 0;
  for (const each of graphemes(line)) {
    const wide = cells(each);
    if (used + wide > columns && space > (ends.at(-1) ?? 0)) {
      ends.push(space);
      used = sinceSpace;
    }
    if (used + wide > columns && used > 0) {
      ends.push(at);
      used = 0;
      sinceSpace = 0;
    }
    at += each.length;
    used += wide;
    sinceSpace += wide;
    if (each === " ") {
      space = at;
      sinceSpace = 0;
    }
  }
  // The cursor needs a cell behind the last character.
  if (used >= columns && line.length > 0) ends.push(line.length);
  ends.push(line.length);
  return ends;
}
