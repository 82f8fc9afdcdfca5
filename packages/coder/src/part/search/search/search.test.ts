import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resultFields } from "@pith/agent";
import { writeMember } from "@pith/host";
import { fail } from "@pith/kit";
import { cpuSince } from "@pith/kit/test";
import { openProject } from "../../../test/project.ts";
import { intentOf, pathsOf, runTool } from "../../../test/run.ts";
import { runSwapped } from "../../../test/swap.ts";
import type { SearchOptions } from "../options.ts";
import { escapeParentheses, repairPattern } from "./pattern.ts";
import { search } from "./search.ts";

const { cwd, files, urls, snapshots, put, at } = openProject("search");
put("src/a.ts", "zero\none needle\ntwo\nthree\nfour\nfive\nsix needle\n");
put("src/b.ts", "needle\n");
put("many.txt", "hit\n".repeat(2500));
put("long.txt", `long ${"x".repeat(2000)}\n`);
put(".gitignore", "*.log\n");
put("out.log", "needle\n");
put(".env", "needle\n");
const options: SearchOptions = {
  files,
  urls,
  snapshots,
  contextBefore: 1,
  contextAfter: 3,
  display: "hashline",
  room: () => 32 * 1024,
};
const searcher = search(options);
const call = { id: "1", signal: new AbortController().signal, progress() {} };
const bare = (text: string) => text.replace(/#[0-9A-F]{4}\]/g, "]");
const run = async (pattern: string, paths: string | string[] = "src", more: object = {}) => {
  const got = await runTool(searcher, { pattern, paths: [paths].flat(), ...more }, call);
  return { ...got, text: bare(got.text) };
};
const said = async (pattern: string, paths: string | string[] = "src", more: object = {}) => {
  const [block] = resultFields(await runTool(searcher, { pattern, paths: [paths].flat(), ...more }, call)).content;
  return block?.type === "text" ? bare(block.text) : "";
};

test("matches are grouped by file with the lines around them, gaps are marked", async () => {
  expect(await run("needle")).toMatchObject({
    kind: "matches",
    data: {
      pattern: "needle",
      scopePath: "src",
      fileCount: 2,
      matchCount: 3,
      files: ["src/a.ts", "src/b.ts"],
      fileMatches: [
        { path: "src/a.ts", count: 2 },
        { path: "src/b.ts", count: 1 },
      ],
    },
    text: [
      "[src/a.ts]\n 1:zero\n*2:one needle\n 3:two\n 4:three\n 5:four\n 6:five\n*7:six needle\n",
      "[src/b.ts]\n*1:needle",
    ].join("\n"),
  });
  const narrow = search({ ...options, contextBefore: 0, contextAfter: 0 });
  expect(bare((await runTool(narrow, { pattern: "needle", paths: ["src/a.ts"] }, call)).text)).toBe(
    "[src/a.ts]\n*2:one needle\n...\n*7:six needle",
  );
});

test("the tag of a header is the one an edit accepts", async () => {
  const tag = snapshots.mint(join(cwd, "src/b.ts"), "needle\n");
  expect((await runTool(searcher, { pattern: "needle", paths: ["src/b.ts"] }, call)).text).toStartWith(
    `[src/b.ts#${tag}]\n`,
  );
  const plain = search({ ...options, display: "plain" });
  expect((await runTool(plain, { pattern: "needle", paths: ["src/b.ts"] }, call)).text).toBe("[src/b.ts]\n*1|needle");
});

test("hidden files are searched, ignored ones when asked for", async () => {
  expect((await run("needle", ".")).data).toMatchObject({
    fileMatches: [{ path: ".env" }, { path: "src/a.ts" }, { path: "src/b.ts" }],
  });
  expect((await run("needle", "*.log")).text).toBe("No matches");
  expect((await run("needle", "*.log", { gitignore: false })).data).toMatchObject({ matchCount: 1 });
  expect((await run("NEEDLE", "src", { i: true })).data).toMatchObject({ matchCount: 3 });
});

test("many files come in pages, each with its share", async () => {
  for (let i = 10; i < 55; i++) put(`pages/${i}.txt`, "word\n".repeat(30));
  const first = await run("word", "pages");
  expect(first.data).toMatchObject({
    fileCount: 20,
    matchCount: 600,
    fileLimitReached: true,
    perFileLimitReached: true,
  });
  expect(first.meta?.notes?.[0]).toBe("skip: 20 brings the next page of files");
  expect(first.text).toStartWith(
    "1350 matches in 45 files\n\n[pages/10.txt]\n30 matches, lines 1-30; first 15 and last 5",
  );
  const last = await run("word", "pages", { skip: 40 });
  expect(last.data).toMatchObject({ fileCount: 5, fileMatches: [{ path: "pages/50.txt" }, {}, {}, {}, {}] });
  expect(last.data).not.toHaveProperty("fileLimitReached");
});

test("of many matches the first and last are shown with the number of all, long lines are cut", async () => {
  const many = await run("hit", "many.txt");
  expect(many).toMatchObject({ data: { matchCount: 2500, perFileLimitReached: true } });
  const about = '2500 matches, lines 1-2500; first 40 and last 10 shown, others: paths ["many.txt:41-2490"]';
  expect(many.text).toStartWith(`2500 matches in 1 file\n\n[many.txt]\n${about}\n`);
  const got = await run("long", "long.txt");
  expect(got.text).toBe(`[long.txt]\n*1:long ${"x".repeat(507)}…`);
  expect(got.meta?.limits).toEqual({ columnLimit: 512 });
});

test("a name without its directory is searched where it is, unless that could be several", async () => {
  expect(await said("needle", "b.ts")).toBe(
    "[src/b.ts]\n*1:needle\n\n[There is no b.ts; src/b.ts is the only path that ends so]",
  );
  expect(await said("needle", "a.ts:5-7")).toContain("*7:six needle");
  put("twin/a/conf.txt", "needle\n");
  put("twin/b/conf.txt", "needle\n");
  expect(await run("needle", "conf.txt")).toMatchObject({
    failed: true,
    text: "There is no conf.txt. Several paths end so: twin/a/conf.txt, twin/b/conf.txt",
  });
});

test("a skill is searched with all that is beside it", async () => {
  put("home/skills/x/SKILL.md", "---\nname: x\ndescription: d\n---\nno\n");
  put("home/skills/x/more.md", "straw\n");
  expect(await said("straw", "skill://x")).toBe("[skill://x/more.md]\n*1:straw");
  rmSync(at("home/skills"), { recursive: true });
});

test("a folder whose name is not UTF-8 can be searched", async () => {
  const folder = Buffer.concat([Buffer.from(`${cwd}/d`), Buffer.from([0xe9]), Buffer.from("r")]);
  mkdirSync(folder);
  writeFileSync(Buffer.concat([folder, Buffer.from("/f.txt")]), "straw\n");
  for (const path of ["d\\\\xe9r", "d\\xe9r/*.txt", "."])
    expect((await run("straw", path)).text).toBe("[d\\\\xe9r/f.txt]\n*1:straw");
  rmSync(folder, { recursive: true });
});

test("a long line is not cut in the middle of a letter", async () => {
  put("smile.txt", `long${"x".repeat(507)}😀😀\n`);
  expect((await run("long", "smile.txt")).text).toBe(`[smile.txt]\n*1:long${"x".repeat(507)}…`);
});

test("when not everything fits, every file keeps its beginning", async () => {
  for (let i = 0; i < 20; i++) put(`wide/${i}.txt`, `w${"y".repeat(450)}\n`.repeat(20));
  const got = await run("w", "wide");
  expect(got.text.length).toBeLessThanOrEqual(50 * 1024);
  expect(got.text.match(/^\[wide/gm)).toHaveLength(20);
});

test("lines of one file limit the search; elsewhere they are refused", async () => {
  expect((await run("needle", "src/a.ts:5-7")).text).toBe("[src/a.ts]\n 6:five\n*7:six needle");
  expect((await run("needle", "src/a.ts:3-4")).text).toBe("No matches");
  expect(await run("x", "src/*.ts:1-2")).toMatchObject({
    failed: true,
    text: "Lines can be chosen of one file only; src/*.ts:1-2 is a glob",
  });
  expect(await run("x", "src:1-2")).toMatchObject({
    failed: true,
    text: "Lines can be chosen of one file only; src:1-2 is a directory",
  });
  expect(await run("x", "gone.ts:1-2")).toMatchObject({
    failed: true,
    text: "There is no gone.ts:1-2 to choose lines of",
  });
});

test("missing paths are skipped and told, joined ones taken apart", async () => {
  expect(await said("needle", ["src/b.ts", "gone"])).toBe("[src/b.ts]\n*1:needle\n\n[Not there: gone]");
  expect((await run("needle", "src/a.ts, src/b.ts")).data).toMatchObject({ fileCount: 2 });
  expect((await run("needle", ["src", "src/b.ts"])).data).toMatchObject({ matchCount: 3 });
});

test("braces that count nothing and parentheses that do not match up are searched for as they stand", async () => {
  const dollar = "$";
  put("odd.txt", `${dollar}{a} and foo(bar and x{2}\n`);
  for (const pattern of [`\\${dollar}{a}`, "foo(", "{a}"])
    expect((await run(pattern, "odd.txt")).data).toMatchObject({ matchCount: 1 });
  expect((await run("foo(", "odd.txt")).meta?.notes).toEqual([
    "The parentheses of the pattern do not match up; they were searched for literally",
  ]);
  const table = [
    [`${dollar}{a}`, `\\${dollar}\\{a\\}`],
    ["a{2,4}", "a{2,4}"],
    ["{2}", "\\{2\\}"],
    ["(|{3})", "(|\\{3\\})"],
    ["\\p{L}{2}", "\\p{L}{2}"],
    ["[{}]{1}", "[{}]{1}"],
    ["x\\{", "x\\{"],
  ];
  for (const [written = "", fixed = ""] of table) expect(repairPattern(written)).toBe(fixed);
  expect(escapeParentheses("a(b\\(c)")).toBe("a\\(b\\(c\\)");
});

test("members of archives are searched", async () => {
  for (const [name, content] of [
    ["in/x.txt", "a\nneedle\n"],
    ["bin", "\0\x01\xff"],
  ] as const)
    await writeMember(join(cwd, "pack.zip"), { name, bytes: Buffer.from(content, "latin1"), changed: 0 });
  expect(await said("needle", "pack.zip")).toBe(
    "[pack.zip:in/x.txt]\n 1:a\n*2:needle\n\n[Not text, not searched: pack.zip:bin]",
  );
  const large = { name: "large.txt", bytes: Buffer.alloc(17 * 1024 * 1024, "needle\n"), changed: 0 };
  await writeMember(join(cwd, "large.zip"), large);
  expect(await said("needle", "large.zip")).toBe(
    "No matches\n\n[Not searched: large.zip:large.txt (above 16MB; read shows lines of it)]",
  );
  expect((await run("needle", "pack.zip:in/x.txt:1-1")).text).toBe("No matches");
  expect(await run("x", "pack.zip:bin")).toMatchObject({
    failed: true,
    text: "Nothing there is text: pack.zip:bin",
  });
  expect(await run("x", "pack.zip:gone")).toMatchObject({ failed: true, text: "There is no pack.zip:gone" });
});

test("internal addresses are searched, the documentation as a whole", async () => {
  put("session/0.bash.log", "one\nneedle\n");
  expect((await run("needle", "artifact://0")).text).toBe("[artifact://0]\n 1:one\n*2:needle");
  expect((await run("pith", "pith://")).text).toMatch(/^\[pith:\/\/[\w/.-]+\.md\]$/m);
  expect(await run("x", "pith://*")).toMatchObject({
    failed: true,
    text: "pith://*: an address is a name, no pattern",
  });
});

test("nothing found is no error; what means nothing is refused with its reason", async () => {
  expect(await run("absent")).toMatchObject({ text: "No matches", data: { matchCount: 0 } });
  expect((await run("absent")).failed).toBeUndefined();
  expect(await run("a[")).toMatchObject({
    failed: true,
    text: expect.stringMatching(/^The pattern is no regular expression: unclosed character class/),
  });
  expect(await run("x", "nowhere")).toMatchObject({ failed: true, text: "There is no nowhere" });
  expect(await run("x", "/dev/zero")).toMatchObject({ failed: true, text: "/dev/zero: is not a regular file" });
  expect(await run("  ")).toMatchObject({ failed: true, text: "The pattern is empty" });
  expect(await run("x", "src", { skip: -1 })).toMatchObject({
    failed: true,
    text: "skip counts files that are skipped; it cannot be below 0",
  });
  expect(await run("x", ["src", ""])).toMatchObject({
    failed: true,
    text: "An entry of paths is empty",
  });
});

test("a file that cannot be read is skipped, and a pattern that explodes does not", async () => {
  put("locked/a", "needle");
  put("locked/b", "needle");
  chmodSync(join(cwd, "locked/a"), 0);
  expect((await run("needle", "locked")).failed).toBeUndefined();
  put("evil.txt", `${"a".repeat(5000)}!\n`);
  const began = process.cpuUsage();
  expect((await run("(a+)+$", "evil.txt")).text).toBe("No matches");
  await run("(?=(a+))(a+)+$", "evil.txt");
  expect(cpuSince(began)).toBeLessThan(5000);
});

test("without ripgrep the result says what is missing", async () => {
  const none = search({
    ...options,
    files: { ...files, search: async () => fail("missing", "ripgrep (rg) was not found") },
  });
  expect(await runTool(none, { pattern: "x" }, call)).toMatchObject({
    failed: true,
    text: "ripgrep (rg) was not found",
  });
});

test("an abort stops it", async () => {
  const stopped = await runTool(searcher, { pattern: "x", paths: ["."] }, { ...call, signal: AbortSignal.abort() });
  expect(stopped).toMatchObject({ failed: true, text: "The search was stopped" });
});

test("a search reads below its paths, the project if there are none, and changes nothing that others see", async () => {
  expect(searcher.beside?.({ pattern: "x" })).toBe(true);
  expect((await intentOf(searcher, { pattern: "x" })).effect).toBe("read");
  expect(await pathsOf(searcher, { pattern: "x", paths: ["src/*.ts"] })).toEqual([join(cwd, "src")]);
  expect(await pathsOf(searcher, { pattern: "x" })).toEqual([cwd]);
});

test("the end of a line is found in files with carriage returns, and a line break is one in them too", async () => {
  put("dos/a.txt", "one\r\ntwo\r\nthree\r\n");
  for (const pattern of ["^two$", "(?<=t)wo$", "one\\ntwo", "one\ntwo", "two\\r"])
    expect((await run(pattern, "dos")).data).toMatchObject({ fileCount: 1 });
  expect((await run("two$", "dos")).text).toContain("*2:two\n 3:three");
});

test("a name that is interpolated is found as it is written", async () => {
  put("dollar.sh", "echo $" + "{HOME} done\n");
  expect((await run("$" + "{HOME}", "dollar.sh")).data).toMatchObject({ matchCount: 1 });
});

test("pages go on to the last file, however many match, and a page behind it says so", async () => {
  for (let i = 100; i < 300; i++) put(`crowd/${i}.txt`, "sheep\n".repeat(25));
  expect((await run("sheep", "crowd", { skip: 180 })).data).toMatchObject({
    fileCount: 20,
    files: Array.from({ length: 20 }, (_, i) => `crowd/${280 + i}.txt`),
  });
  expect((await run("sheep", "crowd", { skip: 80 })).meta?.notes?.[0]).toBe("skip: 100 brings the next page of files");
  expect((await run("sheep", "crowd", { skip: 200 })).text).toBe("No matches after the first 200 files");
});

test("a page that was cut says so, also when its letters take several bytes", async () => {
  for (let i = 10; i < 30; i++) put(`wider/${i}.txt`, `w${"語".repeat(300)}\n`.repeat(20));
  const got = await run("w", "wider");
  expect(got.data).toMatchObject({ truncated: true, fileCount: 20 });
  expect(got.meta?.truncation?.outputBytes).toBe(Buffer.byteLength(got.text) + "#0000".length * 20);
  expect(Buffer.byteLength(got.text)).toBeLessThanOrEqual(50 * 1024);
  expect(got.text.match(/^\[wider/gm)).toHaveLength(20);
  expect(got.text).toEndWith("\n...");
});

test("several ranges of one file come together, and matches before a range do not use up its room", async () => {
  expect((await run("e", ["src/a.ts:1-1", "src/a.ts:6-6"])).text).toMatch(
    /^\[src\/a.ts\]\n\*1:zero\n 2:.*\n 3:.*\n 4:.*\n 5:.*\n\*6:five\n 7:/,
  );
  put("tall.txt", "row\n".repeat(9000));
  expect((await run("row", "tall.txt:8990-8991")).data).toMatchObject({ matchCount: 2 });
});

test("what cannot be searched is named, and refused when it is all that was asked for", async () => {
  put("slow/boom.txt", `${"a".repeat(5000)}!\n`);
  put("slow/fine.txt", "aaa\n");
  const slow = "(?=a)(a|aa)+[xyz]?$";
  expect(await run(slow, "slow/boom.txt")).toMatchObject({
    failed: true,
    text: "slow/boom.txt: the pattern takes too long there (match limit exceeded)",
  });
  expect(await run(slow, "slow")).toMatchObject({
    data: { files: ["slow/fine.txt"] },
    meta: { notes: ["Not searched: slow/boom.txt (the pattern takes too long there (match limit exceeded))"] },
  });
  put("slow/bin", "needle\0\n");
  expect(await said("needle", "slow/bin")).toBe("No matches\n\n[slow/bin is binary; what matches in it is not shown]");
});

test("a file that turns binary late does not lend its notice to the next file", async () => {
  put("late/a.bin", `needle\n${"x".repeat(300_000)}\n\0\nneedle\n`);
  for (let i = 0; i < 5; i++) put(`late/b${i}.txt`, "needle\n");
  const { files } = (await run("needle", "late")).data as { files: string[] };
  expect(files.filter((file) => !file.endsWith("a.bin"))).toEqual([0, 1, 2, 3, 4].map((i) => `late/b${i}.txt`));
});

test("letters of an old encoding are shown as they are read", async () => {
  writeFileSync(join(cwd, "latin.txt"), Buffer.from("caf\xe9 needle\n", "latin1"));
  expect((await run("needle", "latin.txt")).text).toBe("[latin.txt]\n*1:café needle");
});

test("dotfiles can be left out, and paths that begin with ! are", async () => {
  put("pick/.dot.txt", "needle\n");
  put("pick/a.txt", "needle\n");
  put("pick/sub/a.test.txt", "needle\n");
  expect((await run("needle", "pick", { hidden: false })).data).toMatchObject({
    files: ["pick/a.txt", "pick/sub/a.test.txt"],
  });
  expect((await run("needle", ["pick", "!*.test.txt"])).data).toMatchObject({ files: ["pick/.dot.txt", "pick/a.txt"] });
  expect((await run("needle", ["pick/**/*.txt", "!pick/sub", "!pick/.*"])).data).toMatchObject({
    files: ["pick/a.txt"],
  });
});

test("a pattern that is no pattern says which part of it is wrong", async () => {
  expect(await run("a\\", "src")).toMatchObject({
    failed: true,
    text: "The pattern ends in the middle of an escape; write \\\\ for a backslash",
  });
  expect(await run("(?<=a)b{9,1}", "src")).toMatchObject({
    failed: true,
    text: "The pattern is no regular expression: numbers out of order in {} quantifier",
  });
  expect((await run("a\0b", "src")).text).toBe("No matches");
});

const outside = openProject("search-outside");
outside.put("key.txt", "needle secret\n");

test("a search does not follow links out of the directory it was allowed", async () => {
  put("links/a.txt", "needle\n");
  symlinkSync("/etc", at("links/etc"));
  symlinkSync(outside.cwd, at("links/out"));
  symlinkSync(outside.at("key.txt"), at("links/key.txt"));
  for (const paths of ["links", "links/**/*.txt", "links/*.txt"])
    expect((await run("needle|root", paths, { gitignore: false })).data).toMatchObject({ files: ["links/a.txt"] });
  expect((await intentOf(searcher, { pattern: "x", paths: ["links/out/*.txt"] })).paths).toEqual([
    { effect: "read", path: at("links/out"), real: outside.cwd },
  ]);
  expect((await intentOf(searcher, { pattern: "x", paths: ["links/key.txt"] })).paths).toMatchObject([
    { real: outside.at("key.txt") },
  ]);
});

test("what is put in the place of a path after the verdict is not searched", async () => {
  put("swap/a.txt", "needle judged\n");
  await writeMember(at("swap/pack.zip"), { name: "x.txt", bytes: Buffer.from("needle judged\n"), changed: 0 });
  await writeMember(outside.at("pack.zip"), { name: "x.txt", bytes: Buffer.from("needle secret\n"), changed: 0 });
  outside.put("a.txt", "needle secret\n");
  for (const path of ["turning", "turning/a.txt", "turning/pack.zip", "turning/*.txt"]) {
    rmSync(at("turning"), { force: true });
    symlinkSync(at("swap"), at("turning"));
    const { looked, blind } = await runSwapped(searcher, { pattern: "needle", paths: [path] }, () => {
      rmSync(at("turning"));
      symlinkSync(outside.cwd, at("turning"));
    });
    expect(looked.failed).toBe(true);
    expect(blind.text).toContain("needle judged");
    expect(blind.text).not.toContain("secret");
  }
  const { looked } = await runSwapped(searcher, { pattern: "needle", paths: ["swap"] }, () => {
    renameSync(at("swap"), at("swapped"));
    symlinkSync(outside.cwd, at("swap"));
  });
  expect(looked.text).toBe("leads elsewhere");
});

test("a search of an address says which file it reads", async () => {
  put("session/Scout.json", '{"a":"needle"}');
  expect(await pathsOf(searcher, { pattern: "x", paths: ["agent://Scout/a"] })).toEqual([at("session/Scout.json")]);
  expect((await run("needle", "agent://Scout/a")).text).toBe("[agent://Scout/a]\n*1:needle");
});

test("a long line is cut around its match, however far right that is", async () => {
  const line = (before: number) => `${"a".repeat(before)}needle${"b".repeat(before)}`;
  put("min/near.js", `${line(300)}\n`);
  put("min/far.js", `${line(2000)}\n`);
  put("min/beyond.js", `x\n${"é".repeat(30_000)}needle${"b".repeat(9000)}\n`);
  for (const name of ["near", "far", "beyond"]) {
    const { text } = await run("needle", `min/${name}.js`);
    expect([name, /^\*\d:.*needle/m.test(text)]).toEqual([name, true]);
    expect(text.length).toBeLessThan(700);
    expect(text).not.toContain("\ufffd");
  }
  expect((await run("needle", "artifact://77")).failed).toBe(true);
});

test("many matches come without what stands around them, few with it", async () => {
  put("around/few.txt", "before\nmatch\nafter\n");
  expect((await run("match", "around")).text).toContain(" 1:before");
  put("around/many.txt", "before\nmatch\n".repeat(12));
  const { text } = await run("match", "around");
  expect(text.match(/^\*/gm)?.length).toBe(13);
  expect(text).not.toMatch(/before|^\.\.\./m);
});

test("a declaration that matches comes whole, and many declarations do not", async () => {
  const body = Array.from({ length: 20 }, (_, i) => `  step(${i});`).join("\n");
  put("whole/a.ts", `export function alpha(a: string) {\n${body}\n}\n\nalpha("x");\n`);
  put("whole/b.py", "class Beta:\n    def run(self):\n        one()\n        two()\n        return 3\n");
  expect((await run("function alpha", "whole")).text).toContain(" 21:  step(19);\n 22:}");
  expect((await run("class Beta", "whole")).text).toContain(" 5:        return 3");
  const long = body.replaceAll(");", ', "some more words");');
  put("whole/c.ts", Array.from({ length: 12 }, (_, i) => `function f${i}() {\n${long}\n}\n`).join(""));
  expect((await run("^function f", "whole/c.ts")).text).not.toContain("step(19");
});

test("letters beyond ASCII are found in files of an old encoding too", async () => {
  writeFileSync(join(cwd, "old.txt"), Buffer.from("x\nsch\xf6n gr\xfc\xdft\n", "latin1"));
  put("new.txt", "schön\n");
  const { text } = await run("schön", ["old.txt", "new.txt"]);
  expect(text).toContain("*2:schön grüßt");
  expect(text).toContain("*1:schön");
  expect((await run("schÖn", ["old.txt"], { i: true })).text).toContain("*2:schön grüßt");
  // What only looks so when it is misread is not found.
  expect((await run("Ã¶", ["new.txt"])).text).toBe("No matches");
});

test("a name that is not UTF-8 is printed so that it can be given back", async () => {
  const other = openProject("search-raw");
  writeFileSync(Buffer.from(`${other.cwd}/inv\xff.txt`, "latin1"), "needle\n");
  const { files, urls, snapshots } = other;
  const searcher = search({ ...options, files, urls, snapshots });
  const hit = async (paths: string[]) => (await runTool(searcher, { pattern: "needle", paths }, call)).text;
  const [, name = ""] = /^\[(.+)#\w+\]/.exec(await hit(["."])) ?? [];
  expect(name).toContain("xff");
  expect(await hit([name])).toEndWith("\n*1:needle");
});
