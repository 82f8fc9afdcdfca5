import { type MarkdownToken, type MarkdownTokens, readMarkdown, unentity } from "@pith/tui";

/** Escapes a text for a page. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Markdown of a model as HTML; every word of it is escaped. */
export function proseHtml(text: string): string {
  // Texts this long or nested this deep would take minutes to parse, and are not written for readers.
  if (text.length > maxText || tooDeep.test(text)) return `<pre>${escapeHtml(text)}</pre>`;
  return blocks(readMarkdown(text));
}

const maxText = 100_000;
const tooDeep = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])(?=[ \t>])){100}/m;

const blocks = (tokens: readonly MarkdownToken[] | undefined): string => (tokens ?? []).map(block).join("");

/** HTML of a token by its type. */
type Writers = Readonly<Record<string, (token: MarkdownTokens.Generic) => string>>;

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
  code: ({ text }) => `<pre class="code"><code>${escapeHtml(text)}</code></pre>`,
  blockquote: ({ tokens }) => `<blockquote>${blocks(tokens)}</blockquote>`,
  list: (token) => list(token as MarkdownTokens.List),
  table: (token) => table(token as MarkdownTokens.Table),
  hr: () => "<hr>",
};

const block = (token: MarkdownToken): string =>
  blockWriters[token.type]?.(token) ?? `<p>${escapeHtml(token.raw.trimEnd())}</p>`;

function list({ ordered, start, items }: MarkdownTokens.List): string {
  const body = items.map((item) => `<li>${item.task ? (item.checked ? "☑ " : "☐ ") : ""}${blocks(item.tokens)}</li>`);
  if (!ordered) return `<ul>${body.join("")}</ul>`;
  return `<ol start="${Number(start) || 0}">${body.join("")}</ol>`;
}

function table({ header, rows }: MarkdownTokens.Table): string {
  const row = (cells: readonly MarkdownTokens.TableCell[], tag: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell.tokens)}</${tag}>`).join("")}</tr>`;
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
