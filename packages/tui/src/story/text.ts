import { parsePatch } from "../text/diff.ts";
import { diffRows } from "../text/diff-view.ts";
import { markdownRows } from "../text/markdown.ts";
import { type Table, tableRows } from "../text/table.ts";
import { wrap } from "../text/wrap.ts";
import { builtinTheme, palettes } from "../theme/palette.ts";
import { styleNames, type Theme } from "../theme/theme.ts";
import { type Story, story } from "./story.ts";

const samples = ["accent", "ok", "warn", "error", "added", "removed", "keyword", "string", "comment"] as const;
const markdown = `# A heading

Some text with **strong**, *soft*, \`code\`, ~~gone~~ and a [link](https://example.org/page), \
long enough to be wrapped somewhere in the middle of it.

## Lists

- first
- second with a longer text that has to be wrapped into another row to be read in full
  - nested
- [x] done
- [ ] open

1. one
2. two

> A quotation of somebody
> over two lines.

\`\`\`ts
// a comment
export function greet(name: string, times = 1): string {
  return \`hello \${name}\`.repeat(times);
}
\`\`\`

| key | action | count |
|:----|:------:|------:|
| Enter | sends | 12 |
| Esc | leaves | 3 |

---
End.`;

const patch = `@@ -12,7 +12,8 @@ export function total(items: Item[])
   let sum = 0;
   for (const item of items) {
-    sum += item.price * item.count;
+    sum += item.price * item.quantity;
+    if (sum > limit) break;
   }
-  return sum;
+  return round(sum);
 }`;

const tools = {
  header: ["name", "what it does", "since"],
  rows: [
    ["read", "reads a file, a folder, an archive or a page and says what is in it, with line numbers", "1.0"],
    ["한국어", "wide letters keep their columns", "1.1"],
    ["👨‍👩‍👧", "so do families", "1.2"],
  ],
  align: [null, null, "right"],
} satisfies Table;
const letters = "plain 한국어 日本語 中文 👨‍👩‍👧‍👦 🇩🇪🇫🇷 e\u0301te\u0301 naïve 1️⃣ ⚠️ नमस्ते ไทย עברית العربية ";
const diff = (columns: number, theme: Theme, layout: "inline" | "split" = "inline") =>
  diffRows(parsePatch(patch), columns, theme, layout);

export const textStories: readonly Story[] = [
  story("tokens", "every name a colour has", ({ theme, columns }) =>
    wrap(styleNames.map((token) => theme.paint(token, token)).join("  "), columns),
  ),
  story("markdown", "what a model writes", ({ theme, columns, highlighter }) =>
    markdownRows(markdown, columns, { theme, highlighter }),
  ),
  story("diff-inline", "a change, word by word", ({ theme, columns }) => diff(columns, theme)),
  story("diff-split", "the same, side by side", ({ theme, columns }) => diff(columns, theme, "split")),
  story("diff-colour-blind", "the same in colours that everybody tells apart", ({ columns, level }) =>
    diff(columns, builtinTheme({ level, colourBlind: true })),
  ),
  story("diff-no-colour", "the same without colours", ({ columns }) => diff(columns, builtinTheme({ level: "none" }))),
  story("palettes", "dark, light, high contrast", ({ level }) =>
    Object.keys(palettes).map((palette) => {
      const theme = builtinTheme({ level, palette: palette as keyof typeof palettes });
      return [palette.padEnd(9), ...samples.map((token) => theme.paint(token, token))].join(" ");
    }),
  ),
  story("table", "columns that share the room they have", ({ theme, columns }) =>
    tableRows(tools, Math.min(columns, 60), theme),
  ),
  story("wide-letters", "letters of every width, wrapped", ({ columns }) => wrap(letters.repeat(3), columns)),
];
