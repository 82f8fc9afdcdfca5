import { Lexer } from "marked";
import { printable } from "./clean.ts";
import { inline, isHeavy, type MarkdownSetting } from "./markdown.ts";
import { wrap } from "./wrap.ts";

/**
 * The rows of one line of prose while it streams in, which is most of what models write. No block has to be found, and
 * only the words since the last place where no mark (emphasis, code, a link) was open are read again.
 */
export class OpenParagraph {
  readonly #setting: MarkdownSetting;
  #columns = 0;
  /** The text that is drawn for good, its full rows, and the row behind them. */
  #known = "";
  #rows: string[] = [];
  #last = "";

  constructor(setting: MarkdownSetting) {
    this.#setting = setting;
  }

  /** Rows of the text so far; undefined if it may be something else than prose. */
  rows(source: string, columns: number): string[] | undefined {
    if (!prose.test(source)) return undefined;
    if (!source.startsWith(this.#known) || columns !== this.#columns) {
      this.#known = "";
      this.#rows = [];
      this.#last = "";
      this.#columns = columns;
    }
    const fresh = source.slice(this.#known.length);
    const closed = lastClosed(fresh);
    const drawn = (text: string) => wrap(this.#last + words(text, this.#setting), Math.max(1, columns));
    if (closed > 0) {
      this.#known += fresh.slice(0, closed);
      const rows = drawn(fresh.slice(0, closed));
      this.#last = rows.pop() ?? "";
      this.#rows.push(...rows);
    }
    return [...this.#rows, ...drawn(fresh.slice(closed))];
  }

  /** Rows of a whole line of prose that nothing joins any more. */
  closed(source: string, columns: number): string[] | undefined {
    return prose.test(source) ? wrap(words(source, this.#setting), Math.max(1, columns)) : undefined;
  }
}

/** The words as a styled text; most have no mark in them, and none is looked for then. */
const words = (text: string, setting: MarkdownSetting) =>
  unmarked.test(text) || isHeavy(text) ? printable(text) : inline(Lexer.lexInline(text), setting);
const unmarked = /^(?!.*www\.)[^\\`*_~[\]<>&!:@]*$/i;

/** A line that can only be a paragraph until it ends. */
const prose = /^(?:\p{L}|\*{1,2}\p{L}|`[^`]|["'(“])[^\n]*$/u;

/** The end of the last word behind which no mark is open. */
function lastClosed(text: string): number {
  const open = new Set<string>();
  let closed = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === " " && open.size === 0) closed = at;
    else if (char === "\\") at++;
    else if (open.has("`") ? char === "`" : marks.has(char)) at += toggle(text, at, char, open);
  }
  // The space goes with the words after it, so that a mark beside it is seen whole.
  return closed;
}

const marks = new Set(["`", "*", "_", "~", "[", "]", "(", ")", "<", ">"]);
const pairs: Record<string, string> = { "]": "[", ")": "](", ">": "<" };

function toggle(text: string, at: number, char: string, open: Set<string>): number {
  if (char === "[" || char === "<") open.add(char);
  else if (char === "(") {
    if (text[at - 1] === "]") open.add("](");
  } else if (pairs[char]) open.delete(pairs[char]);
  else if (char === "_" && /\w/.test(text[at - 1] ?? " ") && /\w/.test(text[at + 1] ?? " ")) return 0;
  else {
    const run = text[at + 1] === char && char !== "`" ? char + char : char;
    if (!open.delete(run)) open.add(run);
    return run.length - 1;
  }
  return 0;
}
