import { expect, test } from "bun:test";
import { blockAt } from "./block.ts";
import { parseErrorsAside } from "./error.ts";
import { type LanguageName, languageOf, languages } from "./language.ts";
import { openLanguage } from "./open.ts";
import { summarise, summaryLimits } from "./summary.ts";

interface Sample {
  file: string;
  text: string;
  /** Line asked for, first and last line of the construct. */
  blocks: [number, number][];
  /** Lines that the summary leaves out. */
  elided: string;
  /** A broken variant of the text. */
  broken: string;
}

const body = (open: string, close: string, line = (i: number) => `  step(${i});`) =>
  [open, ...[1, 2, 3, 4, 5].map(line), close].join("\n");

const samples: Partial<Record<LanguageName, Sample>> = {
  typescript: {
    file: "a.ts",
    text: `import { x } from "y";\n@dec\nclass A {\n${body("  run(): void {", "  }")}\n}\n`,
    blocks: [
      [2, 11],
      [3, 11],
      [4, 10],
      [5, 5],
    ],
    elided: "5-9",
    broken: "let a = (1;\n",
  },
  tsx: {
    file: "a.tsx",
    text: `${body("export const A = () => {", "};")}\nconst b = <p>{1}</p>;\n`,
    blocks: [
      [1, 7],
      [8, 8],
    ],
    elided: "2-6",
    broken: "const b = <p>;\n",
  },
  javascript: {
    file: "a.cjs",
    text: body("function a(x) {", "}\n"),
    blocks: [[1, 7]],
    elided: "2-6",
    broken: "function (",
  },
  html: {
    file: "a.html",
    text: `<html>\n${body("<script>", "</script>")}\n</html>\n`,
    blocks: [
      [1, 9],
      [2, 8],
    ],
    elided: "3-7",
    broken: "<div><<p>x</div",
  },
  css: {
    file: "a.css",
    text: `${body("@media print {\n  .a {", "  }\n}", (i) => `    top: ${i}px;`)}\n.b { color: red; }\n`,
    blocks: [
      [1, 9],
      [2, 8],
      [10, 10],
    ],
    elided: "3-7",
    broken: ".a { color: red; ",
  },
  python: {
    file: "a.py",
    text: [
      'import os\n\n@dec\ndef a(x):\n    """Doc."""',
      ...[1, 2, 3, 4].map((i) => `    step(${i})`),
      "\nclass B:\n    def c(self):\n        return 1\n",
    ].join("\n"),
    blocks: [
      [3, 9],
      [4, 9],
      [6, 6],
      [11, 13],
      [12, 13],
    ],
    elided: "6-9",
    broken: "def a(:\n    pass\n",
  },
  rust: {
    file: "a.rs",
    text: `/// Doc.\n#[test]\n${body("fn a(x: u8) -> u8 {", "}")}\nimpl T {\n    fn b() {}\n}\n`,
    blocks: [
      [3, 9],
      [10, 12],
      [11, 11],
    ],
    elided: "4-8",
    broken: "fn a( {}\n",
  },
  go: {
    file: "a.go",
    text: `package p\n\n${body("func A(x int) int {", "}")}\n\ntype T struct {\n\tX int\n}\n`,
    blocks: [
      [3, 9],
      [4, 4],
      [11, 13],
    ],
    elided: "4-8",
    broken: "package p\nfunc A( {\n",
  },
  java: {
    file: "A.java",
    text: `class A {\n  @Override\n${body("  public void a() {", "  }")}\n}\n`,
    blocks: [
      [1, 10],
      [2, 9],
      [3, 9],
    ],
    elided: "4-8",
    broken: "class A { void a( { } }\n",
  },
  c: {
    file: "a.c",
    text: `#include <x.h>\n${body("int a(int x)\n{", "}")}\nstruct s {\n  int y;\n};\n`,
    blocks: [
      [2, 9],
      [3, 9],
      [10, 12],
    ],
    elided: "4-8",
    broken: "int a( { }\n",
  },
  cpp: {
    file: "a.hpp",
    text: `class A {\n public:\n${body("  int a() const {", "  }")}\n};\n`,
    blocks: [
      [1, 10],
      [3, 9],
    ],
    elided: "4-8",
    broken: "class A { int a( { } };\n",
  },
  "c-sharp": {
    file: "A.cs",
    text: `namespace N {\nclass A {\n  [Test]\n${body("  public void B() {", "  }")}\n}\n}\n`,
    blocks: [
      [1, 12],
      [2, 11],
      [3, 10],
      [4, 10],
    ],
    elided: "5-9",
    broken: "class A { void B( { } }\n",
  },
  ruby: {
    file: "Rakefile",
    text: `class A\n${body("  def b(x)", "  end", (i) => `    step(${i})`)}\nend\n`,
    blocks: [
      [1, 9],
      [2, 8],
      [3, 3],
    ],
    elided: "3-7",
    broken: "def a(\nend\n",
  },
  php: {
    file: "a.php",
    text: `<?php\nclass A {\n${body("  function b($x) {", "  }")}\n}\n`,
    blocks: [
      [2, 10],
      [3, 9],
      [4, 4],
    ],
    elided: "4-8",
    broken: "<?php function a( { }\n",
  },
  bash: {
    file: "a.sh",
    text: `#!/bin/sh\n${body("a() {", "}", (i) => `  echo ${i}`)}\nif true; then\n  echo 1\nfi\n`,
    blocks: [
      [2, 8],
      [9, 11],
      [10, 10],
    ],
    elided: "3-7",
    broken: "if true; then\n",
  },
  json: {
    file: "a.json",
    text: JSON.stringify({ a: 1, list: Array.from({ length: 20 }, (_, i) => i), b: { c: 2 } }, null, 2),
    blocks: [
      [3, 24],
      [25, 27],
    ],
    elided: "4-23",
    broken: '{ "a": , }',
  },
  yaml: {
    file: "a.yml",
    text: `a:\n${Array.from({ length: 20 }, (_, i) => `  k${i}: ${i}`).join("\n")}\nb:\n  - x\n  - y: 1\n    z: 2\n`,
    blocks: [
      [1, 21],
      [2, 2],
      [22, 25],
      [24, 25],
    ],
    elided: "3-21",
    broken: "a: [1, 2\nb: }\n",
  },
  toml: {
    file: "Cargo.toml",
    text: `a = [\n${Array.from({ length: 20 }, (_, i) => `  ${i},`).join("\n")}\n]\n[b]\nc = 1\n`,
    blocks: [
      [1, 22],
      [23, 24],
    ],
    elided: "2-21",
    broken: "a = \n",
  },
  lua: {
    file: "a.lua",
    text: `local t = {}\n${body("function t.a(x)", "end")}\n`,
    blocks: [
      [1, 1],
      [2, 8],
      [3, 3],
    ],
    elided: "3-7",
    broken: "function a( end\n",
  },
  kotlin: {
    file: "a.kt",
    text: `class A {\n  @JvmStatic\n${body("  fun a(x: Int): Int {", "  }")}\n}\n`,
    blocks: [
      [1, 10],
      [2, 9],
      [3, 9],
    ],
    elided: "4-8",
    broken: "fun a( {}\n",
  },
  scala: {
    file: "a.scala",
    text: `object A {\n${body("  def a(x: Int): Int = {", "  }")}\n}\n`,
    blocks: [
      [1, 9],
      [2, 8],
    ],
    elided: "3-7",
    broken: "object A { def a( = }\n",
  },
  elixir: {
    file: "a.ex",
    text: [
      "defmodule A do",
      `${body("  def b(x) do", "  end", (i) => `    step(${i})`)}\n`,
      body("  def c do", "  end", (i) => `    step(${i})`),
      "end\n",
    ].join("\n"),
    blocks: [
      [1, 17],
      [2, 8],
      [3, 3],
    ],
    elided: "3-7,11-15",
    broken: "defmodule A do\n",
  },
  zig: {
    file: "a.zig",
    text: `const a = 1;\n${body("fn b(x: u8) u8 {", "}")}\n`,
    blocks: [
      [1, 1],
      [2, 8],
    ],
    elided: "3-7",
    broken: "fn b( {}\n",
  },
  swift: {
    file: "a.swift",
    text: `class A {\n${body("  func b(x: Int) {", "  }", (i) => `    step(${i})`)}\n}\n`,
    blocks: [
      [1, 9],
      [2, 8],
    ],
    elided: "3-7",
    broken: "func a( {\n",
  },
  dart: {
    file: "a.dart",
    text: `class A {\n${body("  int b(int x) {", "  }")}\n}\n`,
    blocks: [[1, 9]],
    elided: "3-7",
    broken: "int a( {\n",
  },
};

