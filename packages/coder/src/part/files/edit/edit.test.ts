import { afterAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileChange, isOutcome, type Outcome, Registry, resultFields } from "@pith/agent";
import { SyntaxCheck } from "../../../edit/syntax/syntax.ts";
import { Snapshots } from "../../../snapshot/snapshot.ts";
import { filesIn } from "../../../test/files.ts";
import { runTool } from "../../../test/run.ts";
import { type EditOptions, edit } from "./edit.ts";
import { Late } from "./late.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "pith-edit-")));
afterAll(() => rmSync(cwd, { recursive: true }));
const snapshots = new Snapshots(undefined);
const call = { id: "1", signal: new AbortController().signal, progress() {} };
const tool = (over: Partial<EditOptions> = {}) => edit({ files: filesIn(cwd), snapshots, mode: "hashline", ...over });
const put = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(cwd, name), content);
  return snapshots.mint(join(cwd, name), content);
};
const text = (name: string) => readFileSync(join(cwd, name), "utf8");

async function run(input: Record<string, unknown>, over: Partial<EditOptions> = {}) {
  const edit = tool(over);
  const checked = edit.input.safeParse(input);
  if (!checked.success) throw new Error(JSON.stringify(checked.error.issues));
  const prepared = await edit.prepare(checked.data, { signal: call.signal, without: [] });
  if (isOutcome(prepared)) return { paths: [], outcome: prepared };
  return { paths: prepared.paths.map(({ path }) => path), outcome: await prepared.run(call) };
}

test("an edit of a file that stands elsewhere names it, instead of sending the model to write", async () => {
  for (const name of ["a/conf.ts", "b/conf.ts"]) {
    mkdirSync(join(cwd, name, ".."));
    put(name, "x\n");
  }
  const { outcome } = await run({ path: "conf.ts", edits: [{ oldText: "x", newText: "y" }] });
  expect(outcome.text).toBe("conf.ts does not exist. Did you mean a/conf.ts or b/conf.ts? Nothing was changed.");
});

test("each mode tells the model of one shape, and understands all", async () => {
  const schema = (mode: EditOptions["mode"]) => Object.keys(tool({ mode }).input.json.properties as object);
  expect([schema("hashline"), schema("apply_patch"), schema("replace"), schema("patch")]).toEqual([
    ["input"],
    ["input"],
    ["path", "edits"],
    ["path", "diff"],
  ]);
  for (const mode of ["hashline", "replace", "patch", "apply_patch"] as const) {
    put("f.txt", "a\n");
    await run({ path: "f.txt", edits: [{ oldText: "a", newText: "b" }] }, { mode });
    await run({ path: "f.txt", diff: "@@ -1 +1 @@\n-b\n+c" }, { mode });
    await run({ input: "*** Begin Patch\n*** Update File: f.txt\n-c\n+d\n*** End Patch" }, { mode });
    const header = `[f.txt#${snapshots.mint(join(cwd, "f.txt"), "d\n")}]`;
    await run({ input: `${header}\nreplace 1:\n+e` }, { mode });
    await run({ path: "f.txt", diff: "*** Begin Patch\n*** Update File: f.txt\n-e\n+f\n*** End Patch" }, { mode });
    expect(text("f.txt")).toBe("f\n");
  }
});

