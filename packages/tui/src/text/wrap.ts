import { carried } from "./carry.ts";
import { cells, escapes, sizedOpen, width } from "./width.ts";

/**
 * Text in rows of at most `columns` cells: words stay whole where they fit, colours and links go on in the next row.
 */
export function wrap(text: string, columns: number): string[] {
  if (columns <= 0) return [];
  const rows: string[] = [];
  for (const line of text.split("\n")) {
    // With its colours a line is longer than it is wide; much longer, and it is not worth a look.
    if (line.length <= 4 * columns && width(line) <= columns) rows.push(line);
    else breakLine(line, columns, rows);
  }
  return rows.length > 1 && text.includes("\x1b") ? carried(rows) : rows;
}

/** As `wrap`, with something before the first row and something before the others. */
export function wrapHanging(text: string, columns: number, first: string, rest: string): string[] {
  const room = Math.max(1, columns - Math.max(width(first), width(rest)));
  return wrap(text, room).map((row, index) => (index === 0 ? first : rest) + row);
}

function breakLine(line: string, columns: number, rows: string[]) {
  let row = "";
  let used = 0;
  let word = "";
  let size = 0;
  /**
   * Spaces since the last word: they only stand if another word follows on the same row. Colours among them always do.
   */
  let gap = "";
  let spaces = 0;

  function end() {
    rows.push(row);
    row = "";
    used = 0;
    leaveSpaces();
  }
  function leaveSpaces() {
    gap = gap.replaceAll(" ", "");
    spaces = 0;
  }
  function place() {
    if (word === "") return;
    if (used > 0 && used + spaces + size > columns) end();
    if (spaces >= columns) leaveSpaces();
    row += gap;
    used += spaces;
    gap = "";
    spaces = 0;
    if (used + size <= columns) {
      row += word;
      used += size;
    } else split();
    word = "";
    size = 0;
  }
  // A word that is wider than a row is broken between any of its characters.
  function split() {
    for (const cell of cells(word)) {
      if (used + cell.width > columns && used > 0) end();
      row += cell.before + (cell.width > columns ? "" : cell.text);
      used += cell.width > columns ? 0 : cell.width;
    }
  }

  eachPart(line, (kind, text) => {
    if (kind === "space") {
      place();
      gap += text;
      spaces += text.length;
    } else if (kind === "sequence" && word === "") gap += text;
    else {
      if (kind === "unit") place();
      word += text;
      size += kind === "sequence" ? 0 : width(text);
      if (kind === "unit") place();
    }
  });
  place();
  leaveSpaces();
  rows.push(row + gap);
}

type Kind = "space" | "sequence" | "text" | "unit";

function eachPart(line: string, tell: (kind: Kind, text: string) => void) {
  for (const piece of line.match(pieces) ?? []) {
    const kind = kindOf(piece);
    if (kind !== "unit") tell(kind, piece);
    else
      for (const [at, part] of piece.split(units).entries())
        if (part !== "") tell(at % 2 === 1 ? "unit" : "text", part);
  }
}

function kindOf(piece: string): Kind {
  if (piece[0] === " ") return "space";
  if (piece[0] === "\x1b") return piece.startsWith(sizedOpen) ? "text" : "sequence";
  return wide.test(piece) ? "unit" : "text";
}

const pieces = new RegExp(`${escapes.source}| +|[^ \\x1b]+|\\x1b`, "g");
// Scripts without spaces may be broken between any two characters, but no row begins with the mark that ends a
// sentence.
const letter = "(?!\\p{M})[\\p{Ideographic}\\p{scx=Hira}\\p{scx=Kana}]";
const marks =
  "[\\p{M}\\u200d\\uff9e\\uff9f\\u3001\\u3002\\uff0c\\uff0e\\uff01\\uff1f\\uff1a\\uff1b\\uff09\\u300d\\u300f\\u3011\\u300b\\u3009\\u3015]";
const units = new RegExp(`(${letter}${marks}*)`, "u");
const wide = /[\u2e80-\uffff]/;
