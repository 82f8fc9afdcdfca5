// File contents as the model gets them, in the real program: never more than fits, always with the way to the rest.
import { expect, test } from "bun:test";
import { answers } from "../answers.ts";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const next = (text = "") => /Go on with (\S+?)\]/.exec(text)?.[1] ?? "";

test("a read fits, whatever the file, and the named selector brings the next lines", async () => {
  using dir = scratch();
  const row = (i: number) => `{"id":${i},"text":"${"x".repeat(400)}"}`;
  dir.write({ "work/data.jsonl": `${Array.from({ length: 4000 }, (_, i) => row(i + 1)).join("\n")}\n` });
  const [first = ""] = await answers(dir, [["read", { path: "data.jsonl" }]]);
  expect(first.length).toBeLessThan(33_500);
  expect(next(first)).toMatch(/^data\.jsonl:\d+-\d+$/);
  const [second = "", all = "", raw = ""] = await answers(dir, [
    ["read", { path: next(first) }],
    ["read", { path: "data.jsonl:1-4000" }],
    ["read", { path: "data.jsonl:raw" }],
  ]);
  const last = Number(/:(\d+)-/.exec(next(first))?.[1]) - 1;
  expect(first).toContain(`\n${last}:{"id":${last},`);
  expect(second).toContain(`\n${last + 1}:{"id":${last + 1},`);
  for (const text of [second, all, raw]) expect(text.length).toBeLessThan(33_500);
});

test("a small window gets 8 KB, and is told so", async () => {
  using dir = scratch();
  dir.write({ "work/long.txt": "some words of a line\n".repeat(5000) });
  const calls: [string, object][] = [
    ["read", { path: "long.txt" }],
    ["search", { pattern: "words", paths: "long.txt" }],
  ];
  const [read = "", search = ""] = await answers(dir, calls, { window: 16_000 });
  expect(read.length).toBeGreaterThan(6000);
  for (const text of [read, search]) expect(text.length).toBeLessThan(9000);
});

test("a summary covers the whole file within the limit", async () => {
  using dir = scratch();
  const code = Array.from(
    { length: 3300 },
    (_, i) => `export function make${i}(a: number) {\n  const b = a;\n  call(b);\n  call(a);\n  return b;\n}\n`,
  ).join("");
  dir.write({ "work/many.ts": code });
  const [first = ""] = await answers(dir, [["read", { path: "many.ts" }]]);
  expect(first.length).toBeLessThan(36_000);
  expect(first.match(/export function make\d+/g)?.length).toBeGreaterThan(500);
  const [, rows, rest] = /(\d+) more rows in (many\.ts:\d+-19800)/.exec(first) ?? [];
  expect((first.match(/export function make\d+/g)?.length ?? 0) + Number(rows)).toBe(3300);
  const [second = ""] = await answers(dir, [["read", { path: rest }]]);
  expect(second).toMatch(/^\[many\.ts#\w+\]\n\d+-\d+:export function make\d+\(a: number\) \{ \.\. \}/);
});

test("in every dialect a read shows path and numbers, and its description says so", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "one\ntwo\n" });
  for (const mode of ["hashline", "replace", "patch", "apply_patch"]) {
    const [text = "", hit = ""] = await answers(
      dir,
      [
        ["read", { path: "a.ts" }],
        ["search", { pattern: "two", paths: "a.ts" }],
      ],
      { config: `edit.mode: ${mode}\n` },
    );
    const mark = mode === "hashline" ? ":" : "\\|";
    expect([mode, text]).toEqual([
      mode,
      expect.stringMatching(new RegExp(`^\\[a\\.ts(#\\w+)?\\]\n1${mark}one\n2${mark}two`)),
    ]);
    expect([mode, hit]).toEqual([
      mode,
      expect.stringMatching(new RegExp(`^\\[a\\.ts(#\\w+)?\\]\n 1${mark}one\n\\*2${mark}two`)),
    ]);
    const { out } = await pith(dir, ["-p", "look", "--mode", "json", ...scripted(dir, { text: "done" })]);
    const prompt = out.split("\n").find((line) => line.includes('"pith.prompt"')) ?? "";
    const about = /Reads anything\. .*?Searches file contents .*?around it/s.exec(prompt)?.[0] ?? "";
    expect([mode, about.includes("[path#TAG]"), about.includes("`[path]`")]).toEqual([
      mode,
      mode === "hashline",
      mode !== "hashline",
    ]);
    expect(about).toContain(mode === "hashline" ? "`*12:text`" : "`*12|text`");
  }
});

test("a search shows what was looked for: around the match, whole declarations, or many lines bare", async () => {
  using dir = scratch();
  const body = Array.from({ length: 15 }, (_, i) => `  step(${i});`).join("\n");
  dir.write({
    "work/min.js": `${"a;".repeat(9000)}needle;${"b;".repeat(9000)}\n`,
    "work/code.ts": `export function target(a: string) {\n${body}\n}\n`,
    "work/log.txt": "before\nhit\nafter\n".repeat(20),
  });
  const [long = "", whole = "", many = ""] = await answers(dir, [
    ["search", { pattern: "needle" }],
    ["search", { pattern: "function target" }],
    ["search", { pattern: "^hit", paths: "log.txt" }],
  ]);
  expect(long).toMatch(/\*1:….*needle.*…/);
  expect(long.length).toBeLessThan(800);
  expect(whole).toContain(" 16:  step(14);\n 17:}");
  expect(many).toContain("20 matches in 1 file");
  expect(many).toContain("*2:hit\n  … 18 more like this, to line 56\n*59:hit");
  expect(many).not.toContain("before");
});

test("a list hole after a comma stands for nothing as well", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "fetch(url);\nfetch(url, o);\nf(x);\n" });
  const [calls = "", lists = ""] = await answers(dir, [
    ["ast_grep", { pat: "fetch($URL, $$$)" }],
    ["ast_grep", { pat: "f($$$A, x, $$$B)" }],
  ]);
  expect(calls).toContain("*1:fetch(url);\n*2:fetch(url, o);");
  expect(lists).toContain("*3:f(x);");
});
