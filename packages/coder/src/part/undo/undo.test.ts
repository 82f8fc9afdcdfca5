import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallView, Changed, Effect, Notice } from "@pith/agent";
import { Undo } from "../undo/undo.ts";
import { undoBehaviour } from "./undo.ts";

let base = "";
let notices: Notice[] = [];
let changes: Changed[] = [];
let opened = 0;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "pith-undo-behaviour-")));
  mkdirSync(join(base, "project"));
  notices = [];
  changes = [];
  opened = 0;
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const own = (open?: () => Promise<Undo>) =>
  undoBehaviour({
    open:
      open ??
      (async () => {
        opened++;
        return new Undo({
          root: join(base, "project"),
          home: join(base, "home"),
          env: { PATH: process.env.PATH },
          limits: { maxFile: 100, maxIgnored: 100, maxEntries: 1000, maxBytes: 1e9 },
          cover: "everything",
          now: () => Date.now(),
          skip: [],
          keep: { ageMs: 1e12, bytes: 1e12 },
        });
      }),
    session: "s",
    leaf: () => "entry",
    tell: (notice) => notices.push(notice),
    changed: (changed) => changes.push(changed),
  });
const at = (name: string) => join(base, "project", name);
const view = (tool: string, effect: Effect, paths: string[] = []): CallView =>
  ({
    call: { id: `${tool}-${effect}`, type: "toolCall", name: tool, arguments: {} },
    tool: { name: tool },
    input: {},
    effect,
    paths: paths.map(at),
  }) as unknown as CallView;
const turn = { step: 0 } as never;
async function run(behaviour: ReturnType<typeof own>, call: CallView, work: () => void): Promise<void> {
  await behaviour.start?.(call);
  work();
  await behaviour.result?.(call, { kind: "prose", data: {}, text: "" });
}
const type = async (behaviour: ReturnType<typeof own>, text: string) => behaviour.input?.({ text });

test("what a turn did is taken back by /undo and put back by /redo; the commands themselves reach no model", async () => {
  writeFileSync(at("a"), "1");
  const undo = own();
  await type(undo, "please change it");
  undo.step?.(turn);
  await run(undo, view("write", "write", ["a"]), () => writeFileSync(at("a"), "2"));
  await run(undo, view("bash", "exec"), () => writeFileSync(at("b"), "new"));
  await undo.settle?.(turn);
  expect(await type(undo, "/changes")).toEqual({ handled: true });
  expect(notices.at(-1)?.text).toContain('2 files  "please change it"');
  expect(await type(undo, "/undo")).toEqual({ handled: true });
  expect(notices.at(-1)?.text).toBe('Took back 2 paths of "please change it":\n  a\n  b');
  expect([readFileSync(at("a"), "utf8"), existsSync(at("b"))]).toEqual(["1", false]);
  await type(undo, "/redo");
  expect([readFileSync(at("a"), "utf8"), readFileSync(at("b"), "utf8")]).toEqual(["2", "new"]);
  await type(undo, "/redo");
  expect(notices.at(-1)?.text).toBe("There is nothing to redo.");
  await undo[Symbol.asyncDispose]();
});

test("what a turn changed is told once, against the state before it", async () => {
  writeFileSync(at("a"), "keep\n1\n2\n");
  writeFileSync(at("gone"), "x\n");
  const undo = own();
  undo.step?.(turn);
  await run(undo, view("write", "write", ["a"]), () => writeFileSync(at("a"), "passing\n"));
  await run(undo, view("bash", "exec"), () => {
    writeFileSync(at("a"), "keep\none\ntwo\nthree\n");
    rmSync(at("gone"));
    mkdirSync(at("empty"));
  });
  await undo.settle?.(turn);
  await undo.report();
  expect(changes).toEqual([
    {
      turn: expect.any(String),
      files: [
        { path: "a", change: "modified", added: 3, removed: 2 },
        { path: "gone", change: "deleted", added: 0, removed: 1 },
      ],
    },
  ]);
  await undo[Symbol.asyncDispose]();
});

test("a turn that was cut short is told too, and one that changed nothing is not", async () => {
  const undo = own();
  undo.step?.(turn);
  await run(undo, view("bash", "exec"), () => {});
  await undo.settle?.(turn);
  expect(changes).toEqual([]);
  undo.step?.(turn);
  await run(undo, view("bash", "exec"), () => writeFileSync(at("a"), "1"));
  await undo.report();
  expect(changes.map(({ files }) => files)).toEqual([[{ path: "a", change: "added", added: 1, removed: 0 }]]);
  await undo[Symbol.asyncDispose]();
});

test("/keep ends the offer to take a turn back", async () => {
  const undo = own();
  await type(undo, "make a");
  undo.step?.(turn);
  await run(undo, view("write", "write", ["a"]), () => writeFileSync(at("a"), "1"));
  expect(await type(undo, "/keep")).toEqual({ handled: true });
  await type(undo, "/undo");
  await type(undo, "/keep");
  expect(notices.map(({ text }) => text)).toEqual([
    'Kept what "make a" changed.',
    "There is nothing to undo.",
    "There is nothing to keep.",
  ]);
  expect(existsSync(at("a"))).toBe(true);
});

test("a word that only begins like a command goes to the model", async () => {
  expect(await type(own(), "/undo the last thing")).toEqual({ text: "/undo the last thing" });
});

test("a turn that only reads opens nothing", async () => {
  const undo = own();
  undo.step?.(turn);
  await run(undo, view("read", "read", ["a"]), () => {});
  await undo.settle?.(turn);
  await undo[Symbol.asyncDispose]();
  expect(opened).toBe(0);
});

test("what is not covered is said once", async () => {
  writeFileSync(at("large"), "x".repeat(200));
  const undo = own();
  for (let i = 0; i < 2; i++) {
    undo.step?.(turn);
    await run(undo, view("bash", "exec"), () => writeFileSync(at("a"), String(i)));
    await undo.settle?.(turn);
  }
  expect(notices.map((notice) => notice.text)).toEqual(["Not covered by undo: large (large)"]);
});

test("when checkpoints cannot be kept the work goes on, and it is said", async () => {
  const undo = own(() => Promise.reject(new Error("no space left")));
  undo.step?.(turn);
  await run(undo, view("bash", "exec"), () => writeFileSync(at("a"), "1"));
  await undo.context?.({} as never);
  expect(await undo.settle?.(turn)).toEqual({ do: "done" });
  await undo[Symbol.asyncDispose]();
  expect(notices.map((notice) => notice.text)).toEqual(["Undo is not available: no space left"]);
});
