// Files through the real program: one tool after another, the guard before them, and what the built file brings along.
import { expect, test } from "bun:test";
import { copyFileSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { binary, needBinary, root } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const data = join(root, "test", "data", "files");
const tool = (dir: Scratch, name: string, input: object) => pith(dir, ["tool", name, JSON.stringify(input)]);
const headerOf = (out: string) => /^\[.+#[0-9A-F]{4}\]$/m.exec(out)?.[0] ?? "";

test("an edit follows a search, a write and a read of a range, by the tag each of them printed", async () => {
  using dir = scratch();
  dir.write({ "work/src/a.txt": "one\ntwo\nthree\n" });
  const edit = (header: string, line: number, text: string) =>
    tool(dir, "edit", { input: `${header}\nreplace ${line}..${line}:\n+${text}` });
  const hits = await tool(dir, "search", { pattern: "two", paths: "src" });
  expect(await edit(headerOf(hits.out), 2, "TWO")).toMatchObject({ code: 0 });
  const shown = await tool(dir, "read", { path: "src/a.txt:3-3" });
  expect(await edit(headerOf(shown.out), 3, "THREE")).toMatchObject({ code: 0 });
  const written = await tool(dir, "write", { path: "src/b.txt", content: "new\n" });
  expect(await edit(headerOf(written.out), 1, "NEW")).toMatchObject({ code: 0 });
  expect(readFileSync(dir.at("work", "src", "a.txt"), "utf8")).toBe("one\nTWO\nTHREE\n");
  expect(readFileSync(dir.at("work", "src", "b.txt"), "utf8")).toBe("NEW\n");
  // The first tag stands for what is no longer there; it is not taken for the present.
  expect(await edit(headerOf(hits.out), 1, "ONE")).toMatchObject({
    code: 1,
    out: expect.stringContaining("Nothing was changed"),
  });
});

test("settings decide how a file is shown, and whether long code is", async () => {
  using dir = scratch();
  const body = Array.from(
    { length: 80 },
    (_, i) => `export function f${i}() {\n  const a = 1;\n  const b = 2;\n  const c = 3;\n  return a + b + c;\n}\n`,
  ).join("");
  dir.write({ "work/long.ts": body });
  expect((await tool(dir, "read", { path: "long.ts" })).out).toContain(
    "lines left out; read what you need, as long.ts:3-5,9-11,",
  );
  dir.write({
    "work/.pith/config.yml":
      "read.summarize.enabled: false\nreadHashLines: false\nreadLineNumbers: true\nread.defaultLimit: 2\nsearch.contextBefore: 0\nsearch.contextAfter: 0\n",
  });
  expect((await tool(dir, "read", { path: "long.ts" })).out).toBe(
    "[long.ts]\n1|export function f0() {\n2|  const a = 1;\n\n[Showing lines 1-2 of 480. Go on with long.ts:3-4]\n",
  );
  expect((await tool(dir, "search", { pattern: "f79" })).out).toBe(
    "[long.ts]\n*475|export function f79() {\n 476|  const a = 1;\n 477|  const b = 2;\n" +
      " 478|  const c = 3;\n 479|  return a + b + c;\n 480|}\n",
  );
});

test("what is inside of an archive or database outside the project is asked about like the file itself", async () => {
  using dir = scratch();
  mkdirSync(dir.at("out"));
  for (const name of ["pack.zip", "shop.db"]) copyFileSync(join(data, name), dir.at("out", name));
  const calls = ["pack.zip:src/a.ts", "shop.db:item:1", "pack.zip"].map((name) => ({
    tool: "read",
    input: { path: `../out/${name}` },
  }));
  const searched = [
    { tool: "search", input: { pattern: "one", paths: "../out/*.zip" } },
    { tool: "find", input: { paths: ["../out"] } },
  ];
  const { out } = await pith(dir, [
    "-p",
    "look",
    "--mode",
    "json",
    ...scripted(dir, { calls: [...calls, ...searched] }, { text: "done" }),
  ]);
  const results = out
    .split("\n")
    .filter((line) => line.includes('"toolResult"') && line.includes("outside the project"));
  expect(new Set(results.flatMap((line) => line.match(/"toolCallId":"[^"]+"/) ?? [])).size).toBe(5);
  for (const secret of ["4:four", "price: 1.5", "pixel.bin"]) expect(out).not.toContain(secret);
});

test.skipIf(needBinary() !== undefined)(
  "dist/pith reads and writes everything without anything beside it",
  async () => {
    using dir = scratch();
    cpSync(data, dir.at("data"), { recursive: true });
    const calls: [string, object, string][] = [
      ["read", { path: "data/letter.pdf" }, "this is page one."],
      ["read", { path: "data/report.docx" }, "Sales rose by **12 %**"],
      ["read", { path: "data/report.epub" }, "Sales rose by **12 %**"],
      ["read", { path: "data/report.odt" }, "Sales rose by **12 %**"],
      ["read", { path: "data/report.rtf" }, "Sales rose by **12 %**"],
      ["read", { path: "data/report.pptx" }, "<!-- Slide 2 -->"],
      ["read", { path: "data/sales.xlsx" }, "2024-03-01"],
      ["read", { path: "data/study.ipynb" }, "# %% [code] cell:1"],
      ["read", { path: "data/red.bmp" }, "image/png, 40×20"],
      ["read", { path: "data/pack.tgz:src/a.ts" }, "5:five"],
      ["read", { path: "data/shop.db?q=SELECT sum(id) AS total FROM item" }, "465"],
      ["write", { path: "data/shop.db:log", content: "{at: 'later'}" }, "Inserted row into log"],
      ["write", { path: "data/pack.zip:new.txt", content: "new" }, "Successfully wrote 3 bytes"],
      ["search", { pattern: "new", paths: "data/pack.zip" }, "*1:new"],
      ["read", { path: "pith://tools/read" }, "# read"],
      ["find", { paths: "*.pdf" }, "letter.pdf"],
    ];
    const input = calls.map(([name, input]) => JSON.stringify({ name, input })).join("\n");
    const { out, err } = await run([binary, "tool", "--batch"], {
      cwd: dir.path,
      env: { HOME: dir.path, PATH: process.env.PATH ?? "" },
      input: `${input}\n`,
    });
    const answers = out
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { text: string }).text);
    for (const [i, [name, input, proof]] of calls.entries())
      expect(`${name} ${JSON.stringify(input)}: ${answers[i]}`).toContain(proof);
    expect(err).toBe("");
  },
  120_000,
);

test("a project of several folders is read by short paths, and all of it is inside", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "first\n", "lib/only.txt": "second\n", "other/x.txt": "outside\n" });
  const read = (path: string, ...flags: string[]) => pith(dir, ["tool", "read", JSON.stringify({ path }), ...flags]);
  expect((await read("only.txt", "--add-dir", "../lib")).out).toContain("1:second");
  expect((await read("lib/only.txt", "--add-dir", "../lib")).out).toContain("1:second");
  expect(await read("a.txt", "--add-dir", "../nowhere")).toMatchObject({
    code: 2,
    err: expect.stringContaining("is not a directory"),
  });
  for (const [name, input] of [
    ["search", { pattern: "first|second" }],
    ["find", { paths: ["*.txt"] }],
  ] as const) {
    const { out } = await pith(dir, ["tool", name, JSON.stringify(input), "--add-dir", "../lib"]);
    expect([out.includes("a.txt"), out.includes("only.txt"), out.includes("x.txt")]).toEqual([true, true, false]);
  }
  const calls = ["only.txt", dir.at("other/x.txt")].map((path) => ({ tool: "read", input: { path } }));
  const model = scripted(dir, { calls }, { text: "done" });
  const { out, code } = await pith(dir, ["--mode", "json", "go", "--add-dir", "../lib", ...model]);
  const results = out.split("\n").flatMap((line) => (line.includes('"tool_execution_end"') ? [JSON.parse(line)] : []));
  expect([code, ...results.map(({ isError }) => isError)]).toEqual([0, false, true]);
});
