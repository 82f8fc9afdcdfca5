import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOutcome } from "@pith/agent";
import { editModeOf } from "../../../edit/mode.ts";
import { Snapshots } from "../../../snapshot/snapshot.ts";
import { filesIn } from "../../../test/files.ts";
import { intentOf, pathsOf, runTool } from "../../../test/run.ts";
import { type EditOptions, edit } from "./edit.ts";

const call = { id: "1", signal: new AbortController().signal, progress() {} };
const far = Array.from({ length: 40 }, (_, i) => `${i + 1}\n`).join("");
const cells = JSON.stringify({ cells: [{ cell_type: "code", source: ["1\n", "2"], metadata: {} }], nbformat: 4 });

let top = "";
let cwd = "";
let snapshots = new Snapshots(undefined);
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "pith-intent-")));
  cwd = join(top, "project");
  for (const dir of ["project/d", "outside/d"]) mkdirSync(join(top, dir), { recursive: true });
  snapshots = new Snapshots(undefined);
});
afterEach(() => rmSync(top, { recursive: true }));
const text = (name: string) => readFileSync(join(cwd, name), "utf8");
const put = (name: string, content: string) => {
  writeFileSync(join(cwd, name), content);
  return snapshots.mint(join(cwd, name), content);
};
const tool = (mode: EditOptions["mode"], over: Partial<EditOptions> = {}) =>
  edit({ files: filesIn(cwd), snapshots, mode, check: "nothing", ...over });
const patch = (...rows: string[]) => ({ input: ["*** Begin Patch", ...rows, "*** End Patch"].join("\n") });

/** The same change of lines 2 and 38 of a file, or of line 2 only, in each dialect. */
const dialects = {
  hashline: (name: string, tag: string, last: string) => ({
    input: `[${name}#${tag}]\nreplace 2..2:\n+two${last && `\nreplace 38..38:\n+${last}`}`,
  }),
  replace: (name: string, _tag: string, last: string) => ({
    path: name,
    edits: [{ oldText: "\n2\n", newText: "\ntwo\n" }, ...(last ? [{ oldText: "\n38\n", newText: `\n${last}\n` }] : [])],
  }),
  patch: (name: string, _tag: string, last: string) => ({
    path: name,
    diff: `@@ -2 +2 @@\n-2\n+two${last && `\n@@ -38 +38 @@\n-38\n+${last}`}`,
  }),
  apply_patch: (name: string, _tag: string, last: string) =>
    patch(`*** Update File: ${name}`, "@@", "-2", "+two", ...(last ? ["@@", "-38", `+${last}`] : [])),
} as const;
const modes = Object.keys(dialects) as (keyof typeof dialects)[];

describe.each(modes)("what stood there when %s was prepared is what is written", (mode) => {
  const attempts: [string, (name: string) => void][] = [
    ["the file is another one", (at) => writeFileSync(at, "other\n")],
    ["the file is a link", (at) => link(at, join(top, "outside/d/f.txt"))],
    ["its directory is a link", () => link(join(cwd, "d"), join(top, "outside/d"))],
    ["the file is gone", (at) => unlinkSync(at)],
  ];
  test.each(attempts)("%s: nothing is written, here or elsewhere", async (_, swap) => {
    const tag = put("d/f.txt", far);
    writeFileSync(join(top, "outside/d/f.txt"), far);
    const intent = await intentOf(tool(mode), dialects[mode]("d/f.txt", tag, ""));
    expect(intent).toMatchObject({ effect: "write", exact: true, paths: [{ real: join(cwd, "d/f.txt") }] });
    swap(join(cwd, "d/f.txt"));
    expect(await intent.run(call)).toMatchObject({ failed: true });
    expect(readFileSync(join(top, "outside/d/f.txt"), "utf8")).toBe(far);
    expect(existsSync(join(cwd, "d/f.txt")) ? text("d/f.txt") : "").not.toContain("two");
  });

  test("preparing writes nothing, and the intent tells what would change", async () => {
    const tag = put("f.txt", far);
    const intent = await intentOf(tool(mode), dialects[mode]("f.txt", tag, "last"));
    const [change] = (await intent.changes?.()) ?? [];
    expect(change).toMatchObject({ path: "f.txt", change: "modified", added: 2, removed: 2 });
    expect(change?.patch.match(/^@@/gm)).toHaveLength(2);
    expect(text("f.txt")).toBe(far);
    const outcome = await intent.run(call);
    expect(outcome.data).toMatchObject({ files: [change] });
  });

  test("a refused hunk is left out, and the model is told", async () => {
    const tag = put("f.txt", far);
    const input = dialects[mode]("f.txt", tag, "last");
    const left = await tool(mode).prepare(input, { signal: call.signal, without: ["f.txt:1"] });
    if (isOutcome(left)) throw new Error(left.text);
    expect((await left.changes?.())?.[0]?.patch.match(/^@@/gm)).toHaveLength(1);
    const outcome = await left.run(call);
    expect(outcome.failed).toBeUndefined();
    expect(outcome.text).toContain("The user refused 1 hunk of this edit (f.txt:1)");
    expect(text("f.txt")).toBe(far.replace("\n38\n", "\nlast\n"));
  });

  test("when every hunk is refused nothing is prepared", async () => {
    const tag = put("f.txt", far);
    const input = dialects[mode]("f.txt", tag, "last");
    const none = await tool(mode).prepare(input, { signal: call.signal, without: ["f.txt:1", "f.txt:2"] });
    expect(none).toMatchObject({ failed: true, text: "The user refused all of this edit. Nothing was changed." });
  });
});

