import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArtifacts, resultFields } from "@pith/agent";
import { rgPath } from "@pith/host";
import { bytesRead } from "@pith/kit/test";
import { Snapshots } from "../../snapshot/snapshot.ts";
import { pathsOf, runTool } from "../../test/run.ts";
import { Conflicts } from "../../url/conflicts.ts";
import { Router } from "../../url/router.ts";
import { read } from "./read.ts";

const cwd = mkdtempSync(join(tmpdir(), "pith-read-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(join(cwd, path, ".."), { recursive: true });
  writeFileSync(join(cwd, path), content);
};
const snapshots = new Snapshots(undefined);
const artifacts = openArtifacts(join(cwd, "session.jsonl"));
const sessionDir = join(cwd, "session");
const now = 1_700_000_000_000;
const parts = {
  ...{ cwd, userHome: join(cwd, "home"), snapshots, clock: { now: () => now }, rg: () => rgPath({ cacheDir: cwd }) },
  urls: new Router({
    artifacts,
    sessionDir,
    project: cwd,
    home: join(cwd, "home"),
    conflicts: new Conflicts(undefined),
  }),
  ...{ display: "hashline" as const, defaultLimit: 3000, summarize: "on" as const },
};
const own = read(parts);
const call = { id: "1", signal: new AbortController().signal, progress() {} };
/** The tag depends on the place of the folder; one test looks at it. */
const bare = (text: string) => text.replace(/^(\[.*)#[0-9A-F]{4}\]/m, "$1]");
const run = async (path: string, tool = own) => {
  const outcome = await runTool(tool, { path }, call);
  return { ...outcome, text: bare(outcome.text) };
};
const said = async (path: string) => {
  const [block] = resultFields(await run(path)).content;
  return block?.type === "text" ? block.text : "";
};
const numbers = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");

test("a file comes as numbered lines below its name", async () => {
  put("src/a.ts", "one\n\tTwo\n");
  expect(await run("src/a.ts")).toEqual({
    kind: "page",
    data: { path: "src/a.ts", from: 1, to: 2, totalLines: 2, bytes: 9 },
    text: "[src/a.ts]\n1:one\n2:\tTwo",
    meta: { source: { path: join(cwd, "src/a.ts") } },
  });
  expect(await said("src/a.ts")).toBe("[src/a.ts]\n1:one\n2:\tTwo");
});

test("the header names a tag that stands for the whole file, whatever part of it is shown", async () => {
  put("tagged", numbers(50));
  const tag = snapshots.mint(join(cwd, "tagged"), numbers(50));
  for (const path of ["tagged", "tagged:3-4"])
    expect((await runTool(own, { path }, call)).text).toStartWith(`[tagged#${tag}]\n`);
});

test("selectors choose lines, with one before and three after a bounded side", async () => {
  put("many", numbers(100));
  const shown = async (path: string) => {
    const got = await run(path);
    return got.kind === "page" ? (got.data as { from?: number; to?: number }) : undefined;
  };
  expect(await shown("many:10-12")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:10+3")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:L10-L12")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:90")).toMatchObject({ from: 89, to: 100 });
  expect(await shown("many:90-")).toMatchObject({ from: 89, to: 100 });
  expect(await shown("many:1-2")).toMatchObject({ from: 1, to: 5 });
  expect(await shown("many:99-200")).toMatchObject({ from: 98, to: 100 });
});

test("a real file whose name looks like a selector wins", async () => {
  put("odd:10-12", "odd\n");
  expect((await run("odd:10-12")).text).toBe("[odd:10-12]\n1:odd");
  put("a:b", "colon\n");
  expect((await run("a:b")).text).toBe("[a:b]\n1:colon");
  expect(await pathsOf(own, { path: "odd:10-12" })).toEqual([join(cwd, "odd:10-12")]);
  expect(await pathsOf(own, { path: "many:10-12" })).toEqual([join(cwd, "many")]);
  expect(await pathsOf(own, { path: "artifact://0" })).toEqual([]);
});

test("a selector that means nothing is explained", async () => {
  expect(await run("many:0")).toMatchObject({
    failed: true,
    text: "Line selector 0 is invalid; lines are 1-indexed. Use :1.",
  });
  expect(await run("many:5+0")).toMatchObject({
    failed: true,
    text: "Line selector :5+0 is invalid; the count must be at least 1.",
  });
  expect(await run("many:5-4")).toMatchObject({
    failed: true,
    text: "Line selector :5-4 is invalid; the end must not be before the start.",
  });
});

test("a range past the end is answered with a suggestion, not as an error", async () => {
  const got = await run("many:9999");
  expect(got.failed).toBeUndefined();
  expect(got.text).toBe(
    "Line 9999 is past the end: there are 100 lines. Use :1 to read from the start, or :100 for the last line.",
  );
});

test("several ranges come sorted, merged and apart from each other", async () => {
  expect((await run("many:30-31,5-6,8")).text).toBe(
    `[many]\n${numbers(100)
      .split("\n")
      .map((line, i) => `${i + 1}:${line}`)
      .slice(3)
      .join("\n")}`,
  );
  expect((await run("many:30-31,5-6")).text).toBe(
    "[many]\n4:line 4\n5:line 5\n6:line 6\n7:line 7\n8:line 8\n9:line 9\n...\n29:line 29\n30:line 30\n31:line 31\n32:line 32\n33:line 33\n34:line 34",
  );
});

test("raw is the file, byte for byte, and lines of it without numbers", async () => {
  put("exact", "a\r\n\tb\n\nc");
  expect((await run("exact:raw")).text).toBe("a\r\n\tb\n\nc");
  put("ended", "a\nb\n");
  expect((await run("ended:raw")).text).toBe("a\nb\n");
  expect((await run("many:10-11:raw")).text).toBe("line 10\nline 11");
  expect((await run("many:raw:10-11")).text).toBe("line 10\nline 11");
});

test("lines have a tag only where an edit would take it", async () => {
  const shown = async (change: object) =>
    (await runTool(read({ ...parts, ...change }), { path: "src/a.ts" }, call)).text;
  expect(await shown({ display: "numbered" })).toBe("1|one\n2|\tTwo");
  expect(await shown({ display: "plain" })).toBe("one\n\tTwo");
});

test("the number of lines without a range is a setting", async () => {
  const few = read({ ...parts, defaultLimit: 5 });
  expect((await run("many", few)).meta?.truncation).toMatchObject({ shownRange: { start: 1, end: 5 }, nextOffset: 6 });
  expect((await run("many:6", few)).text).toStartWith("[many]\n5:line 5\n6:line 6\n");
  expect((await run("many:6", few)).meta?.truncation).toMatchObject({ shownRange: { start: 5, end: 10 } });
});

test("a long file is cut, and following the notice gives the next lines", async () => {
  put("long", numbers(5000));
  const got = await run("long");
  expect(got.meta?.truncation).toMatchObject({
    truncatedBy: "lines",
    shownRange: { start: 1, end: 3000 },
    totalLines: 5000,
    nextOffset: 3001,
  });
  expect(await said("long")).toEndWith("3000:line 3000\n\n[Showing lines 1-3000 of 5000. Go on at line 3001]");
  expect((await run("long:3001")).text).toStartWith("[long]\n3000:line 3000\n3001:line 3001\n");
});

test("wide lines stop at 50 KiB or half a KiB a line, and one line that is wider says so", async () => {
  put("wide", `${"x".repeat(1000)}\n`.repeat(100));
  const few = read({ ...parts, defaultLimit: 90 });
  expect((await run("wide", few)).meta?.truncation).toMatchObject({
    truncatedBy: "bytes",
    shownRange: { start: 1, end: 51 },
    nextOffset: 52,
  });
  put("one", "y".repeat(2_000_000));
  const got = await run("one", few);
  expect(got.meta?.notes).toEqual(["Line 1 is too long; only its beginning is shown"]);
  expect(got.text.length).toBeLessThan(52_000);
});

test("a line that is too long is no obstacle to going on", async () => {
  for (const [name, size] of [
    ["minified", 1_000_000],
    ["minified-large", 5_000_000],
  ] as const) {
    put(name, `${"y".repeat(size)}\nsecond\nthird\n`);
    expect((await run(name)).text.length).toBeLessThan(600_000);
    const got = await run(`${name}:2`);
    expect(got.text).toEndWith("y\n2:second\n3:third");
    expect(got.text.length).toBeLessThan(700);
    expect(got.meta?.notes).toEqual(["Line 1 is too long; only its beginning is shown"]);
    expect((await run(`${name}:2-2:raw`)).text).toBe("second");
  }
});

test("the line after the last one is past the end, not shown as its neighbour", async () => {
  put("short", numbers(30));
  expect((await run("short:31")).text).toStartWith("Line 31 is past the end: there are 30 lines.");
  expect(await said("short:5-6,31-40")).toEndWith(
    "\n[Line 31 is past the end: there are 30 lines. Use :1 to read from the start, or :30 for the last line.]",
  );
});

test("a range that is cut says so, also when another one stands behind it", async () => {
  put("two-ranges", numbers(9000));
  expect(await said("two-ranges:1-5000,8000-8001")).toEndWith(
    "8004:line 8004\n\n[Showing lines 1-3000 of 9000. Go on at line 3001]",
  );
});

test("a raw read is the file byte for byte: its line ends, the absence of the last one, its conflict markers", async () => {
  const texts = {
    crlf: "a\r\nb\r\n",
    open: "a\nb",
    marked: "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
    big: "row\r\n".repeat(1_000_000),
  };
  for (const [name, text] of Object.entries(texts)) put(`raw/${name}`, text);
  for (const name of ["crlf", "open", "marked"] as const) expect(await said(`raw/${name}:raw`)).toBe(texts[name]);
  expect((await run("raw/big:1-2:raw")).text).toBe("row\r\nrow\r");
  put("raw/wide", Buffer.from("\ufeffno end", "utf16le"));
  expect((await run("raw/wide:raw")).text).toBe("no end");
});

test("UTF-16 is read without a mark, and however large it is; signs of Windows are not control characters", async () => {
  put("wide.le", Buffer.from("größe\r\n日本 x\r\n", "utf16le"));
  expect(await said("wide.le")).toBe(
    "[wide.le]\n1:größe\n2:日本 x\n\n[The file is UTF-16, not UTF-8; it is kept so when it is changed]",
  );
  put("wide.be", Buffer.from("plain text\n", "utf16le").swap16());
  expect(await said("wide.be:raw")).toStartWith("plain text\n");
  put("wide.large", Buffer.from(`\ufeff${"zeile ä\n".repeat(400_000)}end`, "utf16le"));
  expect(await said("wide.large:400000-")).toContain("\n400001:end\n");
  put("signs.txt", Buffer.from("\x93quoted\x94 \x96 \x80 5\n", "latin1"));
  expect(await said("signs.txt")).toBe(
    "[signs.txt]\n1:“quoted” – € 5\n\n[The file is not UTF-8 and is read as Windows-1252; it is kept so when it is changed]",
  );
  for (const bytes of [
    [1, 2, 0, 4, 5, 0, 7, 8],
    [0, 1, 0, 2, 0, 3, 0, 4],
    Array.from({ length: 64 }, (_, i) => (i % 4 === 0 ? i : 0)),
  ]) {
    put("numbers.bin", Buffer.from(bytes));
    expect((await run("numbers.bin")).failed).toBe(true);
  }
});

test("an empty file and an empty directory are named as such", async () => {
  put("empty", "");
  mkdirSync(join(cwd, "nothing"));
  expect((await run("empty")).text).toBe("(empty file)");
  expect((await run("nothing")).text).toBe("(empty directory)");
});

test("a directory is a tree, the last changed first, with sizes and ages", async () => {
  const dated = (path: string, content: string, seconds: number) => {
    put(path, content);
    utimesSync(join(cwd, path), now / 1000 - seconds, now / 1000 - seconds);
  };
  dated("tree/new.txt", "12345", 30);
  dated("tree/old.txt", "", 3 * 86_400);
  for (let i = 0; i < 14; i++) dated(`tree/deep/${String(i).padStart(2, "0")}`, "x".repeat(2048), 7200 + i);
  put("tree/deep/under/hidden.txt", "");
  for (const [path, seconds] of [
    ["tree/deep/under", 9000],
    ["tree/deep", 60],
  ] as const)
    utimesSync(join(cwd, path), now / 1000 - seconds, now / 1000 - seconds);
  symlinkSync("..", join(cwd, "tree/up"));
  utimesSync(join(cwd), now / 1000 - 10 * 86_400, now / 1000 - 10 * 86_400);
  const rows = Array.from({ length: 12 }, (_, i) => `  ${String(i).padStart(2, "0")}  2KB  2h ago`);
  expect(await run("tree")).toMatchObject({
    kind: "listing",
    data: { path: "tree", count: 4 },
    text: [
      "[tree/]",
      "new.txt  5B  just now",
      "deep/  1m ago",
      ...rows,
      "  … 3 more",
      "old.txt  0B  3d ago",
      "up/@  10d ago",
    ].join("\n"),
  });
  expect((await run("tree:2-3")).text).toBe("[tree/]\ndeep/  1m ago\n  00  2KB  2h ago");
});

test("a directory with very many names is cut and says so; a slash is the project", async () => {
  for (let i = 0; i < 501; i++) put(`crowd/${i}`, "");
  expect(await said("crowd")).toEndWith(
    "[Only the first 500 are listed. There are 501 lines; go on with crowd:501-1000]",
  );
  expect((await run("crowd:501-1000")).text).toMatch(/^\[crowd\/\]\n\d+ {2}0B {2}\w/);
  expect((await run("crowd:900")).text).toBe(
    "[crowd/]\nLine 900 is past the end: there are 501 lines. Use :1 to read from the start, or :501 for the last line.",
  );
  expect((await run("/")).data).toMatchObject({ path: "." });
});

test("paths may be absolute, in the home, mentioned with @, or a file URL", async () => {
  put("home/note", "hi\n");
  for (const path of [join(cwd, "home/note"), "~/note", "@home/note", `file://${cwd}/home/note`])
    expect((await run(path)).text).toEndWith("1:hi");
  put("@scope/x", "at\n");
  expect((await run("@scope/x")).text).toEndWith("1:at");
});

test("a missing file brings its likely name, or the folder that is missing", async () => {
  expect(await run("src/b.ts")).toMatchObject({
    failed: true,
    text: "src/b.ts: no such file or directory. Did you mean src/a.ts?",
  });
  expect((await run("scr/a.ts")).text).toBe("scr/a.ts: no such file or directory. There is no scr. Did you mean src?");
});

test("a path that is missing is found by its end when only one file has it", async () => {
  put("pkg/lib/deep/only.ts", "here\n");
  expect(await run("deep/only.ts")).toMatchObject({
    text: "[Path 'deep/only.ts' not found; resolved to 'pkg/lib/deep/only.ts' via suffix match]\n[pkg/lib/deep/only.ts]\n1:here",
    data: { suffixResolution: { from: "deep/only.ts", to: "pkg/lib/deep/only.ts" } },
  });
  put("other/deep/only.ts", "");
  expect(await run("deep/only.ts")).toMatchObject({ failed: true });
  expect(await run("../only.ts")).toMatchObject({ failed: true });
});

test("long code keeps its declarations, and the ranges named below bring the rest", async () => {
  const functions = Array.from(
    { length: 30 },
    (_, i) => `export function f${i}(a: number): number {\n${"  a += 1;\n".repeat(8)}  return a;\n}\n`,
  ).join("\n");
  put("code.ts", functions);
  const got = await run("code.ts");
  for (let i = 0; i < 30; i++) expect(got.text).toContain(`export function f${i}(a: number): number { .. }`);
  expect(got.text).toStartWith("[code.ts]\n1-11:export function f0(a: number): number { .. }\n12:\n");
  const [note] = got.meta?.notes ?? [];
  expect(note).toMatch(/^270 lines elided; re-read needed ranges, e\.g\. code\.ts:2-10,14-22,/);
  expect(got.data).toMatchObject({ summary: { elidedSpans: 30, elidedLines: 270 } });
  expect((await run("code.ts", read({ ...parts, summarize: "off" }))).text).toContain("2:  a += 1;");
  expect((await run("code.ts:2-10")).text).toContain("2:  a += 1;");
  expect((await run("code.ts:raw")).text).toBe(functions);
});

test("every encoding is text, and says which it is", async () => {
  put("bom.txt", "\ufeffone\n");
  expect((await run("bom.txt")).text).toBe("[bom.txt]\n1:one");
  put("wide16.txt", Buffer.from("\ufefföne\ntwo", "utf16le"));
  expect(await said("wide16.txt")).toBe(
    "[wide16.txt]\n1:öne\n2:two\n\n[The file is UTF-16, not UTF-8; it is kept so when it is changed]",
  );
  put("latin.txt", Buffer.from("caf\xe9\n", "latin1"));
  expect(await said("latin.txt")).toBe(
    "[latin.txt]\n1:café\n\n[The file is not UTF-8 and is read as Latin-1; it is kept so when it is changed]",
  );
});

test("conflicts are listed with the numbers they are decided by", async () => {
  put("merge.txt", "a\n<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> topic\nb\n");
  expect(await said("merge.txt")).toEndWith("[It has unresolved merge conflicts: read merge.txt:conflicts]");
  expect((await run("merge.txt:conflicts")).text).toBe(
    "[merge.txt] 1 unresolved conflict\n\nconflict://1  lines 2-6\nours (HEAD):\nmine\ntheirs (topic):\nyours",
  );
  expect((await run("conflict://1/ours")).text).toBe("[conflict://1/ours]\n1:mine");
  expect((await run("many:conflicts")).text).toBe("many has no unresolved conflicts");
});

test("a large file is read in pieces, wherever the lines are", async () => {
  put("large.txt", `${"0123456789".repeat(10)}\n`.repeat(60_000));
  const got = await run("large.txt:50000-50001,3-3");
  expect(got.text.split("\n").map((line) => line.split(":")[0])).toEqual([
    "[large.txt]",
    "2",
    "3",
    "4",
    "5",
    "6",
    "...",
    "49999",
    "50000",
    "50001",
    "50002",
    "50003",
    "50004",
  ]);
  expect(got.data).toMatchObject({ totalLines: 60_000 });
});

test("a name may be spelled as a screen or a shell spells it", async () => {
  put("Shot 9.41\u202fAM.txt", "shot\n");
  expect((await run("Shot 9.41 AM.txt")).text).toEndWith("1:shot");
  put("It\u2019s.txt", "curly\n");
  expect((await run("It's.txt")).text).toEndWith("1:curly");
  put("two words.txt", "space\n");
  expect((await run("two\\ words.txt")).text).toEndWith("1:space");
  put("cafe\u0301.txt", "accent\n");
  expect((await run("caf\u00e9.txt")).text).toEndWith("1:accent");
  put("line\nbreak.txt", "odd\n");
  expect((await run("line\nbreak.txt")).text).toEndWith("1:odd");
});

test("what is not text is refused with a reason", async () => {
  put("binary", "\0\x01");
  expect(await run("binary")).toMatchObject({
    failed: true,
    text: "binary: is not a text file. Look at it with a program that knows its format.",
  });
  expect(await run("/dev/zero")).toMatchObject({ failed: true, text: "/dev/zero: is a device, not a regular file" });
  expect((await run("a\0b")).failed).toBe(true);
  put(
    "noise",
    Uint8Array.from({ length: 400 }, (_, i) => 1 + ((i * 37) % 255)),
  );
  expect(await run("noise")).toMatchObject({ failed: true });
  Bun.spawnSync(["mkfifo", join(cwd, "pipe")]);
  expect(await run("pipe")).toMatchObject({ failed: true, text: "pipe: is a named pipe, not a regular file" });
});

test("an artifact is read by its id, with selectors", async () => {
  put("session/0.bash.log", numbers(50));
  expect((await run("artifact://0:20-20")).text).toBe(
    "[artifact://0]\n19:line 19\n20:line 20\n21:line 21\n22:line 22\n23:line 23",
  );
  expect((await run("artifact://0")).meta?.source).toEqual({ internal: "artifact://0" });
  expect(await run("artifact://7")).toMatchObject({ failed: true, text: "Artifact 7 not found. Available: 0" });
  put("session/1.bash.log", "");
  expect((await run("artifact://1")).text).toBe("(empty file)");
  expect(await run("artifact://x")).toMatchObject({ failed: true, text: "artifact:// ID must be numeric, got: x" });
});

test("skills are read whole, extracts of an agent's answer take no lines, the web is not there", async () => {
  put("home/skills/long/SKILL.md", numbers(5000));
  expect((await run("skill://long")).text).toEndWith("\nline 5000");
  expect((await run("skill://long:4999")).text).toBe("[skill://long]\n4998:line 4998\n4999:line 4999\n5000:line 5000");
  put("session/Scout.json", '{"a":[1,2]}');
  expect((await run("agent://Scout/a")).text).toBe("[\n  1,\n  2\n]");
  expect(await run("agent://Scout/a:1-2")).toMatchObject({
    failed: true,
    text: "Cannot combine query extraction with offset/limit",
  });
  expect(await run("https://example.com/x")).toMatchObject({
    failed: true,
    text: "https:// is not available: there is no access to the web",
  });
  expect(await run("www.example.com")).toMatchObject({ failed: true });
});

const data = join(import.meta.dir, "../../../../../test/data/files");

test("an archive is listed and its files read, with lines", async () => {
  expect((await run(join(data, "pack.zip"))).text).toBe(
    `[${data}/pack.zip]\ndeep/\nhäß.txt (7B)\npixel.bin (4B)\nsrc/`,
  );
  expect((await run(`${join(data, "pack.tgz")}:src`)).text).toBe(`[${data}/pack.tgz:src]\na.ts (24B)\nempty`);
  expect((await run(`${join(data, "pack.tar")}:./src/a.ts:2-2`)).text).toBe(
    `[${data}/pack.tar:src/a.ts]\n1:one\n2:two\n3:three\n4:four\n5:five`,
  );
  expect((await run(`${join(data, "pack.zip")}:pixel.bin`)).text).toBe(
    "[Cannot read binary archive entry 'pixel.bin' (4B)]",
  );
  expect(await run(`${join(data, "pack.zip")}:../x`)).toMatchObject({
    failed: true,
    text: "Archive path cannot contain '..'",
  });
  expect(await run(`${join(data, "pack.zip")}:a.ts`)).toMatchObject({
    failed: true,
    text: expect.stringContaining("Did you mean src/a.ts?"),
  });
  expect((await run(`${join(data, "pack.zip")}:1-2`)).text).toBe(`[${data}/pack.zip]\ndeep/\nhäß.txt (7B)`);
  expect(await pathsOf(own, { path: `${join(data, "pack.zip")}:x` })).toEqual([join(data, "pack.zip")]);
});

const db = join(data, "shop.db");
const asked = async (rest: string) => (await run(`${db}${rest}`)).text.replace(`${db}: `, "");

test("a database is its tables, a table its shape and first rows, a row its values", async () => {
  expect(await asked("")).toBe("item (30 rows)\nlog (2 rows)\npair (1 rows)\ntag (1 rows)");
  expect(await asked(":item")).toBe(
    "CREATE TABLE item(id integer primary key, name text not null, price real default 1.5)\n\nid | name   | price\n---+--------+------\n1  | item 1 | 1.5\n2  | item 2 | 3\n3  | item 3 | 4.5\n4  | item 4 | 6\n5  | item 5 | 7.5\n\n[First 5 rows; page with item?limit=20&offset=5]",
  );
  expect(await asked(":item:7")).toBe("id: 7\nname: item 7\nprice: 10.5");
  expect(await asked(":log:1")).toBe("at: now");
  expect(await asked(":item:99")).toBe("No row '99' in item");
});

test("rows are paged, ordered and chosen; what would do more is refused", async () => {
  expect(await asked(":item?limit=2&offset=3&order=price:desc")).toBe(
    "id | name    | price\n---+---------+------\n27 | item 27 | 40.5\n26 | item 26 | 39\n\n[More rows: offset=5]",
  );
  expect(await asked(":item?where=name LIKE '%1' AND id > 20&limit=5")).toContain("21 | item 21");
  expect(await asked("?q=SELECT count(*) AS n, 'a;b' AS t FROM item")).toBe("n  | t\n---+----\n30 | a;b");
  const refused: [string, RegExp][] = [
    [":item?order=colour", /no column 'colour'/],
    [":item?colour=1", /Unknown query parameter colour/],
    [":item?limit=0", /limit must be/],
    [":item?where=1; DROP TABLE item", /comments or semicolons/],
    [":item?where=1 -- x", /comments or semicolons/],
    [":item?where=1 UNION SELECT 1", /must not hold UNION/],
    [":item:7?limit=1", /takes no query parameters/],
    ["?q=", /q must not be empty/],
    ["?q=SELECT 1&limit=3", /cannot be combined with limit/],
    [":item?q=SELECT 1", /cannot be combined with a table/],
    ["?q=SELECT ?", /bound parameters/],
    ["?q=DELETE FROM item", /q must be a SELECT; DELETE is refused/],
    ["?q=WITH x AS (SELECT 1) DELETE FROM item", /syntax error/],
    ["?q=PRAGMA user_version = 3", /must be a SELECT/],
    ["?q=ATTACH 'x' AS y", /must be a SELECT/],
    [":none", /no such table/],
  ];
  for (const [rest, message] of refused)
    expect(await run(`${db}${rest}`)).toMatchObject({ failed: true, text: expect.stringMatching(message) });
  expect(await asked("")).toStartWith("item (30 rows)");
});

test("what is inside of a file is found by the end of the path as well", async () => {
  mkdirSync(join(cwd, "far/away"), { recursive: true });
  for (const name of ["pack.tgz", "shop.db"]) copyFileSync(join(data, name), join(cwd, "far/away", name));
  expect((await run("away/pack.tgz:src/a.ts:2-2")).text).toStartWith(
    "[Path 'away/pack.tgz' not found; resolved to 'far/away/pack.tgz' via suffix match]\n[far/away/pack.tgz:src/a.ts]\n1:one\n2:two",
  );
  expect((await run("away/shop.db:item:3")).text).toEndWith("via suffix match]\nid: 3\nname: item 3\nprice: 4.5");
  expect(await run("nowhere/pack.tgz:src/a.ts")).toMatchObject({ failed: true });
});

test("a file that is only called a database is a file", async () => {
  put("notes.db", "plain\n");
  expect((await run("notes.db")).text).toBe("[notes.db]\n1:plain");
});

test("documents are text with lines, a broken one says what is wrong", async () => {
  expect((await run(`${join(data, "report.docx")}:3-3`)).text).toContain("\n3:Test");
  expect((await run(join(data, "letter.pdf"))).text).toContain("2:Dear reader,");
  put("broken.pdf", "%PDF-1.4 nothing");
  expect(await run("broken.pdf")).toMatchObject({
    failed: true,
    text: expect.stringMatching(/^\[Cannot read \.pdf file: .+\]$/),
  });
  expect(await run("gone.pdf")).toMatchObject({ failed: true, text: expect.stringContaining("no such file") });
});

test("a notebook is its cells, raw its JSON", async () => {
  expect((await run(join(data, "study.ipynb"))).text).toContain("1:# %% [markdown] cell:0\n2:# Title");
  expect((await run(`${join(data, "study.ipynb")}:raw`)).text).toContain('"nbformat"');
  put("bad.ipynb", "{}");
  expect((await run("bad.ipynb")).text).toBe("[bad.ipynb]\n1:{}");
});

/** A plain picture of more than four megabytes. */
function bitmap(width: number, height: number): Buffer {
  const head = Buffer.alloc(54);
  head.write("BM", 0, "latin1");
  head.writeUInt32LE(54 + width * height * 3, 2);
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
    [34, width * height * 3],
  ] as const)
    head.writeUInt32LE(value, at);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(width * height * 3, 0x80)]);
}

