/** Text for a page: nothing in it is markup. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** As much of Markdown as answers of models need to be read: fences, headings, lists, code, strong words, links. */
export function proseHtml(text: string): string {
  const html: string[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    const fence = /^\s*(`{3,}|~{3,})(.*)$/.exec(lines[at] ?? "");
    if (fence) {
      const end = lines.findIndex((line, index) => index > at && line.trim().startsWith(fence[1] ?? "```"));
      const stop = end === -1 ? lines.length : end;
      html.push(`<pre class="code"><code>${escapeHtml(lines.slice(at + 1, stop).join("\n"))}</code></pre>`);
      at = stop + 1;
      continue;
    }
    const end = lines.findIndex((line, index) => index >= at && /^\s*(?:`{3,}|~{3,})/.test(line));
    const stop = end === -1 ? lines.length : end;
    html.push(blocks(lines.slice(at, stop)));
    at = stop;
  }
  return html.join("");
}

const blocks = (lines: readonly string[]): string =>
  lines
    .join("\n")
    .split(/\n{2,}/)
    .map((block) => block.replace(/^\n+|\n+$/g, ""))
    .filter((block) => block !== "")
    .map(paragraph)
    .join("");

function paragraph(block: string): string {
  const heading = /^(#{1,6})\s+([^\n]*)$/.exec(block);
  if (heading) return `<h4>${inline(heading[2] ?? "")}</h4>`;
  return `<p>${inline(block)}</p>`;
}

/** Escaped first: what is added afterwards is all the markup there is. */
function inline(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, at) => (at % 2 === 1 ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : words(escapeHtml(part))))
    .join("");
}

const words = (text: string): string =>
  text
    .replace(/\*\*([^*\n]+)\*\*/g, "<strong>$1</strong>")
    .replace(/\[([^\]\n]+)\]\((https?:\/\/[^\s()]+)\)/g, '<a href="$2" rel="noopener noreferrer">$1</a>');
