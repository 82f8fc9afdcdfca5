import { type MarkdownToken, type MarkdownTokens, readMarkdown, unentity } from "@pith/tui";

/** Colours code as HTML; undefined for a language that is not known. */
export type ColourCode = (code: string, language: string) => string | undefined;

/** Escapes a text for a page. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Markdown of a model as HTML; every word of it is escaped. Code is coloured where `code` knows its language. */
export function proseHtml(text: string, code?: ColourCode): string {
  // Texts this long or nested this deep would take minutes to parse, and are not written for readers.
  if (text.length > maxText || tooDeep.test(text)) return `<pre>${escapeHtml(text)}</pre>`;
  return blocks(readMarkdown(text), code);
}

const maxText = 100_000;
const tooDeep = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])(?=[ \t>])){100}/m;

const blocks = (tokens: readonly MarkdownToken[] | undefined, code: ColourCode | undefined): string =>
  (tokens ?? []).map((token) => block(token, code)).join("");

/** HTML of a token by its type. */
type Writers = Readonly<Record<string, (token: MarkdownTokens.Generic, code?: ColourCode) => string>>;

const nothing = () => "";
const plain = ({ tokens, text }: MarkdownTokens.Generic): string =>
  tokens ? inline(tokens) : escapeHtml(unentity(text));

const blockWriters: Writers = {
  space: nothing,
  def: nothing,
  checkbox: nothing,
  heading: ({ tokens }) => `<h4>${inline(tokens)}</h4>`,
  paragraph: ({ tokens }) => `<p>${inline(tokens)}</p>`,
  text: plain,
  code: ({ text, lang }, code) => {
    const language = String(lang ?? "").split(/\s/)[0] ?? "";
    return `<pre class="code"><code>${code?.(text, language) ?? escapeHtml(text)}</code></pre>`;
  },
  blockquote: ({ tokens }, code) => `<blockquote>${blocks(tokens, code)}</blockquote>`,
  list: (token, code) => list(token as MarkdownTokens.List, code),
  table: (token) => table(token as MarkdownTokens.Table),
  hr: () => "<hr>",
};

const block = (token: MarkdownToken, code: ColourCode | undefined): string =>
  blockWriters[token.type]?.(token, code) ?? `<p>${escapeHtml(token.raw.trimEnd())}</p>`;

function list({ ordered, start, items }: MarkdownTokens.List, code: ColourCode | undefined): string {
  const body = items.map(
    (item) => `<li>${item.task ? (item.checked ? "☑ " : "☐ ") : ""}${blocks(item.tokens, code)}</li>`,
  );
  if (!ordered) return `<ul>${body.join("")}</ul>`;
  return `<ol start="${Number(start) || 0}">${body.join("")}</ol>`;
}

function table({ header, rows, align }: MarkdownTokens.Table): string {
  const cell = ({ tokens }: MarkdownTokens.TableCell, tag: "th" | "td", at: number) => {
    const side = align[at] === "right" || align[at] === "center" ? ` class="${align[at]}"` : "";
    return `<${tag}${side}>${inline(tokens)}</${tag}>`;
  };
  const row = (cells: readonly MarkdownTokens.TableCell[], tag: "th" | "td") =>
    `<tr>${cells.map((each, at) => cell(each, tag, at)).join("")}</tr>`;
  return `<table>${row(header, "th")}${rows.map((cells) => row(cells, "td")).join("")}</table>`;
}

const inline = (tokens: readonly MarkdownToken[] | undefined): string => (tokens ?? []).map(words).join("");

const styled = ({ type, tokens }: MarkdownTokens.Generic): string => `<${type}>${inline(tokens)}</${type}>`;

const wordWriters: Writers = {
  strong: styled,
  em: styled,
  del: styled,
  codespan: ({ text }) => `<code>${escapeHtml(text)}</code>`,
  link: (token) => anchor(token as MarkdownTokens.Link),
  // A page asks no network for anything.
  image: ({ text, href }) => escapeHtml(`[${text || href}]`),
  br: () => "<br>",
  checkbox: nothing,
  text: plain,
  escape: ({ text }) => escapeHtml(text),
};

const words = (token: MarkdownToken): string => wordWriters[token.type]?.(token) ?? escapeHtml(token.raw);

function anchor({ href, tokens }: MarkdownTokens.Link): string {
  const label = inline(tokens) || escapeHtml(href);
  if (!/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(href)) return label;
  return `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${label}</a>`;
}
