import { Lexer } from "marked";
import { printable } from "./clean.ts";
import { inline, isHeavy, type MarkdownSetting } from "./markdown.ts";
import { wrap } from "./wrap.ts";

/**
 * Most of what streams in is one line of prose. While it is, no block has to be found: only the words since the last
 * place where nothing (no emphasis, code, link) was open are looked at again.
 */
export interface OpenParagraph {
  /** Rows of the text so far, or nothing if it may be something else than prose. */
  rows(source: string, columns: number): string[] | undefined;
  /** How many of them only change if the line turns out to be none of prose. */
  readonly full: number;
  /** Rows of such a line when nothing joins it any more. */
  closed(source: string, columns: number): string[] | undefined;
}

export function createOpenParagraph(setting: MarkdownSetting): OpenParagraph {
  let known = "";
  let width = 0;
  /** Rows that are full, and the closed words behind them. */
  let full: string[] = [];
  let last = "";
  return {
    rows(source, columns) {
      if (!prose.test(source)) return undefined;
      if (!source.startsWith(known) || columns !== width) {
        known = "";
        full = [];
        last = "";
        width = columns;
      }
      const fresh = source.slice(known.length);
      const closed = lastClosed(fresh);
      const drawn = (text: string) => wrap(last + words(text, setting), Math.max(1, columns));
      if (closed > 0) {
        known += fresh.slice(0, closed);
        const rows = drawn(fresh.slice(0, closed));
        last = rows.pop() ?? "";
        full.push(...rows);
      }
      return [...full, ...drawn(fresh.slice(closed))];
    },
    get full() {
      return full.length;
    },
    closed: (source, columns) => (prose.test(source) ? wrap(words(source, setting), Math.max(1, columns)) : undefined),
  };
}

// Most words have no mark in them and need nobody to look for one.
const words = (text: string, setting: MarkdownSetting) =>
  unmarked.test(text) || isHeavy(text) ? printable(text) : inline(Lexer.lexInline(text), setting);
const unmarked = /^(?!.*www\.)[^\\`*_~[\]<>&!:@]*$/i;

// One line that begins like this can only be a paragraph until its line ends.
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
