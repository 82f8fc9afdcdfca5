import { nativeWrap } from "../platform.ts";
import { type Cell, cells, joins, slice, width } from "./width.ts";

/** Text in rows of at most `columns` cells: words stay whole where they fit, colours and links go on in the next row. */
export function wrap(text: string, columns: number): string[] {
  if (columns <= 0) return [];
  const rows: string[] = [];
  for (const line of text.split("\n")) {
    if (line.length <= columns && width(line) <= columns) rows.push(line);
    else if (joins(line)) cellWrap(line, columns, rows);
    else for (const [at, row] of nativeWrap(line, columns).split("\n").entries()) rows.push(tight(at === 0 ? row : row.replace(leading, "$1"), columns));
  }
  return rows;
}

/** As `wrap`, with something before the first row and something before the others. */
export function wrapHanging(text: string, columns: number, first: string, rest: string): string[] {
  const room = Math.max(1, columns - Math.max(width(first), width(rest)));
  return wrap(text, room).map((row, index) => (index === 0 ? first : rest) + row);
}

// The space at which a line was broken belongs to neither row.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const leading = /^((?:\x1b\[[0-9;:]*m)*) +/;

// A space at the end of a wrapped row may stand beyond the edge, and a wide character never fits one column.
function tight(row: string, columns: number): string {
  const trimmed = row.endsWith(" ") ? row.trimEnd() : row;
  return width(trimmed) <= columns ? trimmed : slice(trimmed, 0, columns);
}

// The same for text whose characters join: broken between graphemes only.
function cellWrap(line: string, columns: number, rows: string[]) {
  let row: Cell[] = [];
  let used = 0;
  let carried = "";
  const end = (kept: readonly Cell[], next: Cell[]) => {
    const text = kept.map((cell) => cell.before + cell.text).join("");
    rows.push((carried + text).trimEnd() + closing(carried + text));
    carried = openAt(carried + text);
    row = next;
    used = next.reduce((sum, cell) => sum + cell.width, 0);
  };
  for (const cell of cells(line)) {
    if (cell.width > columns) continue;
    if (used + cell.width > columns) {
      const space = row.findLastIndex((each) => each.text === " ");
      if (cell.text === " ") {
        end(row, []);
        continue;
      }
      if (space > 0) end(row.slice(0, space), row.slice(space + 1));
      if (used + cell.width > columns) end(row, []);
    }
    row.push(cell);
    used += cell.width;
  }
  end(row, []);
}

// What is still switched on at the end of a row: all colours since the last reset, and an open link.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const marks = /\x1b\[([0-9;:]*)m|\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
function openAt(text: string): string {
  let colours = "";
  let link = "";
  for (const match of text.matchAll(marks)) {
    if (match[1] === undefined) link = match[2] ? match[0] : "";
    else colours = match[1] === "" || match[1] === "0" ? "" : colours + match[0];
  }
  return colours + link;
}
const closing = (text: string) => {
  const open = openAt(text);
  return (open.includes("\x1b[") ? "\x1b[0m" : "") + (open.includes("\x1b]") ? "\x1b]8;;\x1b\\" : "");
};