const limits = { limits: { ...summaryLimits, minLines: 1 } };

for (const [name, sample] of Object.entries(samples) as [LanguageName, Sample][]) {
  const open = () => openLanguage(name);
  test(`${name}: the file name tells the language`, () => expect(languageOf(sample.file)).toBe(name));
  test(`${name}: a summary leaves out the body and nothing else`, async () => {
    const summary = summarise(sample.text, await open(), limits);
    expect(summary?.elided.map(({ from, to }) => `${from}-${to}`).join()).toBe(sample.elided);
  });
  test(`${name}: a block is the construct that begins on the line`, async () => {
    const language = await open();
    const blocks = sample.blocks.map(([line]): [number, number | undefined] => [
      line,
      blockAt(sample.text, language, line)?.to,
    ]);
    expect(blocks).toEqual(sample.blocks);
  });
  test(`${name}: what parses has no errors, what does not is named`, async () => {
    const language = await open();
    expect(await parseErrorsAside(sample.text, language)).toEqual([]);
    expect(await parseErrorsAside(sample.broken, language)).not.toEqual([]);
  });
}

test("every language with a grammar has a sample", () => {
  const parsed = (Object.keys(languages) as LanguageName[]).filter((name) => languages[name].parser !== "lines");
  expect(Object.keys(samples).sort()).toEqual(parsed.sort());
});
