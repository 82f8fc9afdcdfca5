import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { languageOf } from "./language.ts";
import { openLanguage } from "./open.ts";
import { type Summary, summarise, summaryLimits } from "./summary.ts";

const limits = { limits: { ...summaryLimits, minLines: 1 } };
const typescript = await openLanguage("typescript");

/** As a reader would print it. */
const shown = (summary: Summary | undefined) =>
  summary?.rows
    .map((row) =>
      row.show === "line"
        ? `${row.line}:${row.text}`
        : row.show === "merged"
          ? `${row.line}-${row.to}:${row.text}`
          : `... ${row.from}-${row.to}`,
    )
    .join("\n");

const steps = (count: number, indent = "  ") =>
  Array.from({ length: count }, (_, i) => `${indent}step(${i});`).join("\n");

test("a body between brace lines becomes one line, and short bodies stay", () => {
  const text = `export function long(a: number) {\n${steps(6)}\n}\n\nfunction short() {\n  return 1;\n}\n`;
  expect(shown(summarise(text, typescript, limits))).toBe(
    "1-8:export function long(a: number) { .. }\n9:\n10:function short() {\n11:  return 1;\n12:}",
  );
});

test("a module wrapped in one function still shows its declarations", () => {
  const inner = [1, 2, 3].map((i) => `  function f${i}() {\n${steps(8, "    ")}\n  }`).join("\n");
  expect(shown(summarise(`(function () {\n${inner}\n})();\n`, typescript, limits))).toBe(
    "1:(function () {\n2-11:  function f1() { .. }\n12-21:  function f2() { .. }\n22-31:  function f3() { .. }\n32:})();",
  );
});

test("a long literal is left out, a short one is not", () => {
  const list = (count: number) =>
    `const list = [\n${Array.from({ length: count }, (_, i) => `  ${i},`).join("\n")}\n];\n`;
  expect(summarise(list(8), typescript, limits)).toBeUndefined();
  expect(shown(summarise(list(30), typescript, limits))).toBe("1-32:const list = [ .. ];");
});

test("a docstring says what the left-out body does", async () => {
  const text =
    'def a():\n    """What it does."""\n    one()\n    two()\n    three()\n    four()\n\nclass B:\n    x = 1\n';
  expect(shown(summarise(text, await openLanguage("python"), limits))).toBe(
    '1:def a():\n2:    """What it does."""\n... 3-6\n7:\n8:class B:\n9:    x = 1',
  );
});

test("prose keeps its headings and the first lines below them", async () => {
  const text = [
    "# One",
    "",
    "First.",
    "Second.",
    "Third.",
    "Fourth.",
    "Fifth.",
    "Sixth.",
    "",
    "Two",
    "---",
    "",
    "```sh",
    "# no heading",
    "```",
    "",
    "## Three",
    "",
  ].join("\n");
  expect(shown(summarise(text, await openLanguage("markdown"), limits))).toBe(
    "1:# One\n2:\n3:First.\n4:Second.\n... 5-8\n9:\n10:Two\n11:---\n12:\n13:```sh\n14:# no heading\n15:```\n16:\n17:## Three",
  );
});

test("a short, a huge or an unbroken text is shown as it is", () => {
  const text = `function a() {\n${steps(50)}\n}\n`;
  expect(summarise(text, typescript)).toBeUndefined();
  expect(summarise(text, typescript, { limits: { ...limits.limits, maxLines: 20 } })).toBeUndefined();
  expect(summarise(text, typescript, { limits: { ...limits.limits, maxBytes: 100 } })).toBeUndefined();
  expect(
    summarise(`${Array.from({ length: 200 }, (_, i) => `const a${i} = ${i};`).join("\n")}\n`, typescript),
  ).toBeUndefined();
});

test("lines end without a carriage return, and the last line needs no newline", () => {
  const text = `function a() {\r\n${steps(6).replaceAll("\n", "\r\n")}\r\n}\r\nconst b = 1;`;
  expect(shown(summarise(text, typescript, limits))).toBe("1-8:function a() { .. }\n9:const b = 1;");
});

test("every line is either shown with its own text or named as left out, whatever the text", () => {
  const part = fc.constantFrom(
    "function f() {",
    "}",
    "class A {",
    "  m() {",
    "  }",
    "const x = [",
    "];",
    "  step();",
    "",
    "/*",
    "*/",
    "`",
    "if (",
    "=> {",
    "})",
    "é😀",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 120 }), (lines) => {
      const summary = summarise(lines.join("\n"), typescript, {
        limits: { ...limits.limits, minBody: 1, minData: 1, minComment: 1 },
      });
      if (!summary) return;
      const seen = new Map<number, string>();
      for (const row of summary.rows) {
        if (row.show === "line") seen.set(row.line, row.text);
        if (row.show === "merged") {
          seen.set(row.line, row.text.split(" .. ")[0] ?? "");
          seen.set(row.to, row.text.split(" .. ")[1] ?? "");
        }
      }
      const left = new Set(
        summary.elided.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i)),
      );
      expect(left.size).toBe(summary.elidedLines);
      for (let line = 1; line <= summary.totalLines; line++) {
        expect(seen.has(line)).toBe(!left.has(line));
        if (seen.has(line)) expect(seen.get(line)?.trim()).toBe(lines[line - 1]?.trim() ?? "");
      }
    }),
    { numRuns: 300 },
  );
});

test("a summary of any file of this project shows lines as they stand, and names exactly those left out", async () => {
  const root = join(import.meta.dir, "../../../..");
  let summaries = 0;
  const names = ["packages/*/src", "bench", "scripts", "docs"].flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**/*.{ts,mjs,md}`).scanSync(root),
  ]);
  for (const name of names) {
    const text = readFileSync(join(root, name), "utf8");
    const language = languageOf(name, text);
    const summary = language && summarise(text, await openLanguage(language));
    if (!summary) continue;
    summaries++;
    const lines = text.split("\n");
    const seen = summary.rows.flatMap((row) =>
      row.show === "line" ? [row.line] : row.show === "merged" ? [row.line, row.to] : [],
    );
    const hidden = summary.elided.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
    expect([name, [...seen, ...hidden].sort((a, b) => a - b)]).toEqual([
      name,
      Array.from({ length: summary.totalLines }, (_, i) => i + 1),
    ]);
    for (const row of summary.rows) {
      if (row.show === "line") expect([name, row.text]).toEqual([name, lines[row.line - 1] ?? ""]);
      if (row.show === "merged")
        expect([name, row.text]).toEqual([name, `${lines[row.line - 1]?.trimEnd()} .. ${lines[row.to - 1]?.trim()}`]);
    }
  }
  expect(summaries).toBeGreaterThan(50);
});
