import { lexer, type Token as MarkToken, type Tokens } from "marked";
import type { StyleName, Theme } from "../theme/theme.ts";
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
 * Markdown as a tree, for rows here and for pages elsewhere. A text that would take long to read, or is nested too
 * deeply, is plain text: nobody wrote it by hand.
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

const marks = /[*_~[\]]+/g;
const most = { line: 300, paragraph: 2000 };
/** True where reading would take long: it takes the square of the number of marks, and of lists in lists. */
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
  /** Number of first rows that stay as they are, whatever is written behind them. */
  readonly settled: number;
}

type End = DrawOptions["end"];

export interface DrawOptions {
  /** `open` while the last block is still being written. */
  end?: "open" | "finished";
  /** On a page every block stands apart; in an item of a list only blocks that stand apart in the source do. */
  spacing?: "page" | "item";
  /** Set where the first block is the rest of a list: the number of its next item. */
  number?: number;
}

/** Rows of block tokens. The look of a block never depends on the ones after it, tables aside. */
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
    const number = at === 0 ? options.number : undefined;
    const drawn = block(token, Math.max(1, columns), setting, { end: open ? "open" : "finished", number });
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

function block(token: MarkToken, columns: number, setting: MarkdownSetting, { end, number }: DrawOptions): Drawing {
  const { theme } = setting;
  if (token.type === "code") return code(token as Tokens.Code, columns, setting, end);
  if (token.type === "list") return list(token as Tokens.List, columns, setting, { end, number });
  if (token.type !== "blockquote") {
    const rows = plainBlock(token, columns, setting);
    return { rows, settled: end === "open" ? 0 : rows.length };
  }
  const bar = `${theme.paint("border", theme.glyph.box.v)} `;
  const { rows, settled } = draw(token.tokens ?? [], columns - 2, setting, { end });
  return { rows: rows.map((row) => bar + theme.paint("quote", row)), settled };
}

/** Rows of a block that may become something else as long as it is open. */
function plainBlock(token: MarkToken, columns: number, setting: MarkdownSetting): string[] {
  const { theme } = setting;
  switch (token.type) {
    case "heading": {
      // Marks tell a heading where no colour tells it from strong words, or from any.
      const plain = [theme.paint("strong", "x"), "x"].includes(theme.paint("heading", "x"));
      const marks = plain ? `${"#".repeat(token.depth)} ` : "";
      const rows = wrapHanging(inline(token.tokens, setting), columns, marks, " ".repeat(marks.length));
      return rows.map((row) => theme.paint("heading", row));
    }
    case "table":
      return table(token as Tokens.Table, columns, setting);
    case "hr":
      return [theme.paint("border", theme.glyph.box.h.repeat(columns))];
    case "paragraph":
    case "text":
      return wrap(token.tokens ? inline(token.tokens, setting) : printable(token.text), columns);
    default:
      return wrap(printable(token.raw.trimEnd()), columns);
  }
}

/** Lines that an open block of code colours together, so that its cost per frame does not grow with its length. */
const runLines = 40;
const maxWhole = 2000;

function code(token: Tokens.Code, columns: number, { theme, highlighter }: MarkdownSetting, end: End): Drawing {
  const language = (token.lang ?? "").split(/\s/)[0]?.toLowerCase() ?? "";
  const source = token.text.split("\n");
  const run = end === "open" || source.length > maxWhole ? runLines : source.length;
  const drawn: string[][] = [];
  for (let from = 0; from < source.length; from += run) {
    const part = source.slice(from, from + run);
    const lines = language === "" ? undefined : highlighter?.lines(part.join("\n"), language);
    for (const [at, line] of part.entries()) {
      const coloured = lines?.[at] ?? theme.paint("codeBlock", printable(line));
      drawn.push(wrap(coloured, Math.max(1, columns - 2)).map((row) => `  ${row}`));
    }
  }
  const rows = drawn.flat();
  return { rows, settled: rows.length - (end === "open" ? (drawn.at(-1)?.length ?? 0) : 0) };
}

function list(token: Tokens.List, columns: number, setting: MarkdownSetting, options: DrawOptions): Drawing {
  const { end, number = firstNumber(token) } = options;
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

function listItem(item: Tokens.ListItem, mark: string, columns: number, setting: MarkdownSetting, end: End): Drawing {
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

const inlineStyles: Record<string, StyleName> = { strong: "strong", em: "emphasis", del: "struck" };

/** Words with their marks, as one styled text. */
export function inline(tokens: readonly MarkToken[] | undefined, setting: MarkdownSetting): string {
  return (tokens ?? []).map((token) => inlineToken(token, setting)).join("");
}

function inlineToken(token: MarkToken, setting: MarkdownSetting): string {
  const { theme } = setting;
  const style = inlineStyles[token.type];
  if (style) return theme.paint(style, inline((token as Tokens.Strong).tokens, setting));
  switch (token.type) {
    case "codespan":
      return theme.paint("code", printable(token.text));
    case "link":
      return anchor(token as Tokens.Link, setting);
    case "image":
      return theme.paint("dim", `[${printable(token.text || token.href)}]`);
    case "br":
      return "\n";
    case "text":
      return token.tokens ? inline(token.tokens, setting) : unentity(printable(token.text));
    default:
      return printable(token.type === "escape" ? token.text : token.raw);
  }
}

/** A link; where links are only text, one whose label is not its address is shown with its address. */
function anchor(token: Tokens.Link, setting: MarkdownSetting): string {
  const label = inline(token.tokens, setting) || printable(token.href);
  const text = setting.theme.paint("link", label);
  const honest = token.text === token.href || token.href === `mailto:${token.text}`;
  if (!setting.theme.links) return honest ? text : `${text} (${printable(token.href)})`;
  return link(text, token.href);
}

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" };

/** A text with the signs that were written by their names. */
export const unentity = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => entities[name] ?? "");
