import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Snapshots } from "../../snapshot/snapshot.ts";
import { filesIn } from "../../test/files.ts";
import { parseArriving, parsePatch } from "./parse.ts";
import { type PatchEditing, planHunks } from "./plan.ts";
import { aftermath, placePatch, runPatch, summary } from "./run.ts";
import { fold, Haystack, seek } from "./seek.ts";

let root = "";
afterEach(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "pith-patch-")));
});
const put = (name: string, text: string) => {
  mkdirSync(join(root, name, ".."), { recursive: true });
  writeFileSync(join(root, name), text);
};
const text = (name: string) => readFileSync(join(root, name), "utf8");
const editing = (over: Partial<PatchEditing> = {}): PatchEditing => ({
  files: filesIn(root),
  resolve: (name) => resolve(root, name),
  snapshots: new Snapshots(undefined),
  generated: "refuse",
  apply: "each",
  finalNewline: "add",
  ...over,
});
const patch = (...rows: string[]) => ["*** Begin Patch", ...rows, "*** End Patch"].join("\n");
const run = (rows: string[], over: Partial<PatchEditing> = {}) => runPatch(editing(over), patch(...rows));
/** The output: the summary, or the error. */
async function says(rows: string[], over: Partial<PatchEditing> = {}): Promise<string> {
  const done = await run(rows, over);
  return "message" in done ? done.message : summary(done);
}
const update = (name: string, ...rows: string[]) => [`*** Update File: ${name}`, ...rows];

describe("the envelope", () => {
  const hunk = "*** Add File: a\n+x";
  test("markers may be indented, content lines may not be touched", () => {
    expect(parsePatch("  *** Begin Patch  \n*** Add File: a\n+  x  \n  *** End Patch ")).toEqual({
      ok: true,
      value: [{ do: "add", path: "a", content: "  x  \n" }],
    });
  });
  test.each(["<<EOF", "<<'EOF'", '<<"EOF"'])("a here-document %s is taken off", (opener) => {
    const wrapped = `${opener}\n*** Begin Patch\n${hunk}\n*** End Patch\nEOF`;
    expect(parsePatch(wrapped).ok).toBe(true);
  });
  test("a line is counted from the opening marker, also in a here-document", () =>
    expect(parsePatch("<<EOF\n*** Begin Patch\n*** Bad\n*** End Patch\nEOF")).toMatchObject({
      message: expect.stringContaining("line 2 of the patch:"),
    }));
  test.each([
    `<<"EOF'\n*** Begin Patch\n${hunk}\n*** End Patch\nEOF`,
    `<<EOF\n*** Begin Patch\n${hunk}\n*** End Patch`,
    hunk,
  ])("a wrapper that does not close is refused: %p", (input) =>
    expect(parsePatch(input)).toMatchObject({
      ok: false,
      message: "A patch begins with the line '*** Begin Patch'",
    }),
  );
  test("a missing end is refused, and fine while it is arriving", () => {
    const open = `*** Begin Patch\n${hunk}\n*** Delete File: b\n`;
    expect(parsePatch(open)).toMatchObject({
      ok: false,
      message: "A patch ends with the line '*** End Patch'",
    });
    expect(parseArriving(open)).toEqual([
      { do: "add", path: "a", content: "x\n" },
      { do: "delete", path: "b" },
    ]);
  });
  test("no prefix of a patch makes what is shown of it throw or show a hunk that was not meant", () => {
    const whole = patch(
      "*** Add File: a",
      "+x",
      "*** Update File: b",
      "*** Move to: c",
      "@@ f",
      " y",
      "-z",
      "+w",
      "*** End of File",
      "*** Delete File: d",
    );
    const full = parsePatch(whole);
    if (!full.ok) throw new Error(full.message);
    for (let n = 0; n <= whole.length; n++) {
      const shown = parseArriving(whole.slice(0, n));
      expect(full.value.slice(0, shown.length)).toEqual(shown);
    }
    expect(parseArriving(whole)).toEqual(full.value);
  });
});

