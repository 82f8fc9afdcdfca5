import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOutcome, openArtifacts, resultFields } from "@pith/agent";
import { Pending } from "../../session/pending.ts";
import { Snapshots } from "../../snapshot/snapshot.ts";
import { filesIn } from "../../test/files.ts";
import { intentOf, pathsOf, runTool } from "../../test/run.ts";
import { Conflicts } from "../../url/conflicts.ts";
import { Router } from "../../url/router.ts";
import { astEdit } from "./ast-edit/ast-edit.ts";
import type { AstEditOptions } from "./ast-edit/run.ts";
import { resolve } from "./resolve/resolve.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "pith-ast-edit-")));
afterAll(() => rmSync(cwd, { recursive: true }));
const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(join(cwd, path, ".."), { recursive: true });
  writeFileSync(join(cwd, path), content);
};
const get = (path: string) => readFileSync(join(cwd, path), "utf8");
const two = "console.log(1);\nconst a = b;\nconsole.log(2);\n";
beforeEach(() => {
  rmSync(join(cwd, "src"), { recursive: true, force: true });
  put("src/a.ts", two);
  put("src/b.py", "print(1)\n");
});

const pending = new Pending();
const options: AstEditOptions = {
  files: filesIn(cwd),
  env: {},
  snapshots: new Snapshots(undefined),
  tags: "left out",
  generated: "refuse",
  pending,
};
const signal = new AbortController().signal;
const call = { id: "1", signal, progress() {} };
type Op = [pat: string, out: string];
const run = (ops: Op[], paths = ["src"], more: Partial<AstEditOptions> = {}) =>
  runTool(astEdit({ ...options, ...more }), { ops: ops.map(([pat, out]) => ({ pat, out })), paths }, call);
const said = async (...args: Parameters<typeof run>) => {
  const [block] = resultFields(await run(...args)).content;
  return block?.type === "text" ? block.text : "";
};
const apply = () => runTool(resolve(pending), { action: "apply", reason: "right" }, call);

test("a call only shows what it would do, then apply does exactly that", async () => {
  expect(await run([["console.log($A)", "log($A)"]])).toMatchObject({
    kind: "diff",
    text: [
      "Preview: 2 replacements in 1 file. Nothing is written yet; call resolve to apply or discard.\n",
      "# src/a.ts\n-1:1 console.log(1)\n+1:1 log(1)\n-3:1 console.log(2)\n+3:1 log(2)",
    ].join("\n"),
    data: {
      files: [{ path: "src/a.ts", change: "modified", added: 2, removed: 2 }],
      totalReplacements: 2,
      filesTouched: 1,
      filesSearched: 1,
      applied: false,
      limitReached: false,
      scopePath: "src",
      fileReplacements: [{ path: "src/a.ts", count: 2 }],
    },
  });
  expect(get("src/a.ts")).toBe(two);
  expect(await pathsOf(resolve(pending), { action: "apply", reason: "right" })).toEqual([join(cwd, "src/a.ts")]);
  expect(await apply()).toMatchObject({
    kind: "diff",
    text: "Applied 2 replacements in 1 file.\nsrc/a.ts",
    data: { applied: true, totalReplacements: 2 },
  });
  expect(get("src/a.ts")).toBe("log(1);\nconst a = b;\nlog(2);\n");
});

