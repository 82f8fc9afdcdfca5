import { expect, test } from "bun:test";
import fc from "fast-check";
import { sample } from "../test/text.ts";
import { builtinTheme, plainTheme } from "../theme/palette.ts";
import { markdownRows } from "./markdown.ts";
import { createMarkdownStream } from "./stream.ts";
import { strip } from "./width.ts";

const theme = builtinTheme({ level: "256" });

test("a streamed markdown ends with the same rows as one drawn at once, and settled rows never change", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 20, max: 80 }),
      (cuts, columns) => {
        const stream = createMarkdownStream({ theme });
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
        expect([...stream.rows(columns)]).toEqual(markdownRows(sample, columns, { theme }));
        expect(stream.source).toBe(sample);
      },
    ),
    { numRuns: 40 },
  );
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
        const stream = createMarkdownStream({ theme });
        let rows: readonly string[] = [];
        for (let at = 0; at < source.length; at += cut) {
          stream.append(source.slice(at, at + cut));
          rows = stream.rows(columns);
        }
        if (!source.includes("2 * 3"))
          expect(rows.map(strip)).toEqual(markdownRows(source, columns, { theme }).map(strip));
        stream.finish();
        expect([...stream.rows(columns)]).toEqual(markdownRows(source, columns, { theme }));
      },
    ),
  );
});

test("a list looks the same at its first item and at its thousandth, and an item costs the same", () => {
  let painted = 0;
  const counting: typeof theme = {
    ...theme,
    paint(token, words) {
      painted++;
      return theme.paint(token, words);
    },
  };
  for (const item of ["- item\n", "1. item\n", "- item\n\n"]) {
    const stream = createMarkdownStream({ theme: counting });
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
    expect([...stream.rows(40)]).toEqual(markdownRows(stream.source, 40, { theme }));
  }
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
        const stream = createMarkdownStream({ theme });
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

test("a text that is nothing but marks costs no more than a moment", () => {
  const began = performance.now();
  for (const heavy of [`${"*a **b ".repeat(3000)}${"** c*".repeat(3000)}`, `${"> ".repeat(5000)}x`]) {
    const rows = markdownRows(heavy, 80, { theme: plainTheme });
    expect(rows.join("").length).toBeGreaterThan(5000);
  }
  const deep = Array.from({ length: 500 }, (_, at) => `${" ".repeat(2 * at)}- a`).join("\n");
  expect(markdownRows(deep, 80, { theme: plainTheme }).length).toBeGreaterThan(400);
  expect(performance.now() - began).toBeLessThan(3000);
});
