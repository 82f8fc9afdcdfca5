import { lexer, type Token as MarkToken, type Tokens } from "marked";
import type { Theme } from "../theme/theme.ts";
import { link, printable } from "./clean.ts";
import type { Highlighter } from "./highlight.ts";
import { type Align, tableRows } from "./table.ts";
import { wrap, wrapHanging } from "./wrap.ts";

export interface MarkdownSetting {
  readonly theme: Theme;
  readonly highlighter?: Highlighter;
}

export type { Token as MarkdownToken, Tokens as MarkdownTokens } from "marked";

/**
 * Markdown as a tree, without a theme: what stands in rows here may stand on a page elsewhere. What would take long to
 * read as Markdown, or too deep, is plain text: nobody wrote it by hand.
 */
export function readMarkdown(source: string): MarkToken[] {
  if (!isHeavy(source)) {
    try {
      return lexer(source);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return [{ type: "text", raw: source, text: source.trimEnd() }];
}

// The time to find pairs of marks grows with the square of their number, and so does that of lists in lists.
const marks = /[*_~[\]]+/g;
const most = { line: 300, paragraph: 2000 };
export const isHeavy = (source: string): boolean =>
  source.length > 2 * most.line &&
  (/^ {300,}(?:[-*+]|\d+[.)]) |^(?: ?>){100}/m.test(source) ||
    source.split(/\n\s*\n/).some((paragraph) => {
      if (paragraph.length < most.line) return false;
      const lines = paragraph.split("\n").map((line) => line.match(marks)?.length ?? 0);
      return lines.some((count) => count > most.line) || lines.reduce((sum, count) => sum + count, 0) > most.paragraph;
    }));

/** Markdown as rows, all at once. */
export const markdownRows = (source: string, columns: number, setting: MarkdownSetting): string[] =>
  draw(readMarkdown(source), columns, setting).rows;

export interface Drawing {
  readonly rows: string[];
  /** How many of them stay as they are, whatever is written behind them. */
  readonly settled: number;
}

export interface DrawOptions {
  /** `open`: the last block is still being written. */
  end?: "open" | "finished";
  /** On a page every block stands apart; in an item of a list only what is set apart in the source does. */
  spacing?: "page" | "item";
  /** The first block is the rest of a list whose next item has this number. */
  number?: number;
}

/** Rows of a run of block tokens. What a block looks like never depends on what comes after it, tables aside. */
export function draw(
  tokens: readonly MarkToken[],
  columns: number,
  setting: MarkdownSetting,
  options: DrawOptions = {},
): Drawing {
  const rows: string[] = [];
  const last = tokens.findLastIndex(isBlock);
  let settled = 0;
  let apart = options.spacing !== "item";
  for (const [at, token] of tokens.entries()) {
    if (token.type === "space") apart = true;
    if (!isBlock(token)) continue;
    const open = options.end === "open" && at === last;
    const drawn = block(
      token,
      Math.max(1, columns),
      setting,
      open ? "open" : "finished",
      at === 0 ? options.number : undefined,
    );
    if (drawn.rows.length === 0) continue;
    if (rows.length > 0 && apart) rows.push("");
    if (!open || drawn.settled > 0) settled = rows.length + drawn.settled;
    for (const row of drawn.rows) rows.push(row);
    apart = options.spacing !== "item" || endsApart(token.raw);
  }
  return { rows, settled };
}

const isBlock = (token: MarkToken) =>
  token.type !== "space" && token.type !== "def" && (token.type as string) !== "checkbox";
export const endsApart = (raw: string): boolean => /\n[ \t]*\n$/.test(raw);

function block(
  token: MarkToken,
  columns: number,
  setting: MarkdownSetting,
  end: "open" | "finished",
  number?: number,
): Drawing {
  const { theme } = setting;
  switch (token.type) {
    case "code":
      return code(token as Tokens.Code, columns, setting, end);
    case "list":
      return list(token as Tokens.List, columns, setting, end, number);
    case "blockquote": {
      const bar = `${theme.paint("border", theme.glyph.box.v)} `;
      const inner = draw(token.tokens ?? [], columns - 2, setting, { end });
      return { rows: inner.rows.map((row) => bar + theme.paint("quote", row)), settled: inner.settled };
    }
    default: {
      const rows = plainBlock(token, columns, setting);
      return { rows, settled: end === "open" ? 0 : rows.length };
    }
  }
}

// Blocks that may become something else as long as they are open.
function plainBlock(token: MarkToken, columns: number, setting: MarkdownSetting): string[] {
  const { theme } = setting;
  switch (token.type) {
    case "heading": {
      // Where no colour tells it from strong words, or from any, its marks do.
      const plain = [theme.paint("strong", "x"), "x"].includes(theme.paint("heading", "x"));
      const marks = plain ? `${"#".repeat(token.depth)} ` : "";
      const rows = wrapHanging(inline(token.tokens, setting), columns, marks, " ".repeat(marks.length));
      return rows.map((row) => theme.paint("heading", row));
    }
    case "paragraph":
      return wrap(inline(token.tokens, setting), columns);
    case "table":
      return table(token as Tokens.Table, columns, setting);
    case "hr":
      return [theme.paint("border", theme.glyph.box.h.repeat(columns))];
    case "text":
      return wrap(token.tokens ? inline(token.tokens, setting) : printable(token.text), columns);
    default:
      return wrap(printable(token.raw.trimEnd()), columns);
  }
}

// An open block is coloured in closed runs of lines, so that its cost per frame does not grow with its length.
const run = 40;
function code(token: Tokens.Code, columns: number, setting: MarkdownSetting, end: "open" | "finished"): Drawing {
  const { theme, highlighter } = setting;
  const language = (token.lang ?? "").split(/\s/)[0]?.toLowerCase() ?? "";
  const source = token.text.split("\n");
  const plain = () => source.map((line) => theme.paint("codeBlock", printable(line)));
  const lines =
    !highlighter || language === ""
      ? plain()
      : end === "finished" && source.length <= 2000
        ? (highlighter.lines(token.text, language) ?? plain())
        : runs(source, language, highlighter, theme);
  const drawn = lines.map((line) => wrap(line, Math.max(1, columns - 2)).map((row) => `  ${row}`));
  const rows = drawn.flat();
  return { rows, settled: rows.length - (end === "open" ? (drawn.at(-1)?.length ?? 0) : 0) };
}

function runs(source: readonly string[], language: string, highlighter: Highlighter, theme: Theme): string[] {
  const out: string[] = [];
  for (let at = 0; at < source.length; at += run) {
    const part = source.slice(at, at + run);
    const lines = highlighter.lines(part.join("\n"), language);
    for (const [index, line] of part.entries()) out.push(lines?.[index] ?? theme.paint("codeBlock", printable(line)));
  }
  return out;
}

function list(
  token: Tokens.List,
  columns: number,
  setting: MarkdownSetting,
  end: "open" | "finished",
  number = firstNumber(token),
): Drawing {
  const rows: string[] = [];
  let settled = 0;
  for (const [index, item] of token.items.entries()) {
    const mark = token.ordered ? `${number + index}.` : itemMark(item, setting.theme);
    const drawn = listItem(item, mark, columns, setting, index === token.items.length - 1 ? end : "finished");
    if (index > 0 && endsApart(token.items[index - 1]?.raw ?? "")) rows.push("");
    if (drawn.settled > 0) settled = rows.length + drawn.settled;
    for (const row of drawn.rows) rows.push(row);
  }
  return { rows, settled };
}

function listItem(
  item: Tokens.ListItem,
  mark: string,
  columns: number,
  setting: MarkdownSetting,
  end: "open" | "finished",
): Drawing {
  const indent = " ".repeat(mark.length + 1);
  const body = draw(item.tokens, columns - indent.length, setting, { end, spacing: "item" });
  const head = `${setting.theme.paint("accent", mark)} `;
  const rows = (body.rows.length > 0 ? body.rows : [""]).map(
    (row, at) => (at === 0 ? head : row === "" ? "" : indent) + row,
  );
  return { rows, settled: end === "open" ? body.settled : rows.length };
}

export const firstNumber = (token: Tokens.List): number => (typeof token.start === "number" ? token.start : 1);
const itemMark = (item: Tokens.ListItem, { glyph }: Theme) =>
  !item.task ? glyph.bullet : item.checked ? glyph.checked : glyph.unchecked;

const table = (token: Tokens.Table, columns: number, setting: MarkdownSetting): string[] =>
  tableRows(
    {
      header: token.header.map((cell) => inline(cell.tokens, setting)),
      rows: token.rows.map((row) => row.map((cell) => inline(cell.tokens, setting))),
      align: token.align as (Align | null)[],
    },
    columns,
    setting.theme,
  );

/** Words with their marks, as one styled text. */
export function inline(tokens: readonly MarkToken[] | undefined, setting: MarkdownSetting): string {
  const { theme } = setting;
  let out = "";
  for (const token of tokens ?? []) {
    switch (token.type) {
      case "strong":
        out += theme.paint("strong", inline(token.tokens, setting));
        break;
      case "em":
        out += theme.paint("emphasis", inline(token.tokens, setting));
        break;
      case "del":
        out += theme.paint("struck", inline(token.tokens, setting));
        break;
      case "codespan":
        out += theme.paint("code", printable(token.text));
        break;
      case "link":
        out += anchor(token as Tokens.Link, setting);
        break;
      case "image":
        out += theme.paint("dim", `[${printable(token.text || token.href)}]`);
        break;
      case "br":
        out += "\n";
        break;
      case "text":
        out += token.tokens ? inline(token.tokens, setting) : unentity(printable(token.text));
        break;
      case "escape":
        out += printable(token.text);
        break;
      default:
        out += printable(token.raw);
    }
  }
  return out;
}

// A label that hides where it leads is shown with its address.
function anchor(token: Tokens.Link, setting: MarkdownSetting): string {
  const label = inline(token.tokens, setting) || printable(token.href);
  const text = setting.theme.paint("link", label);
  const honest = token.text === token.href || token.href === `mailto:${token.text}`;
  if (!setting.theme.links) return honest ? text : `${text} (${printable(token.href)})`;
  return link(text, token.href);
}

/** Signs that were written by their names, as themselves. */
export const unentity = (text: string): string =>
  text.includes("&")
    ? text.replace(
        /&(lt|gt|quot|amp|#39);/g,
        (_, name: string) => ({ lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" })[name] ?? "",
      )
    : text;