test("a refused hunk of a notebook leaves its cells a notebook", async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `x${i}\n`);
  put("n.ipynb", cells.replace('"1\\n","2"', lines.map((line) => JSON.stringify(line)).join(",")));
  const edits = [
    { oldText: "x1\n", newText: "one\n" },
    { oldText: "x18\n", newText: "last\n" },
  ];
  const left = await tool("replace").prepare(
    { path: "n.ipynb", edits },
    { signal: call.signal, without: ["n.ipynb:2"] },
  );
  if (isOutcome(left)) throw new Error(left.text);
  await left.run(call);
  const { cells: now } = JSON.parse(text("n.ipynb")) as { cells: { source: string[] }[] };
  expect(now[0]?.source).toEqual(lines.with(1, "one\n"));
});

describe("a patch", () => {
  const each = () => tool("apply_patch", { apply: "each" });

  test("a name means the same in every hunk: what one deletes does not give the next another file", async () => {
    mkdirSync(join(cwd, "@", top, "outside"), { recursive: true });
    put(join("@", top, "outside/x"), "inner\n");
    writeFileSync(join(top, "outside/x"), "outer\n");
    const input = patch(`*** Delete File: @${top}/outside/x`, `*** Add File: @${top}/outside/x`, "+new");
    expect(await pathsOf(each(), input)).toEqual([join(top, "outside/x")]);
    const inner = patch(`*** Delete File: ./@${top}/outside/x`, `*** Add File: ./@${top}/outside/x`, "+new");
    expect(await pathsOf(each(), inner)).toEqual([join(cwd, "@", top, "outside/x")]);
    await runTool(each(), inner, call);
    expect(readFileSync(join(top, "outside/x"), "utf8")).toBe("outer\n");
    expect(text(join("@", top, "outside/x"))).toBe("new\n");
  });

  test("hunks of one file are made on top of each other, and on nothing else", async () => {
    put("f.txt", "a\nb\n");
    const input = patch(
      ...["*** Update File: f.txt", "-a", "+1", "*** Update File: f.txt", "-b", "+2"],
      ...["*** Delete File: f.txt", "*** Add File: f.txt", "+new"],
    );
    const intent = await intentOf(each(), input);
    expect((await intent.changes?.())?.map(({ change, added, removed }) => [change, added, removed])).toEqual([
      ["modified", 1, 2],
    ]);
    expect((await intent.run(call)).failed).toBeUndefined();
    expect(text("f.txt")).toBe("new\n");
  });

  test("what is swapped between two hunks stops it, and those before stay", async () => {
    put("f.txt", "a\nb\n");
    const input = patch("*** Update File: f.txt", "-a", "+1", "*** Update File: f.txt", "-b", "+2");
    const intent = await intentOf(each(), input);
    writeFileSync(join(top, "outside/f.txt"), "1\nb\n");
    const outcome = await intent.run({ ...call, progress: () => link(join(cwd, "f.txt"), join(top, "outside/f.txt")) });
    expect(outcome).toMatchObject({ failed: true, data: { exit_code: 1 } });
    expect(outcome.text).toContain("Applied before the failure:\nM f.txt");
    expect(readFileSync(join(top, "outside/f.txt"), "utf8")).toBe("1\nb\n");
  });

  test("a hunk that cannot be made is known before anybody is asked; those before it are made anyway", async () => {
    const input = patch("*** Add File: one", "+1", "*** Delete File: nowhere", "*** Add File: two", "+2");
    expect(await pathsOf(each(), input)).toEqual([join(cwd, "one")]);
    const outcome = await runTool(each(), input, call);
    expect(outcome.text).toBe(
      "nowhere cannot be deleted: there is no such file\n" + "Applied before the failure:\nA one\nNot tried:\ntwo",
    );
    expect(readdirSync(cwd).toSorted()).toEqual(["d", "one"]);
    const none = await each().prepare(patch("*** Delete File: nowhere"), { signal: call.signal, without: [] });
    expect(none).toMatchObject({ kind: "diff", failed: true, data: { exit_code: 1 } });
  });

  test("a move of which everything is refused moves nothing, and a part of it moves the rest", async () => {
    put("f.txt", far);
    const input = patch("*** Update File: f.txt", "*** Move to: g.txt", "@@", "-2", "+two", "@@", "-38", "+last");
    const refuse = (...without: string[]) => each().prepare(input, { signal: call.signal, without });
    expect(await refuse("g.txt:1", "g.txt:2")).toMatchObject({ failed: true });
    const left = await refuse("g.txt:2");
    if (isOutcome(left)) throw new Error(left.text);
    expect(left.paths.map(({ path }) => path)).toEqual([join(cwd, "g.txt"), join(cwd, "f.txt")]);
    await left.run(call);
    expect([text("g.txt"), existsSync(join(cwd, "f.txt"))]).toEqual([far.replace("\n2\n", "\ntwo\n"), false]);
  });
});

test("the environment chooses the dialect when it names one, then the setting, then the model", () => {
  expect(editModeOf({ variant: "replace", setting: "patch", freeform: true })).toBe("replace");
  expect(editModeOf({ variant: "nonsense", setting: "patch", freeform: true })).toBe("patch");
  expect(editModeOf({ variant: undefined, setting: undefined, freeform: true })).toBe("apply_patch");
  expect(editModeOf({ variant: undefined, setting: undefined, freeform: false })).toBe("hashline");
});

function link(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, `${from}.was`);
  symlinkSync(to, from);
}
