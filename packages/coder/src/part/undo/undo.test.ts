import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type CallView, type Effect, type EntryDraft, type Notice, type TurnChanges, touch } from "@pith/agent";
import { type Scratch, scratch } from "@pith/kit/test";
import type { Hall } from "../../hall/hall.ts";
import { said } from "../../test/command.ts";
import { turn as turnView } from "../../test/scripted.ts";
import { undoCommands } from "./command.ts";
import { UndoHook } from "./hook.ts";
import { Undo } from "./store/undo.ts";

let dir: Scratch;
let notices: Notice[] = [];
let changes: TurnChanges[] = [];
let opened = 0;
let asked = "";
let drafts: EntryDraft[] = [];
beforeEach(() => {
  dir = scratch();
  mkdirSync(dir.at("project"));
  notices = [];
  changes = [];
  opened = 0;
  drafts = [];
});
afterEach(() => dir[Symbol.dispose]());

const store = async () => {
  opened++;
  return new Undo({
    root: dir.at("project"),
    home: dir.at("home"),
    env: { PATH: process.env.PATH },
    limits: { maxFile: 100, maxIgnored: 100, maxEntries: 1000, maxBytes: 1e9 },
    cover: "everything",
    now: () => Date.now(),
    skip: [],
    keep: { ageMs: 1e12, bytes: 1e12 },
  });
};
/** The hook and the commands of one house. */
function made(open: () => Promise<Undo> = store) {
  let undo: Promise<Undo> | undefined;
  const once = () => {
    undo ??= open();
    return undo;
  };
  const hall = {
    undo: once,
    header: { id: "s" },
    inside: { scratch: [] },
    cwd: dir.at("project"),
    userHome: dir.at("home"),
    tree: { leaf: "entry", last: () => ({ type: "message", message: { role: "user", content: asked } }) },
    channel: {
      notify: (notice: Notice) => notices.push(notice),
      announce: ({ type: _, ...changed }: TurnChanges & { type: string }) => changes.push(changed),
      record: (draft: EntryDraft) => (draft.type === "custom_message" ? drafts.push(draft) : 0),
    },
  } as unknown as Hall;
  const hook = new UndoHook(hall);
  const commands = undoCommands(hall, () => new Set(["s"]));
  const command = (name: string) => commands.find((command) => command.name === name);
  const type = (name: string, words = "") => said(command(name), words);
  const close = async () => {
    hook[Symbol.dispose]();
    await (await undo?.catch(() => undefined))?.close();
  };
  return { hook, type, command, [Symbol.asyncDispose]: close };
}
const at = (name: string) => dir.at("project", name);

const view = (tool: string, effect: Effect, paths: string[] = []): CallView =>
  ({
    call: { id: `${tool}-${effect}`, type: "toolCall", name: tool, arguments: {} },
    tool: { name: tool },
    input: {},
    intent: {
      effect,
      paths: paths.map((path) => touch(effect === "read" ? "read" : "write", at(path))),
      ...(effect === "write" ? { exact: true } : {}),
    },
  }) as unknown as CallView;
const turn = turnView({ step: 0 });
const done = { reason: "done" } as const;
async function run(hook: UndoHook, call: CallView, work: () => void): Promise<void> {
  await hook.start?.(call);
  work();
  await hook.result?.(call, { kind: "prose", data: {}, text: "" });
}

test("a command that the kernel keeps from writing waits for no look at the project", async () => {
  await using house = made();
  const command = view("bash", "exec");
  await house.hook.start?.({ ...command, intent: { ...command.intent, confined: true, held: true } });
  expect(opened).toBe(0);
  await house.hook.start?.({ ...command, intent: { ...command.intent, held: true } });
  expect(opened).toBe(1);
});

test("/undo takes back the changes of a turn, and /redo puts them back", async () => {
  writeFileSync(at("a"), "1");
  await using it = made();
  const { hook, type } = it;
  asked = "please change it";
  hook.step?.(turn);
  await run(hook, view("write", "write", ["a"]), () => writeFileSync(at("a"), "2"));
  await run(hook, view("bash", "exec"), () => writeFileSync(at("b"), "new"));
  await hook.settle?.(turn);
  expect(await type("changes")).toContain('2 files  "please change it"');
  expect(await type("undo")).toBe('Undid "please change it" (2 files):\n  a\n  b');
  expect([readFileSync(at("a"), "utf8"), existsSync(at("b"))]).toEqual(["1", false]);
  expect(drafts).toMatchObject([{ content: expect.stringContaining('undid what was done for "please change it"') }]);
  await type("redo");
  expect([readFileSync(at("a"), "utf8"), readFileSync(at("b"), "utf8")]).toEqual(["2", "new"]);
  expect(await type("redo")).toBe("There is nothing to redo.");
});

