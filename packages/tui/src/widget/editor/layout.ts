import { printable } from "../../text/clean.ts";
import { graphemes, width } from "../../text/width.ts";

/** The text as it stands on the screen: what cannot be shown as itself takes the room of what is shown for it. */
export const visibleText = (text: string): string => printable(text.replaceAll("\t", "    "));
const cells = (text: string) => width(visibleText(text));

/** One row on the screen: the part `[from, to)` of the text. */
export interface LayoutLine {
  readonly from: number;
  readonly to: number;
}

/** How a text lies on the screen. Lines that did not change are not broken again. */
export interface Layout {
  lines(text: string, columns: number): readonly LayoutLine[];
}

const memory = 4000;

export function createLayout(): Layout {
  let known = new Map<string, readonly number[]>();
  let at = 0;
  function breaks(line: string, columns: number): readonly number[] {
    const rows = known.get(line);
    if (rows) return rows;
    const made = breakLine(line, columns);
    if (known.size >= memory) known = new Map();
    known.set(line, made);
    return made;
  }
  return {
    lines(text, columns) {
      if (columns !== at) {
        known = new Map();
        at = columns;
      }
      const out: LayoutLine[] = [];
      let start = 0;
      for (const line of text.split("\n")) {
        const ends = breaks(line, Math.max(1, columns));
        let from = start;
        for (const end of ends) {
          out.push({ from, to: start + end });
          from = start + end;
        }
        start += line.length + 1;
      }
      return out;
    },
  };
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
