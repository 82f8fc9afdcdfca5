import { expect, test } from "bun:test";
import fc from "fast-check";
import { guarded, link, oneLine, shown } from "./clean.ts";
import { parsePatch, wordDiff } from "./diff.ts";
import { diffRows } from "./diff-view.ts";
import { fuzzy } from "./fuzzy.ts";
import { createHighlighter } from "./highlight.ts";
import { markdownRows } from "./markdown.ts";
import { builtinLook, plainLook } from "./palette.ts";
import { createMarkdownStream } from "./stream.ts";
import { pen, tokens } from "./style.ts";
import { tableRows } from "./table.ts";
import { fit, graphemes, pad, slice, strip, width } from "./width.ts";
import { wrap } from "./wrap.ts";

const look = builtinLook({ level: "256" });
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
const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));

test("no cut of a text is wider than was asked for", () => {
  fc.assert(
    fc.property(text, fc.nat(30), fc.nat(30), (value, from, length) => {
      expect(width(slice(value, 0, length))).toBeLessThanOrEqual(length);
      expect(width(slice(value, from, from + length))).toBeLessThanOrEqual(length);
      expect(width(fit(value, length))).toBeLessThanOrEqual(length);
      expect(width(pad(value, length))).toBe(length);
    }),
  );
});

test("wrapping loses no letter and keeps every row inside the edge", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (value, columns) => {
      const rows = wrap(value, columns);
      for (const row of rows) expect(width(row)).toBeLessThanOrEqual(columns);
      expect(strip(rows.join("")).replaceAll(" ", "")).toBe(strip(value).replaceAll(" ", ""));
    }),
  );
});

test("colour and link go on in the next row of a wrapped text and end with each row", () => {
  const rows = wrap(`\x1b[31mred words here\x1b[39m ${link("a link of words", "https://pith.dev")}`, 6);
  for (const row of rows.slice(0, 3)) expect(row.startsWith("\x1b[31m")).toBe(true);
  const linked = rows.filter((row) => strip(row).match(/link|words$/));
  for (const row of linked.slice(1)) expect(row).toContain("\x1b]8;;https://pith.dev");
});

test("a wrapped row says its own colours, whatever form they were given in, and a wrapped link stays a link", () => {
  for (const on of ["1;38;5;110", "38;2;1;2;3", "48;5;3", "4:3", "38:5:9"])
    expect(wrap(`\x1b[${on}mone two three`, 5)).toEqual(
      ["one", "two", "three"].map((word) => `\x1b[${on}m${word}\x1b[0m`),
    );
  const rows = wrap(link("one two three", "https://pith.dev"), 5);
  expect(rows).toEqual(["one", "two", "three"].map((word) => link(word, "https://pith.dev")));
  for (const row of rows) expect(guarded(row)).toBe(row);
  expect(wrap("\x1b[1ma\nb\x1b[22m", 5)).toEqual(["\x1b[1ma\x1b[0m", "\x1b[1mb\x1b[22m"]);
});

test("a colour that ends or begins at the space where a row is broken does so in the next row", () => {
  expect(wrap("\x1b[31mre\u0301d\x1b[0m plain", 5)).toEqual(["\x1b[31mre\u0301d\x1b[0m", "plain"]);
  expect(wrap("plain\x1b[31m re\u0301d\x1b[39m", 5)).toEqual(["plain\x1b[31m\x1b[0m", "\x1b[31mre\u0301d\x1b[39m"]);
});

test("colours that were switched off do not pile up in the rows of a long paragraph", () => {
  const rows = wrap("\x1b[1mbold\x1b[22m \x1b[38;5;180mcode\x1b[39m ".repeat(50), 20);
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(100);
});

test("Chinese and Japanese text fills its rows and no row begins with a full stop", () => {
  const rows = wrap("see 日本語のテキスト。そして次の文です。", 12);
  expect(rows).toEqual(["see 日本語の", "テキスト。そ", "して次の文で", "す。"]);
});

test("indented code keeps its indentation when a word is too long for the row", () =>
  expect(wrap("    abcdefghij", 8)).toEqual(["    abcd", "efghij"]));

test("families, flags and combined letters are one character of the right width", () => {
  expect(["👨‍👩‍👧", "🇩🇪", "한", "e\u0301", "1️⃣", "x\u00ady"].map(width)).toEqual([2, 2, 2, 1, 2, 3]);
  expect(graphemes("a👨‍👩‍👧e\u0301")).toEqual(["a", "👨‍👩‍👧", "e\u0301"]);
  expect(width("\x1b]66;s=2;ab\x07c")).toBe(5);
  expect(width("\x1b]66;w=3;a\x07")).toBe(3);
});

