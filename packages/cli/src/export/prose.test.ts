import { expect, test } from "bun:test";
import { loadCode } from "./code.ts";
import { proseHtml } from "./prose.ts";

test("a page shows what the terminal shows: headings, lists, code, quotations, tables", () => {
  expect(proseHtml("# One\n\ntwo **strong** *soft* ~~gone~~ `co<de`\nsame")).toBe(
    "<h4>One</h4><p>two <strong>strong</strong> <em>soft</em> <del>gone</del> <code>co&#60;de</code>\nsame</p>",
  );
  expect(proseHtml("- a\n  - b\n- [x] done\n\n3. c")).toBe(
    '<ul><li>a<ul><li>b</li></ul></li><li>☑ done</li></ul><ol start="3"><li>c</li></ol>',
  );
  expect(proseHtml("```html\n<b>\n```\n> said\n\n---")).toBe(
    '<pre class="code"><code>&#60;b&#62;</code></pre><blockquote><p>said</p></blockquote><hr>',
  );
  expect(proseHtml("| a | b |\n|---|---|\n| 1 | <i> |")).toBe(
    "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>&#60;i&#62;</td></tr></table>",
  );
});

test("cells stand on the side that the table says, and code has the colours of its language", async () => {
  expect(proseHtml("| a | b |\n|--:|:-:|\n| 1 | 2 |")).toBe(
    '<table><tr><th class="right">a</th><th class="center">b</th></tr><tr><td class="right">1</td><td class="center">2</td></tr></table>',
  );
  const text = "```ts\nconst a = '<b>&'; \ue0f0x\ue0f1\n```";
  const html = proseHtml(text, await loadCode([text]));
  expect(html).toContain('<span class="c-keyword">const</span>');
  expect(html).toContain("&#60;b&#62;&#38;");
  expect(html.match(/<span/g)?.length).toBe(html.match(/<\/span>/g)?.length ?? 0);
  expect(proseHtml("```nothing\nconst a\n```", await loadCode(["```nothing"]))).toContain("<code>const a</code>");
});

test("links lead to the web and to letters, nowhere else", () => {
  expect(proseHtml("[here](https://example.org/a?b=1&c=2)")).toBe(
    '<p><a href="https://example.org/a?b=1&#38;c=2" rel="noopener noreferrer">here</a></p>',
  );
  for (const target of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "//x.y",
  ])
    expect(proseHtml(`[here](${target}) <${target}>`)).not.toContain("href");
  expect(proseHtml("![a picture](https://example.org/x.png)")).toBe("<p>[a picture]</p>");
});

test("nothing that was said becomes markup, wherever it stands", () => {
  const evil = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&lt;script&gt;`;
  const places = [
    evil,
    `# ${evil}`,
    `- ${evil}`,
    `- [x] ${evil}`,
    `> ${evil}`,
    `**${evil}**`,
    `\`${evil}\``,
    `\`\`\`${evil}\n${evil}\n\`\`\``,
    `| ${evil} |\n|---|\n| ${evil} |`,
    `[${evil}](https://example.org/"><script>)`,
    `[x](<https://example.org/"onmouseover="alert(1)> "${evil}")`,
    `![${evil}](${evil})`,
    `[a]: https://example.org "${evil}"\n\n[a]`,
    `<https://example.org/"onclick="x>`,
    `&lt;script&gt; &amp;lt;script&amp;gt; \\<script>`,
  ];
  const known = /<\/?(?:p|h4|ul|ol|li|blockquote|strong|em|del|code|pre|table|tr|th|td|hr|br|a)(?:>| )/;
  for (const place of places) {
    const html = proseHtml(place);
    for (const tag of html.match(/<[^>]*>?/g) ?? []) {
      expect(tag).toMatch(known);
      expect(tag).toMatch(/^<\/?\w+(?: (?:class="code"|start="\d+"|href="[^"<>]*"|rel="noopener noreferrer"))*>$/);
    }
  }
});

test("signs that were written by their names are read like everywhere", () => {
  expect(proseHtml("a &lt;b&gt; &amp; c")).toBe("<p>a &#60;b&#62; &#38; c</p>");
});

test("a page does not wait for what nobody would read: quotations without an end, a log of megabytes", () => {
  for (const text of [`${"> ".repeat(30_000)}x`, `${"1. - ".repeat(9_000)}x`, "a <line> of a log\n".repeat(100_000)])
    expect(proseHtml(text)).toBe(`<pre>${text.replaceAll("<", "&#60;").replaceAll(">", "&#62;")}</pre>`);
});