test("with tags the preview is anchored and shows whole lines, and the applied files get fresh tags", async () => {
  const text = await said([["console.log($A)", "log($A)"]], ["src/a.ts"], { tags: "shown" });
  expect(text).toMatch(
    /\n\[src\/a\.ts#[0-9A-F]{4}\]\n-1:console\.log\(1\);\n\+1:log\(1\);\n 2:const a = b;\n-3:console\.log\(2\);\n\+3:log\(2\);$/,
  );
  expect((await apply()).text).toMatch(/^Applied 2 replacements in 1 file\.\n\[src\/a\.ts#[0-9A-F]{4}\]$/);
});

test("one call rewrites files of several languages, the ops in the order given", async () => {
  await run([
    ["print($A)", "log($A)"],
    ["console.log($A)", "log($A)"],
  ]);
  expect((await apply()).text).toStartWith("Applied 3 replacements in 2 files.");
  expect([get("src/a.ts"), get("src/b.py")]).toEqual(["log(1);\nconst a = b;\nlog(2);\n", "log(1)\n"]);
});

test("a file that changed since the preview stops everything before anything is written", async () => {
  const ops: Op[] = [
    ["console.log($A)", "log($A)"],
    ["print($A)", "log($A)"],
  ];
  for (const change of [
    () => put("src/b.py", "print(2)\n"),
    () => put("src/b.py", "x = 1\nprint(1)\n"),
    () => put("src/c.ts", "console.log(9);\n"),
    () => rmSync(join(cwd, "src/b.py")),
  ]) {
    await run(ops);
    change();
    const before = get("src/a.ts");
    expect(await apply()).toMatchObject({ failed: true, text: expect.stringContaining("The preview is stale") });
    expect(get("src/a.ts")).toBe(before);
    rmSync(join(cwd, "src/c.ts"), { force: true });
    put("src/b.py", "print(1)\n");
  }
});

test("a file changed beside its matches is not what was shown; one without matches does not matter", async () => {
  await run([["console.log($A)", "log($A)"]]);
  put("src/a.ts", `${two}// new\n`);
  expect(await apply()).toMatchObject({ failed: true, text: expect.stringContaining("The preview is stale") });
  put("src/a.ts", two);
  await run([["console.log($A)", "log($A)"]]);
  put("src/b.py", "print(2)\n");
  expect((await apply()).failed).toBeUndefined();
  expect(get("src/a.ts")).toBe("log(1);\nconst a = b;\nlog(2);\n");
});

test("when one file cannot hold the new text none is written", async () => {
  put("src/l.ts", Buffer.from("console.log('\xe9');\n", "latin1"));
  await run([["console.log($A)", "log('→', $A)"]]);
  expect(await apply()).toMatchObject({
    failed: true,
    text: expect.stringMatching(/src\/l\.ts: .*Latin-1.*Nothing was written/),
  });
  expect(get("src/a.ts")).toBe(two);
});

test("bytes outside the matches stay: byte order mark, line ends, mode", async () => {
  put("src/w.ts", "\ufeffconsole.log(1);\r\nf('é');\r\n");
  chmodSync(join(cwd, "src/w.ts"), 0o755);
  await run([["console.log($A);", "one($A);\ntwo();"]], ["src/w.ts"]);
  await apply();
  expect(get("src/w.ts")).toBe("\ufeffone(1);\r\ntwo();\r\nf('é');\r\n");
  expect(statSync(join(cwd, "src/w.ts")).mode & 0o777).toBe(0o755);
});

test("nothing to replace is said, also when no pattern parses", async () => {
  const none = await run([["absent($A)", "x"]]);
  expect(none).toMatchObject({
    text: "No replacements made",
    data: { files: [], totalReplacements: 0, applied: false },
  });
  expect(none.failed).toBeUndefined();
  const bad = await run([["def (", "x"]]);
  expect(bad.text).toBe("No replacements made\n\nParse issues:\n- `def (` does not parse as typescript");
  expect(bad.data).toMatchObject({ parseErrors: ["`def (` does not parse as typescript"] });
  expect(await said([["console.log($A)", "console.log($A)"]])).toBe("No replacements made");
  expect(pending.top).toBeUndefined();
});

test("wrong ops are refused with the reason", async () => {
  expect(await run([[" ", "x"]])).toMatchObject({ failed: true, text: "`pat` must not be empty" });
  expect(
    await run([
      ["f($A)", "x"],
      ["f($A) ", "y"],
    ]),
  ).toMatchObject({ failed: true, text: "Duplicate rewrite pattern: f($A)" });
  expect(await run([["f(1)", "x"]], ["gone"])).toMatchObject({ failed: true, text: "There is no gone" });
  expect(await said([["console.log($A)", "log($B)"]], ["src/a.ts"])).toBe(
    "No replacements made\n\nParse issues:\n- `$B` in the replacement is not captured by `console.log($A)`",
  );
  put("src/n.ts", "f(f(1));\n");
  expect(await run([["f($A)", "g($A)"]])).toMatchObject({
    failed: true,
    text: "Two replacements touch the same code; make the pattern narrower (src/n.ts)",
  });
});

test("a place that does not parse is left alone and named, as a file that a program wrote", async () => {
  put("src/bad.ts", "console.log(1);\nlet = = ;\nlet x = = console.log(2);\n");
  put("src/gen.ts", "// @generated\nconsole.log(1);\n");
  const text = await said([["console.log($A)", "log($A)"]]);
  const issues =
    "Parse issues:\n- src/bad.ts: the grammar does not know lines 2, 3; look there yourself\n- src/gen.ts: is generated; the file is left alone";
  expect(text).toEndWith(issues);
  const { text: done } = await apply();
  expect(done).toStartWith("Applied 4 replacements in 2 files.");
  expect(done).toEndWith(issues);
  expect(get("src/bad.ts")).toBe("log(1);\nlet = = ;\nlet x = = log(2);\n");
});

test("a rewrite that breaks the code says so before it is applied", async () => {
  expect(await said([["console.log($A);", "if ($A) {"]], ["src/a.ts"])).toContain(
    "[After the rewrite src/a.ts does not parse (line ",
  );
  await runTool(resolve(pending), { action: "discard", reason: "wrong" }, call);
});

test("a rewrite of very much keeps the counts of every file and the diffs of some", async () => {
  for (const i of [0, 1, 2])
    put(`src/m${i}.ts`, `console.log('${"a long line, so that few of them are much".repeat(4)}');\n`.repeat(300));
  const { data } = await run([["console.log($A)", "log($A)"]], ["src/m*.ts"]);
  const { files = [] } = data as { files?: { added: number; patch: string }[] };
  expect(files.map(({ added }) => added)).toEqual([300, 300, 300]);
  expect(files.map(({ patch }) => patch.length > 0)).toEqual([true, true, false]);
  expect((await apply()).text).toStartWith("Applied 900 replacements in 3 files.");
}, 120_000);

test("at most so many files are touched, and the limit is told", async () => {
  put("src/z.ts", "console.log(3);\n");
  const env = { PITH_MAX_AST_FILES: "1" };
  expect(await said([["console.log($A)", "log($A)"]], ["src"], { env })).toEndWith("\n\nLimit reached; narrow paths.");
  expect((await apply()).data).toMatchObject({ limitReached: true, filesTouched: 1 });
  expect(get("src/z.ts")).toBe("console.log(3);\n");
});

describe("what was shown is what is judged and written", () => {
  const ops: Op[] = [["console.log($A)", "log($A)"]];
  const decide = { action: "apply" as const, reason: "right" };
  const home = join(cwd, "home");
  const urls = new Router({
    artifacts: openArtifacts(undefined),
    sessionDir: join(cwd, "session"),
    project: join(cwd, "src"),
    home,
    conflicts: new Conflicts(),
  });

  test("an address that can only be read is not changed by way of a preview", async () => {
    put("home/memory/m.js", "console.log(1);\n");
    const shown = await run(ops, ["memory://m.js"], { urls });
    expect(shown).toMatchObject({ failed: true, text: expect.stringContaining("memory://m.js can only be read") });
    const plan = { ops: [{ pat: "console.log($A)", out: "log($A)" }], paths: ["memory://m.js"], print: "x" };
    pending.push({ tool: "ast_edit", label: "1 replacement in 1 file", plan });
    expect(await intentOf(resolve(pending), decide)).toMatchObject({ effect: "read", paths: [] });
    expect(await apply()).toMatchObject({ failed: true });
    expect(get("home/memory/m.js")).toBe("console.log(1);\n");
  });

  test("a scratch file of the session is, and it is told which file that is", async () => {
    put("session/local/s.js", "console.log(1);\n");
    expect((await intentOf(astEdit({ ...options, urls }), { ops: [], paths: ["local://s.js"] })).paths).toMatchObject([
      { effect: "read", real: join(cwd, "session/local/s.js") },
    ]);
    await run(ops, ["local://s.js"], { urls });
    expect(await pathsOf(resolve(pending), decide)).toEqual([join(cwd, "session/local/s.js")]);
    expect((await apply()).failed).toBeUndefined();
    expect(get("session/local/s.js")).toBe("log(1);\n");
  });

  test("a record that was never shown writes nothing, whatever it names", async () => {
    for (const plan of [
      undefined,
      7,
      { ops: [{}], paths: ["src"], print: "x" },
      { ops: [], paths: "src", print: "x" },
    ]) {
      pending.push({ tool: "ast_edit", label: "x", plan });
      expect(await apply()).toMatchObject({ failed: true });
    }
    expect(get("src/a.ts")).toBe(two);
  });

  test.each(["the file", "its directory"])("nothing is written when %s was swapped for a link", async (what) => {
    put("elsewhere/a.ts", two);
    await run(ops, ["src/a.ts"]);
    const intent = await intentOf(resolve(pending), decide);
    const away = join(cwd, what === "the file" ? "src/a.ts" : "src");
    rmSync(away, { recursive: true });
    symlinkSync(join(cwd, what === "the file" ? "elsewhere/a.ts" : "elsewhere"), away);
    expect(await intent.run(call)).toMatchObject({ failed: true });
    expect(get("elsewhere/a.ts")).toBe(two);
  });

  test("a refused hunk stays as it was", async () => {
    put("src/long.ts", `console.log(1);\n${"f();\n".repeat(20)}console.log(2);\n`);
    await run(ops, ["src/long.ts"]);
    const prepared = await resolve(pending).prepare(decide, { signal, without: ["src/long.ts:1"] });
    if (isOutcome(prepared)) throw new Error(prepared.text);
    expect((await prepared.run(call)).text).toContain("The user refused 1 hunk");
    expect(get("src/long.ts")).toBe(`console.log(1);\n${"f();\n".repeat(20)}log(2);\n`);
  });
});
