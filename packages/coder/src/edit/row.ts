import type { LineOp } from "./plan.ts";

/** A row of a diff: kept, removed or added. */
export interface Row {
  sign: " " | "-" | "+";
  text: string;
}

/**
 * What rows do to the file when the first old one stands at line `at`. Kept rows touch nothing: the file's own bytes
 * stay.
 */
export function rowOps(rows: readonly Row[], at: number): LineOp[] {
  const ops: { from: number; to: number; rows: string[] }[] = [];
  let line = at;
  let before: Row["sign"] = " ";
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
