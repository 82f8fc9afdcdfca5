import { lexer, type Token as MarkToken, type Tokens } from "marked";
import { link, shown } from "./clean.ts";
import type { Highlighter } from "./highlight.ts";
import type { Look } from "./style.ts";
import { type Align, tableRows } from "./table.ts";
import { wrap, wrapHanging } from "./wrap.ts";

export interface MarkdownSetting {
  readonly look: Look;
  readonly highlighter?: Highlighter;
}

/** Markdown as rows, all at once. */
export function markdownRows(source: string, columns: number, setting: MarkdownSetting): string[] {
  return blocks(lexer(source), columns, setting, "finished");
}

/** Rows of one run of block tokens, one blank row between blocks. `open` marks a last block that is still being written. */
export function blocks(tokens: readonly MarkToken[], columns: number, setting: MarkdownSetting, end: "open" | "finished"): string[] {
  const rows: string[] = [];
  const real = tokens.filter((token) => token.type !== "space" && token.type !== "def");
  for (const [at, token] of real.entries()) {
    const drawn = block(token, Math.max(1, columns), setting, end === "open" && at === real.length - 1 ? "open" : "finished");
    if (drawn.length === 0) continue;
    if (rows.length > 0) rows.push("");
    for (const row of drawn) rows.push(row);
  }
  return rows;
}

function block(token: MarkToken, columns: number, setting: MarkdownSetting, end: "open" | "finished"): string[] {
  const { look } = setting;
  switch (token.type) {
    case "heading":
      return wrapHanging(inline(token.tokens, setting), columns, `${"#".repeat(token.depth)} `, " ".repeat(token.depth + 1)).map((row) =>
        look.paint("heading", row),
      );
    case "paragraph":
      return wrap(inline(token.tokens, setting), columns);
    case "code":
      return code(token as Tokens.Code, columns, setting, end);
    case "list":
      return list(token as Tokens.List, columns, setting);
    case "blockquote": {
      const bar = `${look.paint("border", look.glyph.box.v)} `;
      return blocks(token.tokens ?? [], columns - 2, setting, "finished").map((row) => bar + look.paint("quote", row));
    }
    case "table":
      return table(token as Tokens.Table, columns, setting);
    case "hr":
      return [look.paint("border", look.glyph.box.h.repeat(columns))];
    case "text":
      return wrap(token.tokens ? inline(token.tokens, setting) : shown(token.text), columns);
    default:
      return wrap(shown(token.raw.trimEnd()), columns);
  }
}

// An open block is coloured in closed runs of lines, so that its cost per frame does not grow with its length.
const run = 40;
function code(token: Tokens.Code, columns: number, setting: MarkdownSetting, end: "open" | "finished"): string[] {
  const { look, highlighter } = setting;
  const language = (token.lang ?? "").split(/\s/)[0]?.toLowerCase() ?? "";
  const source = token.text.split("\n");
  const plain = () => source.map((line) => look.paint("codeBlock", shown(line)));
  const lines =
    !highlighter || language === ""
      ? plain()
      : end === "finished" && source.length <= 2000
        ? (highlighter.lines(token.text, language) ?? plain())
        : runs(source, language, highlighter, look);
  return lines.flatMap((line) => wrap(line, columns - 2)).map((row) => `  ${row}`);
}

function runs(source: readonly string[], language: string, highlighter: Highlighter, look: Look): string[] {
  const out: string[] = [];
  for (let at = 0; at < source.length; at += run) {
    const part = source.slice(at, at + run);
    const lines = highlighter.lines(part.join("\n"), language);
    for (const [index, line] of part.entries()) out.push(lines?.[index] ?? look.paint("codeBlock", shown(line)));
  }
  return out;
}

function list(token: Tokens.List, columns: number, setting: MarkdownSetting): string[] {
  const { look } = setting;
  const rows: string[] = [];
  const first = typeof token.start === "number" ? token.start : 1;
  const digits = String(first + token.items.length - 1).length;
  for (const [index, item] of token.items.entries()) {
    const mark = token.ordered
      ? `${String(first + index).padStart(digits)}.`
      : item.task
        ? item.checked
          ? look.glyph.checked
          : look.glyph.unchecked
        : look.glyph.bullet;
    const indent = mark.length + 1;
    const body = item.tokens
      .filter((each) => (each.type as string) !== "checkbox")
      .flatMap((each) => block(each, Math.max(1, columns - indent), setting, "finished"));
    if (token.loose && index > 0) rows.push("");
    for (const [at, row] of (body.length > 0 ? body : [""]).entries()) rows.push(at === 0 ? `${look.paint("accent", mark)} ${row}` : " ".repeat(indent) + row);
  }
  return rows;
}

const table = (token: Tokens.Table, columns: number, setting: MarkdownSetting): string[] =>
  tableRows(
    {
      header: token.header.map((cell) => inline(cell.tokens, setting)),
      rows: token.rows.map((row) => row.map((cell) => inline(cell.tokens, setting))),
      align: token.align as (Align | null)[],
    },
    columns,
    setting.look,
  );

/** Words with their marks, as one styled text. */
export function inline(tokens: readonly MarkToken[] | undefined, setting: MarkdownSetting): string {
  const { look } = setting;
  let out = "";
  for (const token of tokens ?? []) {
    switch (token.type) {
      case "strong":
        out += look.paint("strong", inline(token.tokens, setting));
        break;
      case "em":
        out += look.paint("emphasis", inline(token.tokens, setting));
        break;
      case "del":
        out += look.paint("struck", inline(token.tokens, setting));
        break;
      case "codespan":
        out += look.paint("code", shown(token.text));
        break;
      case "link":
        out += anchor(token as Tokens.Link, setting);
        break;
      case "image":
        out += look.paint("dim", `[${shown(token.text || token.href)}]`);
        break;
      case "br":
        out += "\n";
        break;
      case "text":
        out += token.tokens ? inline(token.tokens, setting) : unentity(shown(token.text));
        break;
      case "escape":
        out += shown(token.text);
        break;
      default:
        out += shown(token.raw);
    }
  }
  return out;
}

// A label that hides where it leads is shown with its address.
function anchor(token: Tokens.Link, setting: MarkdownSetting): string {
  const label = inline(token.tokens, setting) || shown(token.href);
  const text = setting.look.paint("link", label);
  const honest = token.text === token.href || token.href === `mailto:${token.text}`;
  if (!setting.look.links) return honest ? text : `${text} (${shown(token.href)})`;
  return link(text, token.href);
}

const unentity = (text: string) =>
  text.includes("&") ? text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => ({ lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" })[name] ?? "") : text;
