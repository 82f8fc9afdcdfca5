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

function block(token: MarkdownToken): string {
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return "";
    case "heading":
      return `<h4>${inline(token.tokens)}</h4>`;
    case "paragraph":
      return `<p>${inline(token.tokens)}</p>`;
    case "text":
      return token.tokens ? inline(token.tokens) : escapeHtml(unentity(token.text));
    case "code":
      return `<pre class="code"><code>${escapeHtml(token.text)}</code></pre>`;
    case "blockquote":
      return `<blockquote>${blocks(token.tokens)}</blockquote>`;
    case "list":
      return list(token as MarkdownTokens.List);
    case "table":
      return table(token as MarkdownTokens.Table);
    case "hr":
      return "<hr>";
    default:
      return `<p>${escapeHtml(token.raw.trimEnd())}</p>`;
  }
}

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

function words(token: MarkdownToken): string {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return `<${token.type}>${inline(token.tokens)}</${token.type}>`;
    case "codespan":
      return `<code>${escapeHtml(token.text)}</code>`;
    case "link":
      return anchor(token as MarkdownTokens.Link);
    case "image":
      // A page asks no network for anything.
      return escapeHtml(`[${token.text || token.href}]`);
    case "br":
      return "<br>";
    case "checkbox":
      return "";
    case "text":
      return token.tokens ? inline(token.tokens) : escapeHtml(unentity(token.text));
    case "escape":
      return escapeHtml(token.text);
    default:
      return escapeHtml(token.raw);
  }
}

function anchor({ href, tokens }: MarkdownTokens.Link): string {
  const label = inline(tokens) || escapeHtml(href);
  if (!/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(href)) return label;
  return `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${label}</a>`;
}