describe("a patch that cannot be read says why", () => {
  const cases: [string, string[], string][] = [
    [
      "an unknown header",
      ["*** Rename File: x"],
      "line 2 of the patch: '*** Rename File: x' begins nothing; '*** Add File: PATH', '*** Delete File: PATH' and '*** Update File: PATH' do",
    ],
    [
      "a header without its space",
      ["*** Add File:x"],
      "line 2 of the patch: '*** Add File:x' begins nothing; '*** Add File: PATH', '*** Delete File: PATH' and '*** Update File: PATH' do",
    ],
    [
      "a line after a deletion",
      ["*** Delete File: a", "+x"],
      "line 3 of the patch: '+x' begins nothing; '*** Add File: PATH', '*** Delete File: PATH' and '*** Update File: PATH' do",
    ],
    ["an update without chunks", update("a"), "line 2 of the patch: the update of a has no rows"],
    [
      "a move that comes too late",
      update("a", "@@", "-x", "*** Move to: b"),
      "line 5 of the patch: '*** Move to: b' begins nothing; '*** Add File: PATH', '*** Delete File: PATH' and '*** Update File: PATH' do",
    ],
    [
      "a second chunk without its marker",
      update("a", "-x", "*** End of File", " y"),
      "line 5 of the patch: a further hunk begins with @@, not with ' y'",
    ],
    ["a chunk without lines", update("a", "@@ ctx"), "line 4 of the patch: the hunk has no rows"],
    [
      "the end of the file as a first line",
      update("a", "@@", "*** End of File"),
      "line 4 of the patch: the hunk has no rows",
    ],
    ["a chunk of context only", update("a", "@@", " a", " b"), "line 3 of the patch: the hunk changes nothing"],
    [
      "something that only begins like a marker",
      update("a", "@@x", "-x"),
      "line 3 of the patch: '@@x' begins neither with a space (kept) nor with + (added) or - (removed)",
    ],
    [
      "a line without a sign",
      update("a", "@@", "-x", "foo"),
      "line 5 of the patch: 'foo' begins neither with a space (kept) nor with + (added) or - (removed)",
    ],
  ];
  test.each(cases)("%s", async (_, rows, message) => expect(await says(rows)).toBe(message));
  test("a patch of nothing", async () => expect(await says([])).toBe("The patch changes nothing."));
});

test("a chunk is read as it is written: kept, removed, added and empty rows", () => {
  expect(parsePatch(patch(...update("a", "@@ class A", " k", "-o", "+n", "", "*** End of File")))).toEqual({
    ok: true,
    value: [
      {
        do: "update",
        path: "a",
        chunks: [
          {
            contexts: ["class A"],
            rows: [
              { sign: " ", text: "k" },
              { sign: "-", text: "o" },
              { sign: "+", text: "n" },
              { sign: " ", text: "" },
            ],
            atEnd: true,
          },
        ],
      },
    ],
  });
});

describe("adding, deleting and moving", () => {
  test("a path may hold spaces and any letters, and is reported as it was written", async () => {
    expect(await says(["*** Add File: ein Ordner/ä b.txt", "+a", "+", "+b"])).toBe(
      "Success. Updated the following files:\nA ein Ordner/ä b.txt",
    );
    expect(text("ein Ordner/ä b.txt")).toBe("a\n\nb\n");
  });
  test("added, modified, deleted: in this order, a move under its old name", async () => {
    put("m", "a\n");
    put("d", "x\n");
    put("deep/old", "taken\n");
    const rows = [
      "*** Delete File: d",
      "*** Add File: one",
      "+1",
      ...update("m", "*** Move to: deep/new", "-a", "+b"),
      "*** Add File: two",
      "+2",
    ];
    expect(await says(rows)).toBe("Success. Updated the following files:\nA one\nA two\nM m\nD d");
    expect([existsSync(join(root, "m")), existsSync(join(root, "d")), text("deep/new")]).toEqual([false, false, "b\n"]);
  });
  test("what was overwritten is said", async () => {
    put("a", "old\n");
    put("m", "x\n");
    put("n", "there\n");
    const done = await run(["*** Add File: a", "+new", ...update("m", "*** Move to: n", "-x", "+y")]);
    expect(done.notes).toEqual(["a existed and was overwritten.", "n existed and was overwritten."]);
    expect([text("a"), text("n")]).toEqual(["new\n", "y\n"]);
  });
  test("a file is moved without a change, and keeps its mode", async () => {
    put("run.sh", "#!/bin/sh\n");
    chmodSync(join(root, "run.sh"), 0o755);
    expect(await says(update("run.sh", "*** Move to: bin/run"))).toBe(
      "Success. Updated the following files:\nM run.sh",
    );
    expect(text("bin/run")).toBe("#!/bin/sh\n");
    expect(statSync(join(root, "bin/run")).mode & 0o777).toBe(0o755);
  });
  test("a file added without lines is empty", async () => {
    await run(["*** Add File: e"]);
    expect(text("e")).toBe("");
  });
  test("a file that is too large to be read can be deleted", async () => {
    put("b", "");
    truncateSync(join(root, "b"), 100 * 1024 * 1024);
    expect(await says(["*** Delete File: b"])).toBe("Success. Updated the following files:\nD b");
    expect(existsSync(join(root, "b"))).toBe(false);
  });
  test("a binary file can be deleted", async () => {
    writeFileSync(join(root, "b"), Buffer.from([1, 0, 2]));
    expect(await says(["*** Delete File: b"])).toBe("Success. Updated the following files:\nD b");
  });
});

