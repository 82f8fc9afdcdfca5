import { afterAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileChange } from "@pith/agent";
import { openArtifacts } from "@pith/agent";
import { changeRow, readMember, select } from "@pith/host";
import { cpuSince } from "@pith/kit/test";
import fc from "fast-check";
import { Snapshots } from "../../../snapshot/snapshot.ts";
import { filesIn } from "../../../test/files.ts";
import { intentOf, pathsOf, runTool } from "../../../test/run.ts";
import { Conflicts } from "../../../url/conflicts.ts";
import { findRegions } from "../../../url/marker.ts";
import { Router } from "../../../url/router.ts";
import { write } from "./write.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "pith-write-")));
afterAll(() => rmSync(cwd, { recursive: true }));
const conflicts = new Conflicts();
const options = {
  files: filesIn(cwd),
  snapshots: new Snapshots(undefined),
  clock: { now: () => 1_700_000_000_000 },
  urls: new Router({
    artifacts: openArtifacts(undefined),
    sessionDir: join(cwd, "session"),
    project: cwd,
    home: cwd,
    conflicts,
  }),
  display: "hashline" as const,
  generated: "refuse" as const,
};
const tool = write(options);
const call = { id: "1", signal: new AbortController().signal, progress() {} };
const run = (path: string, content: string) => runTool(tool, { path, content }, call);
const text = (path: string) => readFileSync(join(cwd, path), "utf8");
const changes = (outcome: Awaited<ReturnType<typeof run>>) => (outcome.data as { files?: FileChange[] }).files?.[0];