test("a file is taken back or kept by its name, and redo puts back one undo at a time", async () => {
  for (const name of ["a", "b", "my file", "d"]) writeFileSync(at(name), "1");
  await using it = made();
  const { hook, type, command } = it;
  asked = "all of them";
  hook.step?.(turn);
  await run(hook, view("bash", "exec"), () => {
    for (const name of ["a", "b", "my file"]) writeFileSync(at(name), "2");
    mkdirSync(at("new"));
    writeFileSync(at("new/c"), "2");
  });
  await hook.settle?.(turn);
  const state = () =>
    ["a", "b", "my file", "new/c"].map((name) => existsSync(at(name)) && readFileSync(at(name), "utf8"));
  expect(await command("undo")?.complete?.("")).toEqual(["a", "b", "my file", "new", "new/c"]);
  expect(await command("keep")?.complete?.("new/")).toEqual(["new/c"]);
  expect(await type("undo", "nothing/like/it")).toStartWith("failed: This session has no change of nothing/like/it");
  expect(await type("undo", "d")).toContain("Changed and still there: a, b, my file, new, new/c.");
  expect(await type("undo", "../project/my file")).toContain("(1 file)");
  expect(await type("undo", "@b")).toContain("(1 file)");
  expect(state()).toEqual(["2", "1", "1", "2"]);
  expect(await type("undo", "b")).toStartWith("failed: ");
  expect(await type("keep", "b")).toStartWith("failed: ");
  await type("redo");
  expect(state()).toEqual(["2", "2", "1", "2"]);
  await type("redo");
  expect(state()).toEqual(["2", "2", "2", "2"]);
  expect(await type("redo")).toBe("There is nothing to redo.");
  expect(await type("keep", "new/c")).toBe('Kept new/c as "all of them" left it.');
  expect(await type("undo", "new/c")).toStartWith("failed: ");
  await type("undo", "a");
  await type("undo");
  expect(state()).toEqual(["1", "1", "1", "2"]);
  expect(await type("undo")).toBe("There is nothing to undo.");
  await type("redo");
  expect(state()).toEqual(["1", "2", "2", "2"]);
  await type("redo");
  expect(state()).toEqual(["2", "2", "2", "2"]);
});

test("a redo that puts nothing back changes nothing, and a forced one keeps what stood there", async () => {
  for (const name of ["a", "b", "c"]) writeFileSync(at(name), "1");
  await using it = made();
  const { hook, type } = it;
  hook.step?.(turn);
  for (const name of ["a", "b", "c"])
    await run(hook, view("write", "write", [name]), () => writeFileSync(at(name), "2"));
  await hook.settle?.(turn);
  for (const name of ["a", "b", "c"]) await type("undo", name);
  const state = () => ["a", "b", "c"].map((name) => readFileSync(at(name), "utf8"));
  writeFileSync(at("c"), "mine");
  for (let i = 0; i < 2; i++) expect(await type("redo")).toContain("/redo --force redoes it all the same");
  expect(state()).toEqual(["1", "1", "mine"]);
  expect(await type("redo", "--force")).toContain("(1 file)");
  expect(state()).toEqual(["1", "1", "2"]);
  expect(await type("redo")).toContain("(1 file)");
  expect(state()).toEqual(["1", "1", "mine"]);
  // What a person brought back by hand is as it should be.
  writeFileSync(at("c"), "2");
  for (let i = 0; i < 3; i++) await type("redo");
  expect(state()).toEqual(["2", "2", "2"]);
});

test("the changes of a turn are reported once, compared with the state before it", async () => {
  writeFileSync(at("a"), "keep\n1\n2\n");
  writeFileSync(at("gone"), "x\n");
  await using it = made();
  const { hook } = it;
  hook.step?.(turn);
  await run(hook, view("write", "write", ["a"]), () => writeFileSync(at("a"), "passing\n"));
  await run(hook, view("bash", "exec"), () => {
    writeFileSync(at("a"), "keep\none\ntwo\nthree\n");
    rmSync(at("gone"));
    mkdirSync(at("empty"));
  });
  await hook.settle?.(turn);
  await hook.idle?.(done, turn);
  expect(changes).toEqual([
    {
      turn: expect.any(String),
      final: true,
      files: [
        { path: "a", change: "modified", added: 3, removed: 2 },
        { path: "gone", change: "deleted", added: 0, removed: 1 },
      ],
    },
  ]);
});

test("a turn that was cut short is reported too, and one without changes is not", async () => {
  await using it = made();
  const { hook } = it;
  hook.step?.(turn);
  await run(hook, view("bash", "exec"), () => {});
  await hook.settle?.(turn);
  expect(changes).toEqual([]);
  hook.step?.(turn);
  await run(hook, view("bash", "exec"), () => writeFileSync(at("a"), "1"));
  await hook.idle?.(done, turn);
  expect(changes.map(({ files }) => files)).toEqual([[{ path: "a", change: "added", added: 1, removed: 0 }]]);
});

test("a turn that was accepted by /keep is not taken back", async () => {
  await using it = made();
  const { hook, type } = it;
  asked = "make a";
  hook.step?.(turn);
  await run(hook, view("write", "write", ["a"]), () => writeFileSync(at("a"), "1"));
  expect([await type("keep"), await type("undo"), await type("keep")]).toEqual([
    'Kept what "make a" changed.',
    "There is nothing to undo.",
    "There is nothing to keep.",
  ]);
  expect(existsSync(at("a"))).toBe(true);
});

test("a turn that only reads opens nothing", async () => {
  await using it = made();
  const { hook } = it;
  hook.step?.(turn);
  await run(hook, view("read", "read", ["a"]), () => {});
  await hook.settle?.(turn);
  expect(opened).toBe(0);
});

test("paths that are not covered are named once", async () => {
  writeFileSync(at("large"), "x".repeat(200));
  await using it = made();
  const { hook } = it;
  for (let i = 0; i < 2; i++) {
    hook.step?.(turn);
    await run(hook, view("bash", "exec"), () => writeFileSync(at("a"), String(i)));
    await hook.settle?.(turn);
  }
  expect(notices.map((notice) => notice.text)).toEqual(["Not covered by undo: large (large)"]);
});

test("when undo is not available the work goes on, with a warning", async () => {
  await using it = made(() => Promise.reject(new Error("no space left")));
  const { hook } = it;
  hook.step?.(turn);
  await run(hook, view("bash", "exec"), () => writeFileSync(at("a"), "1"));
  await hook.context?.({} as never);
  expect(await hook.settle?.(turn)).toEqual({ do: "done" });
  expect(notices.map((notice) => notice.text)).toEqual(["Undo is not available: no space left"]);
});
