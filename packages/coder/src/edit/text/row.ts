import type { LineOp } from "./change.ts";
import { indents, lead } from "./indent.ts";
import type { Lines } from "./line.ts";

/** A row of a diff: kept, removed or added. */
export interface DiffRow {
  sign: " " | "-" | "+";
  text: string;
}

/** The operations of rows of which the first old one stands at line `at`. Kept rows touch nothing. */
function rowOps(rows: readonly DiffRow[], at: number): LineOp[] {
  const ops: { from: number; to: number; rows: string[] }[] = [];
  let line = at;
  let before: DiffRow["sign"] = " ";
  for (const { sign, text } of rows) {
    if (sign !== " " && before === " ") ops.push({ from: line, to: line - 1, rows: [] });
    const open = ops.at(-1);
    if (open && sign === "+") open.rows.push(text);
    if (open && sign === "-") open.to = line;
    if (sign !== "+") line++;
    before = sign;
  }
  return ops;
}

/** The old rows as text. */
export const oldOf = (rows: readonly DiffRow[]): string[] =>
  rows.filter((row) => row.sign !== "+").map((row) => row.text);

/**
 * Rows whose old ones stand at line `at` with other indentation, the added ones moved along as one block; undefined
 * where the indentation is the same.
 */
function moved(rows: readonly DiffRow[], lines: Lines, at: number): DiffRow[] | undefined {
  let line = at;
  const placed = rows.map((row) => ({ ...row, real: row.sign === "+" ? "" : lines.at(line++) }));
  const old = placed.filter(({ sign }) => sign !== "+");
  const off = old.filter(({ text, real }) => text.trim() !== "" && lead(text) !== lead(real));
  // A kept row without its sign is one space short, and the added ones are right.
  if (off.every(({ sign, text, real }) => sign === " " && real === ` ${text}`)) return undefined;
  const begins = placed.filter(({ sign }, i) => sign === "+" && placed[i - 1]?.sign !== "+");
  const areRight = begins.every((row) => {
    const before = placed.slice(0, placed.indexOf(row));
    const gone = before.slice(before.findLastIndex(({ sign }) => sign !== "-") + 1)[0];
    return gone !== undefined && lead(row.text) === lead(gone.real) && lead(row.text) !== lead(gone.text);
  });
  if (begins.length === 0 || areRight) return undefined;
  const fresh = placed.filter(({ sign }) => sign === "+").map(({ text }) => text);
  const indent = indents(
    lines,
    old.map(({ text, real }) => [text, real]),
    fresh,
  );
  return rows.map((row) => (row.sign === "+" ? { ...row, text: indent(row.text) } : row));
}

/** The operations of rows whose first old one stands at line `at`, and a warning where they had to be indented anew. */
export function placeRows(
  path: string,
  lines: Lines,
  rows: readonly DiffRow[],
  at: number,
): { ops: LineOp[]; warnings: string[] } {
  const shifted = moved(rows, lines, at);
  const count = oldOf(rows).length;
  const where = count === 1 ? `line ${at}` : `lines ${at}-${at + count - 1}`;
  const warning = `The lines of a hunk matched ${where} of ${path} only but for white space; the file's own was kept.`;
  return { ops: rowOps(shifted ?? rows, at), warnings: shifted ? [warning] : [] };
}
