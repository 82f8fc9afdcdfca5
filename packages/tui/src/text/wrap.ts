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
  const breaker = new LineBreaker(columns, rows);
  for (const piece of line.match(pieces) ?? []) {
    const kind = kindOf(piece);
    if (kind !== "unit") breaker.add(kind, piece);
    else
      for (const [at, part] of piece.split(units).entries())
        if (part !== "") breaker.add(at % 2 === 1 ? "unit" : "text", part);
  }
  breaker.end();
}

/** Puts the words of one line into rows. */
class LineBreaker {
  readonly #columns: number;
  readonly #rows: string[];
  #row = "";
  #used = 0;
  #word = "";
  #size = 0;
  /** Spaces since the last word, which only stand if a word follows on the same row; colours among them always do. */
  #gap = "";
  #spaces = 0;

  constructor(columns: number, rows: string[]) {
    this.#columns = columns;
    this.#rows = rows;
  }

  add(kind: Kind, text: string): void {
    if (kind === "space") {
      this.#place();
      this.#gap += text;
      this.#spaces += text.length;
    } else if (kind === "sequence" && this.#word === "") this.#gap += text;
    else {
      if (kind === "unit") this.#place();
      this.#word += text;
      this.#size += kind === "sequence" ? 0 : width(text);
      if (kind === "unit") this.#place();
    }
  }

  end(): void {
    this.#place();
    this.#dropSpaces();
    this.#rows.push(this.#row + this.#gap);
  }

  #place(): void {
    if (this.#word === "") return;
    if (this.#used > 0 && this.#used + this.#spaces + this.#size > this.#columns) this.#break();
    if (this.#spaces >= this.#columns) this.#dropSpaces();
    this.#row += this.#gap;
    this.#used += this.#spaces;
    this.#gap = "";
    this.#spaces = 0;
    if (this.#used + this.#size > this.#columns) this.#split();
    else {
      this.#row += this.#word;
      this.#used += this.#size;
    }
    this.#word = "";
    this.#size = 0;
  }

  /** Breaks a word that is wider than a row between any of its characters. */
  #split(): void {
    for (const cell of cells(this.#word)) {
      if (this.#used + cell.width > this.#columns && this.#used > 0) this.#break();
      const fits = cell.width <= this.#columns;
      this.#row += cell.before + (fits ? cell.text : "");
      this.#used += fits ? cell.width : 0;
    }
  }

  #break(): void {
    this.#rows.push(this.#row);
    this.#row = "";
    this.#used = 0;
    this.#dropSpaces();
  }

  #dropSpaces(): void {
    this.#gap = this.#gap.replaceAll(" ", "");
    this.#spaces = 0;
  }
}

type Kind = "space" | "sequence" | "text" | "unit";

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