test("a picture is shown, a broken one refused", async () => {
  const got = await run(join(data, "red.png"));
  expect(got).toMatchObject({
    text: `[${data}/red.png] image/png, 40×20, 109B`,
    images: [{ type: "image", mimeType: "image/png" }],
  });
  put("huge.png", Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(21 * 1024 * 1024)]));
  expect(await run("huge.png")).toMatchObject({
    failed: true,
    text: "huge.png: is larger than the 20MB that a picture may have",
  });
  put("middle.bmp", bitmap(1500, 1200));
  expect(await run("middle.bmp")).toMatchObject({
    text: expect.stringMatching(/^\[middle\.bmp\] image\/png, 1500×1200/),
    images: [{ mimeType: "image/png" }],
  });
  put("cut.png", Buffer.from("89504e470d0a1a0a0000", "hex"));
  expect(await run("cut.png")).toMatchObject({ failed: true });
});

test("a sparse file of two gigabytes is answered soon", async () => {
  put("sparse", "first\nsecond\n");
  truncateSync(join(cwd, "sparse"), 2 ** 31);
  const before = bytesRead();
  await run("sparse:1-2");
  expect(bytesRead() - before).toBeLessThan(2 ** 27);
});

test("an abort stops a read, and what may not be read says so", async () => {
  const stopped = { ...call, signal: AbortSignal.abort() };
  for (const path of ["gone/way.ts", "large.txt", join(data, "pack.tgz"), db, join(data, "letter.pdf")])
    expect(await runTool(own, { path }, stopped)).toMatchObject({ failed: true });
  put("secret", "x");
  chmodSync(join(cwd, "secret"), 0);
  if (process.getuid?.() !== 0)
    expect(await run("secret")).toMatchObject({ failed: true, text: "secret: permission denied" });
});
