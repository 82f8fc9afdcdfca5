import { plainText } from "@pith/kit";
import { fit, width, wrapHanging } from "@pith/tui/theme";
import type { Io } from "../io/io.ts";

/** A column of a list. */
export interface Column {
  head: string;
  align?: "right";
  gives?: true;
  /** Left out where the window is too narrow; the highest number goes first. */
  spare?: number;
}

/** The columns of the window; unlimited for a program that reads the list. */
export const roomOf = ({ outIs, env }: Pick<Io, "outIs" | "env">): number =>
  outIs === "device" ? Number(env.COLUMNS) || process.stdout.columns || 80 : Number.POSITIVE_INFINITY;

/** Lays rows out below their headings, no wider than the window. */
export function inColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  io: Pick<Io, "outIs" | "env">,
): string[] {
  const spare = columns.reduce((first, { spare = 0 }, at) => (spare > (columns[first]?.spare ?? 0) ? at : first), 0);
  if ((columns[spare]?.spare ?? 0) > 0 && leastWidth(columns, rows) > roomOf(io)) {
    const without = <T>(list: readonly T[]): T[] => list.filter((_, at) => at !== spare);
    return inColumns(without(columns), rows.map(without), io);
  }
  const cells = [columns.map(({ head }) => head), ...rows].map((row) => columns.map((_, at) => flat(row[at] ?? "")));
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => width(row[at] ?? ""))));
  const room = roomOf(io);
  const over = widths.reduce((sum, one) => sum + one + 2, -2) - room;
  const giving = columns.findIndex(({ gives }) => gives);
  if (over > 0 && giving !== -1) widths[giving] = Math.max(least, (widths[giving] ?? 0) - over);
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => {
        const text = at === giving ? fit(cell, widths[at] ?? 0) : cell;
        const blank = " ".repeat(Math.max(0, (widths[at] ?? 0) - width(text)));
        return columns[at]?.align === "right" ? blank + text : text + blank;
      })
      .join("  ")
      .trimEnd();
  return cells.map((row) => fitted(line(row), room));
}

/** The width of the rows when the column that gives way is as narrow as it may be. */
function leastWidth(columns: readonly Column[], rows: readonly (readonly string[])[]): number {
  return columns.reduce((sum, { head, gives }, at) => {
    const widest = Math.max(width(head), ...rows.map((row) => width(flat(row[at] ?? ""))));
    return sum + 2 + (gives ? Math.min(widest, least) : widest);
  }, -2);
}

/** Cuts a line at the width of the window. */
export const inWindow = (line: string, io: Pick<Io, "outIs" | "env">): string => fitted(line, roomOf(io));

/** Wraps a text at the width of the window; rows after the first begin with `rest`. */
export function inRows(text: string, io: Pick<Io, "outIs" | "env">, first = "", rest = "  "): string[] {
  const room = roomOf(io);
  if (!Number.isFinite(room)) return [first + flat(text)];
  return wrapHanging(flat(text), room, first, rest).map((row) => row.trimEnd());
}

/** Prints a list in one piece: what was complained of stands before it, and what is complained of later after it. */
export async function printList(lines: readonly string[], io: Pick<Io, "out" | "err">): Promise<void> {
  await io.err.flush();
  io.out.write(lines.map((line) => `${line}\n`).join(""));
  await io.out.flush();
}

/** The same for rows below their headings. */
export const printColumns = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  io: Pick<Io, "out" | "err" | "outIs" | "env">,
): Promise<void> => printList(inColumns(columns, rows, io), io);

const flat = (text: string): string => plainText(text).replace(/\s*\n\s*/g, " ↵ ");
const least = 12;
const fitted = (line: string, room: number): string => (Number.isFinite(room) ? fit(line, room) : line);