test("the result shows the change under a fresh tag", async () => {
  const tag = put("a.txt", "one\ntwo\n");
  const { outcome, paths } = await run({ input: `[a.txt#${tag}]\nreplace 2..2:\n+TWO\n+more` });
  expect(paths).toEqual([join(cwd, "a.txt")]);
  expect(outcome.text).toMatch(/^\[a\.txt#[0-9A-F]{4}\]\nreplaced 2 by 2-3; below \+1\n-2:two$/);
  expect(resultFields(outcome)).toMatchObject({
    isError: false,
    details: {
      kind: "diff",
      files: [
        {
          path: "a.txt",
          change: "modified",
          added: 2,
          removed: 1,
          firstChangedLine: 2,
          patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+TWO\n+more\n",
        },
      ],
    },
  });
});

test("the record names the diff, the first changed line and what was done, per file of several", async () => {
  const tag = put("a.txt", "one\ntwo\n");
  const one = await run({ input: `[a.txt#${tag}]\ninsert after 1:\n+x` });
  expect(resultFields(one.outcome).details).toMatchObject({
    op: "update",
    firstChangedLine: 2,
    diff: expect.stringContaining("+x"),
  });
  const two = await run({ input: "[m.txt]\ninsert head:\n+m\n¶n.txt\ninsert head:\n+n" });
  expect(resultFields(two.outcome).details).toMatchObject({
    diff: expect.stringMatching(/\+m[\s\S]*\+n/),
    perFileResults: [
      { path: "m.txt", op: "create", firstChangedLine: 1 },
      { path: "n.txt", op: "create", firstChangedLine: 1 },
    ],
  });
});

test("a diff that makes or deletes a file does so", async () => {
  await run({
    path: "made.txt",
    diff: "--- /dev/null\t1970-01-01 00:00:00.000\n+++ b/made.txt\t2026-01-01\n@@ -0,0 +1 @@\n+x\n",
  });
  expect(text("made.txt")).toBe("x\n");
  const { outcome } = await run({ path: "made.txt", diff: "--- a/made.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n" });
  expect(outcome.text).toBe("Deleted made.txt");
  expect(existsSync(join(cwd, "made.txt"))).toBe(false);
  put("rest.txt", "x\ny\n");
  const left = await run({ path: "rest.txt", diff: "--- a/rest.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n" });
  expect(left.outcome).toMatchObject({
    failed: true,
    text: "The diff deletes rest.txt, but lines of it would be left. Nothing was changed.",
  });
});

test("an arriving call is shown by any part of it, and nothing outside the project is looked at", async () => {
  const tag = put("a.txt", "one\ntwo\n");
  const whole = JSON.stringify({ input: `[a.txt#${tag}]\nreplace 2..2:\n+"TWO" \u00e9\\x\n+more\n` });
  const seen: number[] = [];
  for (let n = 0; n <= whole.length; n++) seen.push((await tool().arriving?.(whole.slice(0, n)))?.[0]?.added ?? 0);
  expect([...new Set(seen)]).toEqual([0, 1, 2]);
  expect(text("a.txt")).toBe("one\ntwo\n");
  expect(await tool().arriving?.(JSON.stringify({ input: "[/etc/passwd#0000]\ndelete 1\n" }))).toEqual([]);
  const patch = JSON.stringify({ input: "*** Begin Patch\n*** Add File: n.txt\n+x\n*** End Patch\n" });
  expect((await tool({ mode: "apply_patch" }).arriving?.(patch))?.map((file) => file.path)).toEqual(["n.txt"]);
});

test("warnings stand at the end", async () => {
  const tag = put("a.txt", "one\n");
  expect((await run({ input: `[a.txt#${tag}]\nreplace 1:\nx` })).outcome.text).toContain(
    "\n\nWarnings:\nRows without + were taken as new lines.",
  );
});

test("without anchors there are no tags in the result", async () => {
  put("a.txt", "one\n");
  expect(
    (await run({ path: "a.txt", edits: [{ oldText: "one", newText: "1" }] }, { mode: "replace" })).outcome.text,
  ).toBe("a.txt:\nreplaced 1 by 1");
});

test("a patch tells its files, and all paths it touches before it runs", async () => {
  put("m.txt", "a\n");
  const input =
    "*** Begin Patch\n*** Update File: m.txt\n*** Move to: n.txt\n-a\n+b\n*** Add File: new.txt\n+x\n*** End Patch";
  const { paths, outcome } = await run({ input }, { mode: "apply_patch" });
  expect(paths).toEqual(["n.txt", "m.txt", "new.txt"].map((name) => join(cwd, name)));
  expect(outcome.text).toStartWith("Success. Updated the following files:\nA new.txt\nM m.txt");
  expect((outcome.data as { files: FileChange[] }).files.map((file) => [file.path, file.change])).toEqual([
    ["n.txt", "moved"],
    ["new.txt", "added"],
  ]);
});

test("a patch that stops half-way says what was done and what was not", async () => {
  const input =
    "*** Begin Patch\n*** Add File: first.txt\n+x\n*** Delete File: none\n*** Add File: last.txt\n+x\n*** End Patch";
  const { outcome } = await run({ input }, { mode: "apply_patch" });
  expect(outcome).toMatchObject({
    failed: true,
    text: [
      "none cannot be deleted: there is no such file",
      "Applied before the failure:\nA first.txt\nNot tried:\nlast.txt",
    ].join("\n"),
  });
});

describe("after the edit", () => {
  test("new syntax errors are named, and the edit stands", async () => {
    const tag = put("s.ts", "const a = 1;\nfunction f() {\n  return a;\n}\n");
    const { outcome } = await run({ input: `[s.ts#${tag}]\nreplace 3..3:\n+  return (a;` });
    expect(outcome.failed).toBeUndefined();
    expect(outcome.meta?.diagnostics?.messages[0]).toStartWith("s.ts:3:");
    const again = snapshots.mint(join(cwd, "s.ts"), text("s.ts"));
    expect((await run({ input: `[s.ts#${again}]\nreplace 1..1:\n+const a = 2;` })).outcome.meta).toBeUndefined();
  });
  test("the first of a language is waited for, though its parser has to be loaded", async () => {
    for (const [name, before, after] of [
      ["s.kt", "fun f() {}\n", "fun f( {}"],
      ["s.rs", "fn f() { g(1); }\n", "fn f() { g(1; }"],
      ["s.py", "x = (1)\n", "x = (1"],
    ] as const) {
      const tag = put(name, before);
      const { outcome } = await run({ input: `[${name}#${tag}]\nreplace 1:\n+${after}` });
      expect(outcome.meta?.diagnostics?.messages[0]).toStartWith(`${name}:1:`);
    }
  });
  test("what is found too late goes along with the next result", async () => {
    const late = new Late();
    const check = new SyntaxCheck((note) => late.add(note), 0);
    // Without patience nothing is found in time.
    check.look({ path: "x.rb", name: "x.rb", before: "", after: "def f(\n" });
    expect(await check.problems()).toEqual([]);
    while (late.size === 0) await Bun.sleep(5);
    const outcome = await late.hook.result?.(undefined as never, { kind: "prose", data: {}, text: "ok" });
    expect(outcome?.meta?.notes?.[0]).toStartWith("An earlier edit brought in syntax errors: x.rb:");
    expect(late.size).toBe(0);
  });
  test("hard links are said", async () => {
    const tag = put("h.txt", "a\n");
    linkSync(join(cwd, "h.txt"), join(cwd, "h2.txt"));
    expect((await run({ input: `[h.txt#${tag}]\nreplace 1:\n+b` })).outcome.meta?.notes).toEqual([
      "h.txt was written in place (it has several hard links)",
    ]);
    expect(text("h2.txt")).toBe("b\n");
  });
});

describe("a patch through the tool", () => {
  const hunks = "*** Begin Patch\n*** Add File: p1.txt\n+1\n*** Add File: p2.txt\n+2\n*** End Patch";

  test("the record holds how the program ended, whether it went well or not", async () => {
    const { outcome } = await run({ input: hunks }, { mode: "apply_patch" });
    const stdout = "Success. Updated the following files:\nA p1.txt\nA p2.txt";
    expect(resultFields(outcome).details).toMatchObject({
      kind: "diff",
      exit_code: 0,
      stdout,
      stderr: "",
      duration: expect.any(Number),
      timed_out: false,
    });
    const failed = (
      await run({ input: "*** Begin Patch\n*** Delete File: nowhere\n*** End Patch" }, { mode: "apply_patch" })
    ).outcome;
    const stderr = "nowhere cannot be deleted: there is no such file\nNothing was applied.";
    expect(resultFields(failed)).toMatchObject({
      isError: true,
      content: [{ text: stderr }],
      details: { kind: "diff", files: [], exit_code: 1, stdout: "", stderr, timed_out: false },
    });
  });

  test("each hunk that was made is told while the others are still to come", async () => {
    const seen: number[] = [];
    const progress = (part: Outcome) => seen.push((part.data as { files: FileChange[] }).files.length);
    await runTool(tool({ mode: "apply_patch" }), { input: hunks }, { ...call, progress });
    expect(seen).toEqual([1, 2]);
  });
});

test("blocks are found by the grammar of the file", async () => {
  const tag = put("b.py", "@dec\ndef f():\n    return 1\n\nx = 2\n");
  const { outcome } = await run({ input: `[b.py#${tag}]\nreplace block 1:\n+def g():\n+    pass` });
  expect(outcome.text).toContain("replace block 1 → resolved lines 1-3 (3 lines)");
  expect(text("b.py")).toBe("def g():\n    pass\n\nx = 2\n");
});

test("what cannot be read touches no path", async () => {
  expect(await run({ input: "nonsense" })).toMatchObject({ paths: [], outcome: { failed: true } });
});

test("a model that writes without JSON is given the grammar of the dialect", () => {
  expect(new Registry([tool({ mode: "apply_patch" })]).specs[0]?.freeform).toMatchObject({
    argument: "input",
    grammar: { syntax: "lark" },
  });
  expect(new Registry([tool({ mode: "replace" })]).specs[0]?.freeform).toBeUndefined();
});

test("a file stays in the encoding it was shown in, though an edit makes its bytes look like another", async () => {
  const rows: [string, Buffer, string, string, string][] = [
    [
      "mixed.txt",
      Buffer.from("gr\xc3\xbc\xc3\x9f\nbad \xe9\nend\n", "latin1"),
      "gruss",
      "bad \\xE9",
      "gruss\nbad \xe9\nlast\n",
    ],
    ["latin.txt", Buffer.from("caf\xe9\nb\nend\n", "latin1"), "Ã©Ã©", "b", "\xc3\xa9\xc3\xa9\nb\nlast\n"],
  ];
  for (const [name, bytes, first, second, after] of rows) {
    writeFileSync(join(cwd, name), bytes);
    const shown = snapshots.mint(join(cwd, name), bytes);
    const once = await run({ input: `[${name}#${shown}]\nreplace 1:\n+${first}` });
    const tag = /#([0-9A-F]{4})\]/.exec(once.outcome.text)?.[1] ?? "";
    const again = await run({ input: `[${name}#${tag}]\nreplace 3:\n+last` });
    expect(again.outcome.text).not.toContain("Warnings");
    expect(again.outcome.failed).toBeUndefined();
    expect(readFileSync(join(cwd, name), "latin1")).toBe(after);
    const left = snapshots.decode(join(cwd, name), readFileSync(join(cwd, name)));
    expect(left.ok && left.value.text).toBe(`${first}\n${second}\nlast\n`);
  }
});

test("a call without arguments is answered with those of its dialect", () => {
  const missing = (mode: EditOptions["mode"]) => {
    const checked = tool({ mode }).input.safeParse({});
    return checked.success ? [] : checked.error.issues.map(({ path }) => path.join());
  };
  expect([missing("hashline"), missing("replace"), missing("patch")]).toEqual([
    ["input"],
    ["path", "edits"],
    ["path", "diff"],
  ]);
});

test("what is wrong with a call is told of the shape that it is in", () => {
  const issues = (value: unknown) => {
    const checked = tool({ mode: "hashline" }).input.safeParse(value);
    return checked.success ? [] : checked.error.issues.map(({ path }) => path.join("."));
  };
  expect(issues({ path: "a", edits: [{ old: "x", new: "y" }] })).toEqual([
    "edits.0.old",
    "edits.0.new",
    "edits.0.oldText",
    "edits.0.newText",
  ]);
  expect(issues({ diff: "@@" })).toEqual(["path"]);
  expect(issues({ path: "a", diff: "@@", input: null })).toEqual([]);
  expect(issues(JSON.stringify({ path: "a", diff: "@@" }))).toEqual([]);
});

test("a last line that got its end is not called deleted", async () => {
  writeFileSync(join(cwd, "open.txt"), "a\nb");
  const input = "*** Begin Patch\n*** Update File: open.txt\n-a\n+A\n*** End Patch";
  expect((await run({ input })).outcome.text).toEndWith("\n-1:a\nended the last line");
});
