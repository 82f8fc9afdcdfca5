import { expect, test } from "bun:test";
import { markdownRows } from "./markdown.ts";
import { builtinLook, plainLook } from "./palette.ts";
import { width } from "./width.ts";

const look = builtinLook({ level: "256" });

const sample = `# Title *here*

A paragraph with **bold**, \`code\`, ~~gone~~ and a [link](https://pith.dev) that is long enough to wrap.

- one
- two
  - nested
- [x] done

1. first
2. second

> quoted
> text

\`\`\`ts
const x: number = 1; // note
\`\`\`

| a | b |
|---|--:|
| 1 | 2 |

---

<b>html</b> last`;

test("markdown becomes rows that fit at every width", () => {
  for (let columns = 1; columns < 100; columns += 7)
    for (const row of markdownRows(sample, columns, { look }))
      if (columns >= 8) expect(width(row)).toBeLessThanOrEqual(columns);
  expect(markdownRows(sample, 40, { look: plainLook }).join("\n")).toMatchSnapshot();
});

test("blocks in an item of a list stand apart where they do in the source", () => {
  expect(markdownRows("1. a\n\n   b\n2. c\n   - d", 20, { look: plainLook })).toEqual([
    "1. a",
    "",
    "   b",
    "2. c",
    "   • d",
  ]);
});