test("control characters in content are shown and cannot reach the terminal", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (value) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
      expect(shown(value)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
      expect(guarded(value).replace(/\x1b\[[0-9;:]*m/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }),
  );
  expect(shown("\x1b]0;title\x07")).toBe("␛]0;title␇");
  expect(shown("a\u202eb")).toBe("a<202e>b");
  expect(shown("\x1b[31mred\x1b[0m\x1b[2J", "keep")).toBe("\x1b[31mred\x1b[0m␛[2J");
  expect(guarded("\x1b[31mok\x1b[2J\x1b]52;c;eA==\x07")).toBe("\x1b[31mok␛[2J␛]52;c;eA==␇");
  expect(link("x", "javascript:alert(1)")).toBe("x");
  expect(link("x", "https://a\x1b\\b")).toBe("x");
  expect(oneLine(" a\n\tb ")).toBe("a b");
});

test("tabs stand at every fourth column", () => expect(shown("a\tb\tc")).toBe("a   b   c"));

test("a style inside a style gives the outer one back", () => {
  const red = pen({ fg: 1 }, "16");
  const blue = pen({ fg: 4 }, "16");
  expect(red(`a${blue("b")}c`)).toBe("\x1b[31ma\x1b[34mb\x1b[39m\x1b[31mc\x1b[39m");
  expect(pen({ fg: "#ff0000" }, "true")("x")).toBe("\x1b[38;2;255;0;0mx\x1b[39m");
  expect(pen({ fg: "#ff0000" }, "256")("x")).toBe("\x1b[38;5;196mx\x1b[39m");
  expect(pen({ fg: "#ff0000" }, "16")("x")).toBe("\x1b[91mx\x1b[39m");
});

test("without colour nothing but attributes is sent", () => {
  const none = builtinLook({ level: "none", palette: "contrast" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
  for (const token of tokens) expect(none.paint(token, "x")).not.toMatch(/\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d|10\d)/);
  expect(none.paint("selected", "x")).toBe("\x1b[7mx\x1b[27m");
});

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

test("a streamed markdown ends with the same rows as one drawn at once, and settled rows never change", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 20, max: 80 }),
      (cuts, columns) => {
        const stream = createMarkdownStream({ look });
        let at = 0;
        let fixed: readonly string[] = [];
        for (const cut of [...cuts, sample.length]) {
          stream.append(sample.slice(at, at + cut));
          at += cut;
          const rows = stream.rows(columns);
          expect(rows.slice(0, fixed.length)).toEqual([...fixed]);
          fixed = rows.slice(0, stream.settled);
          if (at >= sample.length) break;
        }
        stream.finish();
        expect([...stream.rows(columns)]).toEqual(markdownRows(sample, columns, { look }));
        expect(stream.source).toBe(sample);
      },
    ),
    { numRuns: 40 },
  );
});

test("code is coloured once its language has been loaded, and the lines stay the lines", async () => {
  const told: number[] = [];
  const highlighter = createHighlighter(look, () => told.push(1));
  const code = "const a = `x\ny`; /* long\ncomment */ <T>1";
  expect(highlighter.lines(code, "ts")).toBeUndefined();
  expect(await highlighter.load("typescript")).toBe(true);
  await Bun.sleep(0);
  expect(told.length).toBe(1);
  const lines = highlighter.lines(code, "ts") ?? [];
  expect(lines.map(strip)).toEqual(code.split("\n"));
  expect(lines[0]).toContain("\x1b[");
  expect(highlighter.lines("x", "nonsense")).toBeUndefined();
});

test("tables shrink their widest column first and become records when nothing fits", () => {
  const table = {
    header: ["name", "what it does"],
    rows: [["read", "reads a file or a folder and says what is in it"]],
  };
  for (const columns of [80, 40, 25])
    for (const row of tableRows(table, columns, look)) expect(width(row)).toBeLessThanOrEqual(columns);
  expect(tableRows(table, 12, plainLook)[0]).toBe("name: read");
});

const patch = `--- a/x.ts
+++ b/x.ts
@@ -10,4 +10,4 @@ function f
 same
-const total = count + 1;
+const total = counted + 1;
 end
\\ No newline at end of file
`;