describe("what cannot be applied says why", () => {
  const cases: [string, string[], string][] = [
    ["a context that is not there", update("f", "@@ nothere", "-a"), "f has no line 'nothere' to look below"],
    [
      "lines that are not there",
      update("f", "@@", " a", "-x", "+y"),
      "These lines are not in f:\na\nx\nThe nearest lines are:\n1:a\n2:b",
    ],
    ["a blank line to remove that is not there", update("f", "+x", "-"), "These lines are not in f:\n"],
    [
      "one line that differs within a block",
      update("f", "@@", " a", "-B", " c"),
      "These lines are not in f:\na\nB\nc\nThe nearest lines are:\n1:a\n2:b",
    ],
    [
      "chunks out of order",
      update("f", "@@", "-c", "+C", "@@", "-a", "+A"),
      "These lines are not in f:\na\nThe nearest lines are:\n1:a\n2:b",
    ],
    ["an update of a missing file", update("none", "-a"), "none cannot be updated: there is no such file"],
    ["an update of a directory", update("dir", "-a"), "dir cannot be updated: it is a directory"],
    ["the deletion of a directory", ["*** Delete File: dir"], "dir cannot be deleted: it is a directory"],
    ["the deletion of a missing file", ["*** Delete File: none"], "none cannot be deleted: there is no such file"],
    [
      "a file in the place of a directory",
      ["*** Add File: f/x", "+a"],
      "The directories of f/x cannot be made: a part of its path is no directory",
    ],
    ["a read-only file", update("ro", "-a", "+b"), "ro cannot be written: there is no permission"],
    [
      "the removal of a read-only original",
      update("ro", "*** Move to: there", "-a", "+b"),
      "ro stands under its new name, but cannot be removed: there is no permission",
    ],
  ];
  test.each(cases)("%s", async (_, rows, message) => {
    put("f", "a\nb\nc\n");
    put("dir/in", "");
    put("ro", "a\n");
    chmodSync(join(root, "ro"), 0o444);
    expect(await says(rows)).toBe(message);
    expect([text("f"), text("ro")]).toEqual(["a\nb\nc\n", "a\n"]);
  });
  test("a path that may not be touched, before anything is read", async () => {
    expect(
      await says(["*** Add File: /etc/x", "+a"], {
        deny: (path) => (path.startsWith(root) ? undefined : `${path} is outside the workspace`),
      }),
    ).toBe("/etc/x is outside the workspace");
  });
});

describe("a failure in the middle", () => {
  const rows = ["*** Add File: one", "+1", ...update("none", "-a"), "*** Add File: two", "+2"];
  test("keeps what was done, skips the rest, and says both", async () => {
    const done = await run(rows);
    if (!("message" in done)) throw new Error("it worked");
    expect(aftermath(done)).toEqual(["Applied before the failure:", "A one", "Not tried:", "two"]);
    expect(readdirSync(root)).toEqual(["one"]);
  });
  test("changes nothing when all or none was asked for", async () => {
    const done = await run(rows, { apply: "all" });
    if (!("message" in done)) throw new Error("it worked");
    expect(aftermath(done)).toEqual(["Nothing was applied.", "Not tried:", "one", "none", "two"]);
    expect(readdirSync(root)).toEqual([]);
  });
});