test("a new file is made with its directories, and its bytes are counted, not its characters", async () => {
  const got = await run("new/deep/a.txt", "häß😀\n");
  expect(got.kind).toBe("diff");
  expect(got.text).toMatch(/^\[new\/deep\/a\.txt#[0-9A-F]{4}\]\nSuccessfully wrote 10 bytes to new\/deep\/a\.txt$/);
  expect(text("new/deep/a.txt")).toBe("häß😀\n");
  expect(changes(got)).toMatchObject({ path: "new/deep/a.txt", change: "added", added: 1, removed: 0 });
});

test("replacing a file says so and shows what changed", async () => {
  writeFileSync(join(cwd, "old.txt"), "a\nb\nc\n");
  const got = await run("old.txt", "a\nB\nc\n");
  expect(got.text).toEndWith("\nSuccessfully wrote 6 bytes to old.txt");
  expect(got.meta?.notes).toEqual(["It replaced a file of 6B"]);
  expect(changes(got)).toMatchObject({ change: "modified", added: 1, removed: 1 });
  expect(changes(got)?.patch).toContain("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
});

test("a script becomes executable", async () => {
  expect((await run("run.sh", "#!/bin/sh\necho hi\n")).meta?.notes).toEqual(["It is executable"]);
  expect(statSync(join(cwd, "run.sh")).mode & 0o100).toBe(0o100);
});

test("a directory is never replaced by a file", async () => {
  mkdirSync(join(cwd, "folder"));
  expect(await run("folder", "x")).toMatchObject({
    failed: true,
    text: "folder: is a directory. Nothing was written.",
  });
  expect(await run("other/", "x")).toMatchObject({
    failed: true,
    text: "other/: names a directory; give the path of a file. Nothing was written.",
  });
  expect(await run("old.txt/below", "x")).toMatchObject({ failed: true });
});

test("a binary file can be replaced; there is just no diff to show", async () => {
  writeFileSync(join(cwd, "binary"), "\0\x01");
  expect(changes(await run("binary", "text\n"))?.patch).toBe("");
  expect(text("binary")).toBe("text\n");
});

test("two very different large contents are compared in bounded time", async () => {
  writeFileSync(join(cwd, "large"), Array.from({ length: 20_000 }, (_, i) => `old ${i * 7}`).join("\n"));
  const started = process.cpuUsage();
  const got = await run("large", Array.from({ length: 20_000 }, (_, i) => `new ${i * 11}`).join("\n"));
  expect(cpuSince(started)).toBeLessThan(3000);
  expect(changes(got)).toMatchObject({ added: 20_000, removed: 20_000, patch: "" });
});

test("a write names the path it touches", async () => {
  const intent = await intentOf(tool, { path: "a/../b", content: "" });
  expect(intent).toMatchObject({ effect: "write", exact: true, paths: [{ effect: "write", path: join(cwd, "b") }] });
});

const bytes = (path: string) => readFileSync(join(cwd, path));

test("an existing file keeps its encoding, its mark and its line ends", async () => {
  writeFileSync(join(cwd, "dos.txt"), "a\r\nb\r\n");
  expect((await run("dos.txt", "c\nd\n")).meta?.notes).toEqual([
    "It replaced a file of 6B",
    "Its line ends (CRLF) were kept",
  ]);
  expect(text("dos.txt")).toBe("c\r\nd\r\n");
  writeFileSync(join(cwd, "bom.txt"), "\ufeffold");
  await run("bom.txt", "new");
  expect(text("bom.txt")).toBe("\ufeffnew");
  writeFileSync(join(cwd, "wide.txt"), Buffer.from("\ufeffold", "utf16le"));
  await run("wide.txt", "nëw");
  expect(bytes("wide.txt").equals(Buffer.from("\ufeffnëw", "utf16le"))).toBe(true);
  writeFileSync(join(cwd, "latin.txt"), Buffer.from("caf\xe9", "latin1"));
  await run("latin.txt", "thé");
  expect(bytes("latin.txt").equals(Buffer.from("thé", "latin1"))).toBe(true);
  expect((await run("latin.txt", "€")).meta?.notes?.[1]).toStartWith("Now UTF-8");
  expect(text("latin.txt")).toBe("€");
});

test("a file of both kinds of line ends gets the more frequent one", async () => {
  writeFileSync(join(cwd, "mixed.txt"), "a\r\nb\r\nc\n");
  await run("mixed.txt", "x\ny\n");
  expect(text("mixed.txt")).toBe("x\r\ny\r\n");
});

test("half a character is not written as another one", async () => {
  expect(await run("half.txt", "a\ud800b")).toMatchObject({
    failed: true,
    text: expect.stringContaining("half of a surrogate pair"),
  });
  expect(existsSync(join(cwd, "half.txt"))).toBe(false);
});

test("a path with a selector, a table of no database or a bare archive makes no file of that name", async () => {
  writeFileSync(join(cwd, "lines.txt"), "a\nb\n");
  writeFileSync(join(cwd, "plain.db"), "text");
  for (const path of ["lines.txt:1-2", "lines.txt:raw", "lines.txt:0", "lines.txt:5-3"])
    expect(await run(path, "x")).toMatchObject({
      failed: true,
      text: `${path}: only whole files are written; change lines of lines.txt with edit. Nothing was written.`,
    });
  expect(await run("plain.db:t", "{}")).toMatchObject({
    failed: true,
    text: "plain.db is not an SQLite database. Nothing was written.",
  });
  expect(await run("bare.zip", "x")).toMatchObject({
    failed: true,
    text: "An archive is written member by member: a.zip:dir/x.txt. Nothing was written.",
  });
  expect((await run("lines.txt:note", "x")).failed).toBeUndefined();
  expect((await run("other:12", "x")).failed).toBeUndefined();
});

test("a file that says it is generated is not replaced, unless that is allowed", async () => {
  writeFileSync(join(cwd, "made.ts"), "// Code generated by protoc. DO NOT EDIT.\nx\n");
  expect(await run("made.ts", "mine")).toMatchObject({
    failed: true,
    text: expect.stringContaining("made.ts is generated"),
  });
  expect(text("made.ts")).toContain("protoc");
  expect(
    (await runTool(write({ ...options, generated: "allow" }), { path: "made.ts", content: "mine" }, call)).failed,
  ).toBeUndefined();
});

test("what a read showed around lines is taken out again", async () => {
  writeFileSync(join(cwd, "pasted.ts"), "one\n\ttwo\nthree\n");
  const header = `[pasted.ts#${options.snapshots.mint(join(cwd, "pasted.ts"), "one\n\ttwo\nthree\n")}]`;
  const got = await run("pasted.ts", `${header}\n1:one\n2:\ttwo and more\n3:three\n`);
  expect(text("pasted.ts")).toBe("one\n\ttwo and more\nthree\n");
  expect(got.meta?.notes).toContain("Headers and line numbers copied from a read were taken out of the content");
  await run("pasted.ts", `${header}\ncode\n`);
  expect(text("pasted.ts")).toBe("code\n");
  await run("other.ts", " 2:\ttwo\n*3:three\n");
  expect(text("other.ts")).toBe("\ttwo\nthree\n");
});

test("content that only looks like what a read shows is written as it is", async () => {
  writeFileSync(join(cwd, "plain.txt"), "one\ntwo\n");
  const looks = ["10:30 meeting\n11:00 lunch\n", "[section#ABCD]\nkey=1\n", "1:x", "1:q7\n2:r8\n", "a\n[b#0A1B]\n"];
  for (const content of looks) {
    expect((await run("plain.txt", content)).meta?.notes?.join()).not.toContain("taken out");
    expect(text("plain.txt")).toBe(content);
  }
  await runTool(write({ ...options, display: "plain" }), { path: "kept.ts", content: "1:x\n2:y\n" }, call);
  expect(text("kept.ts")).toBe("1:x\n2:y\n");
});

test("a text that quotes what a read showed is written as it is", async () => {
  const body = "one\ntwo\nthree\nfour\n";
  writeFileSync(join(cwd, "quoted.ts"), body);
  const header = `[quoted.ts#${options.snapshots.mint(join(cwd, "quoted.ts"), body)}]`;
  const prose = "# How it came\n\nIt said:\n\n";
  for (const rows of [`${header}\n1:one\n2:two\n`, "1:one\n2:two\n", "1:one\n...\n4:four\n"]) {
    await run("notes.md", `${prose}${rows}\nand so it is.\n`);
    expect(text("notes.md")).toBe(`${prose}${rows}\nand so it is.\n`);
  }
});

test("a pasted summary is refused, because what it leaves out would be lost", async () => {
  const body = ["import a;", "", "function f() {", ..."abcdefgh", "}", "", "f();", ""].join("\n");
  writeFileSync(join(cwd, "long.ts"), body);
  const header = `[long.ts#${options.snapshots.mint(join(cwd, "long.ts"), body)}]`;
  for (const rows of ["1:import a;\n2:\n3-12:function f() { .. }\n13:\n14:f();\n", "1:import a;\n...\n14:f();\n"])
    for (const content of [`${header}\n${rows}`, rows, `${header}\n${rows}and more\n`]) {
      expect(await run("long.ts", content)).toMatchObject({
        failed: true,
        text: expect.stringMatching(/were left out.*Nothing was written/),
      });
      expect(text("long.ts")).toBe(body);
    }
});

describe("a paste with a small difference comes out whole or is refused", () => {
  const body = Array.from({ length: 20 }, (_, i) => `line ${i + 1} of it\n`).join("");
  const shown = (mark: string) =>
    body
      .trimEnd()
      .split("\n")
      .map((line, i) => `${i + 1}${mark}${line}`);
  const numbered = write({ ...options, display: "numbered", snapshots: new Snapshots(undefined) });
  const kinds = [
    ["hashline", tool, ":", () => `[a.txt#${options.snapshots.mint(join(cwd, "a.txt"), body)}]`],
    ["numbered", numbered, "|", () => "[a.txt]"],
  ] as const;
  const added = body.replace("line 5 of it", "brand new\nline 5 of it");
  const written: [string, (rows: string[], mark: string) => string[], string][] = [
    ["as it is", (rows) => rows, body],
    ["a row without a number", (rows) => rows.toSpliced(4, 0, "brand new"), added],
    ["a number twice", (rows, mark) => rows.toSpliced(4, 0, `4${mark}brand new`), added],
    [
      "all numbered anew",
      (rows, mark) => rows.toSpliced(4, 0, "5:brand new").map((row, i) => row.replace(/^\d+[:|]/, `${i + 1}${mark}`)),
      added,
    ],
    ["with a notice", (rows) => [...rows, "", "[Line ends are mixed]"], body],
  ];
  for (const [kind, tool, mark, header] of kinds) {
    const put = (path: string, rows: string[]) => runTool(tool, { path, content: `${rows.join("\n")}\n` }, call);
    test.each(written)(`${kind}: %s`, async (_, changed, after) => {
      for (const path of ["a.txt", "b.txt"]) {
        writeFileSync(join(cwd, "a.txt"), body);
        const got = await put(path, [header(), ...changed(shown(mark), mark)]);
        expect([got.text, text(path)]).toEqual([expect.stringContaining("Successfully"), after]);
      }
    });
    const refused: [string, (rows: string[]) => string[], string, string[]][] = [
      ["rows left out", (rows) => rows.toSpliced(4, 4), "lines 5-8", ["a.txt", "b.txt"]],
      ["the first rows alone", (rows) => rows.slice(0, 12), "lines 13-20", ["a.txt"]],
      ["the last rows alone", (rows) => rows.slice(12), "lines 1-12", ["a.txt"]],
      [
        "a notice of what was not shown",
        (rows) => [...rows, "", "[Showing lines 1-20 of more than 300. Go on with a.txt:21-40]"],
        "lines 21-300",
        ["a.txt", "b.txt"],
      ],
      ["numbers out of order", (rows) => rows.toSpliced(9, 0, `3${mark}30 tea`), "out of order", ["a.txt"]],
      ["a summary", (rows) => rows.toSpliced(3, 5, `4-8${mark}line 4 of it { .. }`), "lines 4-8", ["a.txt", "b.txt"]],
    ];
    test.each(refused)(`${kind}: %s`, async (_, changed, why, paths) => {
      for (const path of paths) {
        writeFileSync(join(cwd, "a.txt"), body);
        rmSync(join(cwd, "b.txt"), { force: true });
        const got = await put(path, [header(), ...changed(shown(mark))]);
        expect(got).toMatchObject({ failed: true, text: expect.stringContaining(why) });
        expect([text("a.txt"), existsSync(join(cwd, "b.txt"))]).toEqual([body, false]);
      }
    });
  }
});

test("whatever is pasted, a write either keeps it to the letter or takes out only what was shown", async () => {
  const line = fc.constantFrom("", "a", "1:x", "10:30", "  b", "[s#ABCD]", "...", "3-5:f() { .. }", "é");
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.array(line, { maxLength: 6 }),
      async (old, rows) => {
        const before = `${old.join("\n")}\n`;
        writeFileSync(join(cwd, "any.txt"), before);
        const fresh = new Snapshots(undefined);
        const tool = write({ ...options, snapshots: fresh });
        const put = (content: string) => runTool(tool, { path: "any.txt", content }, call);
        // What is shown of it comes back as it was.
        const header = `[any.txt#${fresh.mint(join(cwd, "any.txt"), before)}]`;
        await put([header, ...old.map((text, i) => `${i + 1}:${text}`), ""].join("\n"));
        expect(text("any.txt")).toBe(before);
        // What nobody was shown is content.
        writeFileSync(join(cwd, "any.txt"), "");
        const unknown = write({ ...options, snapshots: new Snapshots(undefined) });
        const content = rows.join("\n");
        await runTool(unknown, { path: "any.txt", content }, call);
        expect(text("any.txt")).toBe(content);
      },
    ),
    { numRuns: 150 },
  );
});

test("a file of an archive is written, a new archive made", async () => {
  const member = async (path: string, name: string) => {
    const got = await readMember(join(cwd, path), name, 1 << 20, call.signal);
    return got.ok ? got.value.toString() : got.message;
  };
  expect((await run("new/a.zip:dir/./x.txt", "grüß")).text).toBe("Successfully wrote 6 bytes to new/a.zip:dir/x.txt");
  expect((await run("new/a.zip:y.txt", "y")).text).toBe("Successfully wrote 1 bytes to new/a.zip:y.txt");
  expect(await member("new/a.zip", "dir/x.txt")).toBe("grüß");
  expect((await run("b.tar.gz:x", "tar")).failed).toBeUndefined();
  expect(await member("b.tar.gz", "x")).toBe("tar");
  expect(await run("new/a.zip:", "x")).toMatchObject({
    failed: true,
    text: "An archive is written member by member: a.zip:dir/x.txt. Nothing was written.",
  });
  expect(await run("new/a.zip", "x")).toMatchObject({
    failed: true,
    text: "An archive is written member by member: a.zip:dir/x.txt. Nothing was written.",
  });
  expect(await run("new/a.zip:dir/", "x")).toMatchObject({
    failed: true,
    text: "Only files are written into an archive, no directories. Nothing was written.",
  });
  expect(await run("new/a.zip:../x", "x")).toMatchObject({
    failed: true,
    text: "A path inside an archive does not climb (..). Nothing was written.",
  });
  expect((await run("new/a.zip:in.db:t", "x")).text).toContain("new/a.zip:in.db:t");
  writeFileSync(join(cwd, "broken.zip"), "junk");
  expect(await run("broken.zip:x", "x")).toMatchObject({ failed: true, text: expect.stringContaining("damaged") });
  expect(await pathsOf(tool, { path: "new/a.zip:x", content: "" })).toEqual([join(cwd, "new/a.zip")]);
});

test("rows of a database are inserted, changed and deleted", async () => {
  copyFileSync(join(import.meta.dir, "../../../../../../test/data/files/shop.db"), join(cwd, "shop.db"));
  const rows = async (query: string) => {
    const got = await select(join(cwd, "shop.db"), query, [], 10, call.signal);
    return got.ok ? got.value.rows : got.message;
  };
  expect((await run("shop.db:item", "{name: 'Ada', price: 2,}")).text).toBe("Inserted row into item");
  expect((await run("shop.db:log", "{}")).text).toBe("Inserted row into log");
  expect((await run("shop.db:item:31", "{price: 9, name: 'x'}")).text).toBe("Updated row '31' in item");
  expect(await rows("SELECT name, price FROM item WHERE id = 31")).toEqual([["x", 9]]);
  expect((await run("shop.db:item:999", "{price: 1}")).text).toBe("No row updated: there is no row '999' in item");
  expect((await run("shop.db:item:31", " \n")).text).toBe("Deleted row '31' in item");
  expect((await run("shop.db:item:31", "")).text).toBe("No row deleted: there is no row '31' in item");
  expect(await rows("SELECT count(*) FROM log")).toEqual([[3]]);
});

test("what a database cannot take is refused with its reason", async () => {
  const refused: [string, string, RegExp | string][] = [
    ["gone.db:t", "{}", "There is no database gone.db. Nothing was written."],
    ["shop.db:item?x=1", "{}", /A query can only be read/],
    ["shop.db", "{}", /A row is written to a table/],
    ["shop.db::1", "{}", /A row is written to a table/],
    ["shop.db:item:", "{}", /The key behind the table is empty/],
    ["shop.db:item", "{", /not valid JSON5/],
    ["shop.db:item", "[1]", /must be a JSON5 object/],
    ["shop.db:item", "{colour: 1}", /Unknown column 'colour'/],
    ["shop.db:item", "{name: {}}", /not a scalar/],
    ["shop.db:item:1", "{}", /at least one column/],
    ["shop.db:pair:1", "{a: 1}", /composite/],
    ["shop.db:tag:x", "", /composite/],
    ["shop.db:item", "{price: 9007199254740993}", /more digits than a number keeps/],
    ["shop.db:item", "{price: NaN}", /not a number/],
    ["shop.db:item", "{price: -Infinity}", /not a number/],
    ["shop.db:item", "{__proto__: 1}", /Unknown column '__proto__'/],
  ];
  for (const [path, content, message] of refused)
    expect(await run(path, content)).toMatchObject({
      failed: true,
      text: typeof message === "string" ? message : expect.stringMatching(message),
    });
  expect(existsSync(join(cwd, "gone.db"))).toBe(false);
  writeFileSync(join(cwd, "notes.db"), "plain");
  expect((await run("notes.db", "still plain")).failed).toBeUndefined();
  expect(text("notes.db")).toBe("still plain");
  expect(await changeRow(join(cwd, "shop.db"), "log", { do: "insert", values: {} }, call.signal)).toMatchObject({
    ok: true,
  });
});

test("a database is made by the statements that make its tables", async () => {
  expect((await run("fresh/made.db", "CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT);\n")).text).toMatch(
    /^Made the database fresh\/made\.db \(\d+KB\)$/,
  );
  expect((await run("fresh/made.db:user", "{name: 'Ada'}")).text).toBe("Inserted row into user");
  expect(await run("fresh/bad.db", "CREATE TABLE x (")).toMatchObject({
    failed: true,
    text: expect.stringContaining("Nothing was written"),
  });
  expect(existsSync(join(cwd, "fresh/bad.db"))).toBe(false);
});

const merge = (n: number) => `top ${n}\n<<<<<<< HEAD\nours ${n}\n=======\ntheirs ${n}\n>>>>>>> topic\nend\n`;

test("a conflict is decided by its number, with a text or a side", async () => {
  writeFileSync(join(cwd, "m1.txt"), merge(1) + merge(2));
  conflicts.record(join(cwd, "m1.txt"), findRegions(merge(1) + merge(2)));
  expect(await pathsOf(tool, { path: "conflict://1", content: "" })).toEqual([join(cwd, "m1.txt")]);
  expect((await run("conflict://2", "decided")).text).toMatch(
    /^\[m1\.txt#[0-9A-F]{4}\]\nResolved 1 conflict in m1\.txt; 1 left$/,
  );
  expect(text("m1.txt")).toBe(`${merge(1)}top 2\ndecided\nend\n`);
  expect((await run("conflict://1", "@both")).failed).toBeUndefined();
  expect(text("m1.txt")).toBe("top 1\nours 1\ntheirs 1\nend\ntop 2\ndecided\nend\n");
  expect(await run("conflict://1", "again")).toMatchObject({
    failed: true,
    text: expect.stringContaining("no longer there"),
  });
  expect(await run("conflict://1/ours", "x")).toMatchObject({
    failed: true,
    text: "conflict://1/ours is read-only; write to conflict://1",
  });
  expect(await run("conflict://77", "x")).toMatchObject({ failed: true, text: 'Conflict "77" not found. Known: 1, 2' });
});

test("all conflicts are decided at once, in all files or none", async () => {
  const many = new Conflicts();
  for (const name of ["p.txt", "q.txt"]) {
    writeFileSync(join(cwd, name), merge(1));
    many.record(join(cwd, name), findRegions(merge(1)));
  }
  const bulk = write({
    ...options,
    urls: new Router({
      artifacts: openArtifacts(undefined),
      sessionDir: undefined,
      project: cwd,
      home: cwd,
      conflicts: many,
    }),
  });
  expect(await runTool(bulk, { path: "conflict://*", content: "@base" }, call)).toMatchObject({ failed: true });
  expect(text("p.txt")).toBe(merge(1));
  const got = await runTool(bulk, { path: "conflict://*", content: "@theirs" }, call);
  expect(got.text).toMatch(
    /^Resolved 1 conflict in p\.txt\nResolved 1 conflict in q\.txt\n\nSnapshots:\n\[p\.txt#[0-9A-F]{4}\]\n\[q\.txt#[0-9A-F]{4}\]$/,
  );
  expect([text("p.txt"), text("q.txt")]).toEqual(["top 1\ntheirs 1\nend\n", "top 1\ntheirs 1\nend\n"]);
});

test("the session's scratch files are written, other addresses are not", async () => {
  expect((await run("local://notes/a.md", "häß")).text).toBe("Successfully wrote 5 bytes to local://notes/a.md");
  expect(text("session/local/notes/a.md")).toBe("häß");
  expect(await run("pith://cli", "x")).toMatchObject({
    failed: true,
    text: "pith:// is read-only: pith://cli was not written",
  });
  expect(await pathsOf(tool, { path: "local://a", content: "" })).toEqual([join(cwd, "session/local/a")]);
});

test("cells become a notebook, and come back as they were", async () => {
  copyFileSync(join(import.meta.dir, "../../../../../../test/data/files/study.ipynb"), join(cwd, "study.ipynb"));
  await run("study.ipynb", "# %% [markdown] cell:0\n# Title\n\nSome *text*\n\n# %% [code] cell:1\nprint(1)\n");
  const { cells } = JSON.parse(text("study.ipynb"));
  expect(cells).toMatchObject([
    { id: "cell-0" },
    { id: "cell-1", source: ["print(1)"], outputs: [{ name: "stdout" }] },
  ]);
});

test("all conflicts are decided, also when those of one file are already", async () => {
  for (const name of ["done.txt", "open.txt"]) {
    writeFileSync(join(cwd, name), merge(3));
    conflicts.record(join(cwd, name), findRegions(merge(3)));
  }
  writeFileSync(join(cwd, "done.txt"), "decided by hand\n");
  expect((await run("conflict://*", "@ours")).text).toContain("Resolved 1 conflict in open.txt\n");
  expect(text("open.txt")).toBe("top 3\nours 3\nend\n");
  expect(await run("conflict://*", "@ours")).toMatchObject({
    failed: true,
    text: "All conflicts that were recorded are decided by now. Nothing was written.",
  });
});