test("a diff names the words that changed, with signs for those who see no colour", () => {
  const lines = parsePatch(patch);
  expect(lines.map((line) => line.kind)).toEqual(["gap", "same", "removed", "added", "same"]);
  expect(
    wordDiff("const total = count + 1;", "const total = counted + 1;").after.filter((part) => part.changed),
  ).toEqual([{ text: "counted", changed: true }]);
  expect(wordDiff("abc", "xyz").before[0]?.changed).toBe(false);
  expect(diffRows(lines, 60, plainLook, "inline").map((row) => row.trimEnd())).toEqual([
    "   … function f",
    "10   same",
    "11 - const total = count + 1;",
    "11 + const total = counted + 1;",
    "12   end",
  ]);
  for (const columns of [20, 61, 140])
    for (const shape of ["inline", "split"] as const)
      for (const row of diffRows(lines, columns, look, shape)) expect(width(row)).toBeLessThanOrEqual(columns);
});

test("a fuzzy filter prefers what a person meant", () => {
  const names = ["src/screen/ledger.ts", "src/text/highlight.ts", "README.md", "src/widget/list.ts"];
  expect(fuzzy(names, "list", (name) => name)[0]?.item).toBe("src/widget/list.ts");
  expect(fuzzy(names, "scled", (name) => name)[0]?.item).toBe("src/screen/ledger.ts");
  expect(fuzzy(names, "ts text", (name) => name).length).toBe(1);
  expect(fuzzy(names, "zzz", (name) => name)).toEqual([]);
});

test("prose that is still being written looks as it will when it is finished", () => {
  const words = [
    "plain",
    "**strong**",
    "*soft*",
    "`a * b`",
    "snake_case",
    "[a link](https://pith.dev/x)",
    "~~gone~~",
    "2 * 3",
    "<b>x</b>",
    "\\*not",
    "https://pith.dev",
    "**two words**",
    "한국어",
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words), { maxLength: 30 }),
      fc.integer({ min: 10, max: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (parts, columns, cut) => {
        const source = `Start ${parts.join(" ")}`;
        const stream = createMarkdownStream({ look });
        let rows: readonly string[] = [];
        for (let at = 0; at < source.length; at += cut) {
          stream.append(source.slice(at, at + cut));
          rows = stream.rows(columns);
        }
        if (!source.includes("2 * 3"))
          expect(rows.map(strip)).toEqual(markdownRows(source, columns, { look }).map(strip));
        stream.finish();
        expect([...stream.rows(columns)]).toEqual(markdownRows(source, columns, { look }));
      },
    ),
  );
});

test("a list looks the same at its first item and at its thousandth, and an item costs the same", () => {
  let painted = 0;
  const counting: typeof look = {
    ...look,
    paint(token, words) {
      painted++;
      return look.paint(token, words);
    },
  };
  for (const item of ["- item\n", "1. item\n", "- item\n\n"]) {
    const stream = createMarkdownStream({ look: counting });
    let first: string[] = [];
    for (let at = 0; at < 1000; at++) {
      stream.append(item);
      painted = 0;
      const rows = stream.rows(40);
      expect(painted).toBeLessThan(6);
      if (at === 4) first = rows.slice(0, stream.settled);
    }
    expect(stream.rows(40).slice(0, first.length)).toEqual(first);
    expect(first.length).toBeGreaterThan(3);
    stream.finish();
    expect([...stream.rows(40)]).toEqual(markdownRows(stream.source, 40, { look }));
  }
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

test("a table breaks no word as long as there is room for all of them", () => {
  const rows = markdownRows(
    "| Column One | Column Two |\n|---|---|\n| superlongword short | otherword |\n| small | tiny |",
    29,
    { look: plainLook },
  );
  expect(rows.join("\n")).toContain("│ superlongword │ otherword │");
  for (const row of rows) expect(width(row)).toBeLessThanOrEqual(29);
});

test("no markdown whatever changes rows that were called settled", () => {
  const parts = [
    "# h\n",
    "text ",
    "- item\n",
    "  more\n",
    "\n",
    "\n\n",
    "1. x\n",
    "```ts\n",
    "code();\n",
    "```\n",
    "> q\n",
    "| a | b |\n",
    "|---|---|\n",
    "---\n",
    "**b",
    "**",
    "`",
    "<div>\n",
    "===\n",
    "    in\n",
    "[l](",
    "http://x)",
    "* s\n",
    "\t",
    "word\n",
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts), { maxLength: 40 }),
      fc.integer({ min: 8, max: 40 }),
      (pieces, columns) => {
        const stream = createMarkdownStream({ look });
        let fixed: readonly string[] = [];
        for (const piece of pieces) {
          stream.append(piece);
          const rows = stream.rows(columns);
          expect(rows.slice(0, fixed.length)).toEqual([...fixed]);
          fixed = rows.slice(0, stream.settled);
        }
        stream.finish();
        expect(stream.rows(columns).slice(0, fixed.length)).toEqual([...fixed]);
        expect(stream.source).toBe(pieces.join(""));
      },
    ),
    { numRuns: 300 },
  );
});