test("all or none sees what earlier hunks did to the same file", async () => {
  put("a", "1\n2\n");
  const rows = [
    "*** Add File: n",
    "+x",
    ...update("n", "-x", "+y"),
    ...update("a", "-1", "+one"),
    ...update("a", "*** Move to: b", " one", "-2", "+two"),
    "*** Add File: gone",
    "+1",
    "*** Delete File: gone",
  ];
  expect(await says(rows, { apply: "all" })).toBe(
    "Success. Updated the following files:\nA n\nA gone\nM n\nM a\nM a\nD gone",
  );
  expect([text("n"), text("b"), readdirSync(root).toSorted()]).toEqual(["y\n", "one\ntwo\n", ["b", "n"]]);
});

describe("updates find their lines", () => {
  const cases: [string, string, string[], string][] = [
    ["a file without a final newline gets one", "a", ["-a", "+b"], "b\n"],
    ["CRLF stays, and a lone LF too", "a\r\nb\nc\r\n", [" a", "-b", "+B", "+B2", "-c", "+C"], "a\r\nB\nB2\r\nC\r\n"],
    [
      "context names the second of two methods",
      "class A\n  f\n  x\nclass B\n  f\n  x\n",
      ["@@ class B", "   f", "-  x", "+  y"],
      "class A\n  f\n  x\nclass B\n  f\n  y\n",
    ],
    [
      "several chunks of different sizes",
      "1\n2\n3\n4\n5\n6\n",
      ["@@", "-1", "@@", " 3", "+3b", "+3c", "@@", "-6", "+six"],
      "2\n3\n3b\n3c\n4\n5\nsix\n",
    ],
    ["lines that are only added go to the end", "a\nb\n", ["+c"], "a\nb\nc\n"],
    ["after what another hunk adds to the last lines", "a\nb\n", ["+end", "@@", " b", "+c"], "a\nb\nc\nend\n"],
    ["but before a blank last line", "a\n\n", ["+c"], "a\nc\n\n"],
    ["with a context they go after it", "class A\nclass B\n", ["@@ class A", "+  x"], "class A\n  x\nclass B\n"],
    [
      "several contexts lead to the method of a class",
      "class A\n  f\n  x\nclass B\n  f\n  x\n",
      ["@@ class B", "@@   f", "-  x", "+  y"],
      "class A\n  f\n  x\nclass B\n  f\n  y\n",
    ],
    ["lines that are only added may be followed by a blank row", "a\n", ["@@", "+b", ""], "a\nb\n"],
    ["also after a context", "a\nz\n", ["@@ a", "+b", ""], "a\nb\nz\n"],
    ["an empty file has no line to remove", "", ["-", "+a"], "a\n"],
    [
      "a patch with CRLF does not bring it into a file without",
      "a\nb\n",
      ["@@ a\r", "-b\r", "+c\r", "+\r"],
      "a\nc\n\n",
    ],
    ["a blank last row may stand for the end of the file", "a\n", ["-a", "+b", ""], "b\n"],
    [
      "blank rows between chunks are only for the eye",
      "a\nx\nb\n",
      ["@@", "-a", "+A", "", "", "@@", "-b", "+B", ""],
      "A\nx\nB\n",
    ],
    ["trailing space is forgiven, and kept where nothing changes", "a  \nb\t\n", [" a", "-b", "+B"], "a  \nB\n"],
    [
      "indentation is forgiven, and kept where nothing changes",
      "    a\n    b\n",
      [" a", "-b", "+    B"],
      "    a\n    B\n",
    ],
    [
      "typographic characters are forgiven, and kept where nothing changes",
      "x \u2014 \u201cq\u201d\u00a0z\nb\n",
      [' x - "q" z', "-b", "+c"],
      "x \u2014 \u201cq\u201d\u00a0z\nc\n",
    ],
    ["an exact place comes before a forgiven one", " a\na\n", ["-a", "+b"], " a\nb\n"],
    ["the first of two places", "a\na\n", ["-a", "+b"], "b\na\n"],
    ["the last of two at the end of the file", "a\nz\na\n", ["-a", "+b", "*** End of File"], "a\nz\nb\n"],
    ["not at the end after all", "a\nz\n", ["-a", "+b", "*** End of File"], "b\nz\n"],
    ["everything goes", "a\nb\n", ["-a", "-b"], ""],
    ["an empty file", "", ["+a"], "a\n"],
  ];
  test.each(cases)("%s", async (_, before, rows, after) => {
    put("f", before);
    expect(await says(update("f", ...rows))).toBe("Success. Updated the following files:\nM f");
    expect(text("f")).toBe(after);
  });
  test("the absence of a final newline can be kept", async () => {
    put("f", "a\nb");
    await run(update("f", "-a", "+A", " b"), { finalNewline: "keep" });
    expect(text("f")).toBe("A\nb");
  });
  test("it is said when there was more than one place", async () => {
    put("f", "a\na\n");
    expect((await run(update("f", "-a", "+b"))).notes).toEqual([
      "The lines of a hunk stand 2 times in f; the first place, line 1, was changed.",
    ]);
  });
  test("progress is told after each hunk", async () => {
    let count = 0;
    const plan = planHunks(editing(), patch("*** Add File: a", "+1", "*** Add File: b", "+2"));
    await placePatch(editing(), plan, { progress: () => count++ });
    expect(count).toBe(2);
  });
});

