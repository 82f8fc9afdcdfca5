import { width } from "@pith/tui/theme";

/** What a person calls one character, or something that stands for a long text: it moves and goes as one. */
export interface Cell {
  readonly text: string;
  /** How it looks on the screen. */
  readonly shown: string;
}

/** What is being typed. */
export interface Line {
  readonly cells: readonly Cell[];
  /** The cell before which the next one goes. */
  readonly cursor: number;
}

export interface Laid {
  /** The first one begins with what stands before the line. */
  rows: string[];
  row: number;
  column: number;
  /** The cursor stands where writing the rows leaves it. */
  atEnd: boolean;
}

/** The rows of a line and the place of its cursor; of more rows than there is room for, those around the cursor. */
export function layout(before: string, { cells, cursor }: Line, columns: number, room: number): Laid {
  const rows = [before];
  let used = width(before);
  let at = { row: 0, column: used };
  for (const [index, { shown }] of cells.entries()) {
    for (const [part, piece] of pieces(shown, columns).entries()) {
      const wide = width(piece);
      if (used + wide > columns) {
        rows.push("");
        used = 0;
      }
      if (index === cursor && part === 0) at = { row: rows.length - 1, column: used };
      rows[rows.length - 1] += piece;
      used += wide;
    }
  }
  if (cursor >= cells.length) {
    // Behind a full row the next character goes below it.
    if (used >= columns) {
      rows.push("");
      used = 0;
    }
    at = { row: rows.length - 1, column: used };
  }
  const from = Math.max(0, Math.min(at.row - room + 1, rows.length - room));
  const seen = rows.slice(from, from + room);
  if (from > 0) seen[0] = `${before}…`;
  return { rows: seen, row: at.row - from, column: at.column, atEnd: cursor >= cells.length };
}

/** A mark that is wider than the window is broken like words are not. */
const pieces = (shown: string, columns: number): string[] =>
  width(shown) <= columns ? [shown] : (shown.match(new RegExp(`.{1,${Math.max(1, columns)}}`, "gu")) ?? [shown]);
