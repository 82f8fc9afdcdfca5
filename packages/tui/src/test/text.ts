import fc from "fast-check";

const piece = fc.constantFrom(
  "a",
  "word ",
  " ",
  "한",
  "国",
  "👨‍👩‍👧",
  "🇩🇪",
  "e\u0301",
  "\u0301",
  "\x1b[31m",
  "\x1b[0m",
  "1️⃣",
  "ö",
  "⚠️",
  "-",
  "\x1b]8;;http://x.y\x1b\\",
  "\x1b]8;;\x1b\\",
);

/** Any text of letters that terminals count differently, with colours and links. */
export const pieced = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));

/** Markdown with one of everything. */
export const sample = `# Title *here*

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