describe("the matcher", () => {
  test("an empty pattern is where one starts, and a pattern longer than the file nowhere", () => {
    expect(seek(new Haystack(["a"]), [], 1, "anywhere")).toEqual({ at: 1, count: 1 });
    expect(seek(new Haystack(["a"]), ["a", "b"], 0, "at end")).toBeUndefined();
  });
  const folded: [string, number[]][] = [
    ["-", [0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212]],
    ["'", [0x2018, 0x2019, 0x201a, 0x201b]],
    ['"', [0x201c, 0x201d, 0x201e, 0x201f]],
    [" ", [0xa0, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x202f, 0x205f, 0x3000]],
  ];
  test.each(folded)("folds to %p", (to, codes) => {
    for (const code of codes) expect(fold(`a${String.fromCodePoint(code)}b`)).toBe(`a${to}b`);
  });
  test("folds nothing else", () => {
    for (const code of [0x2000, 0x2001, 0x200b, 0x2016, 0x2017, 0x2020, 0x2032, 0xab, 0x2e3a]) {
      const line = `a${String.fromCodePoint(code)}b`;
      expect(fold(line)).toBe(line);
    }
  });
});

describe("a hunk with other indentation is moved as one block, and that is said", () => {
  const python = "class A:\n    def f(self, a):\n        if a:\n            return a\n        return 0\n";
  const cases: [string, string, string[], string][] = [
    [
      "a body of Python without its indentation",
      python,
      ["-if a:", "-    return a", "+if a:", "+    b = 1", "+    return b"],
      python.replace("            return a", "            b = 1\n            return b"),
    ],
    [
      "the same in tabs",
      python,
      ["-\t\tif a:", "-\t\t\treturn a", "+\t\tif a:", "+\t\t\tb = 1", "+\t\t\treturn b"],
      python.replace("            return a", "            b = 1\n            return b"),
    ],
    [
      "JavaScript in tabs, written in spaces",
      "function f() {\n\tif (a) {\n\t\tb();\n\t}\n}\n",
      ["-    if (a) {", "-        b();", "+    if (a) {", "+        c();", "+        b();", "     }"],
      "function f() {\n\tif (a) {\n\t\tc();\n\t\tb();\n\t}\n}\n",
    ],
    [
      "YAML",
      "a:\n  b:\n    - run: x\n",
      ["-- run: x", "+- run: z", "+  name: q"],
      "a:\n  b:\n    - run: z\n      name: q\n",
    ],
    ["a recipe of make", "all:\n\tgcc a.c\n", [" all:", "-    gcc a.c", "+    gcc -O2 a.c"], "all:\n\tgcc -O2 a.c\n"],
  ];
  test.each(cases)("%s", async (_, before, rows, after) => {
    put("f", before);
    const done = await run(update("f", "@@", ...rows));
    expect(text("f")).toBe(after);
    expect(done.notes.join()).toContain("but for white space");
  });
  test("a kept row that lacks its sign moves nothing", async () => {
    put("f", "def f():\n    a = 1\n");
    await run(update("f", "@@", " def f():", "    a = 1", "+    b = 2"));
    expect(text("f")).toBe("def f():\n    a = 1\n    b = 2\n");
  });
});
