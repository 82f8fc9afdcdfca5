import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { undoHunk } from "../hunk.ts";
import { changesOf, turnChanges } from "../text.ts";
import { undoDir } from "./directory.ts";
import type { UndoTurn } from "./log.ts";
import { Undo, type UndoOptions } from "./undo.ts";

let base = "";
let clock = 0;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "pith-undo-")));
  clock = Date.now();
  mkdirSync(join(base, "project"));
});
afterEach(async () => {
  for (const undo of opened.splice(0)) await undo.close();
  rmSync(base, { recursive: true, force: true });
});
const opened: Undo[] = [];
const open = (over: Partial<UndoOptions> = {}) => {
  const undo = new Undo({
    root: join(base, "project"),
    home: join(base, "home"),
    env: { PATH: process.env.PATH },
    limits: { maxFile: 1e6, maxIgnored: 1e5, maxEntries: 1000, maxBytes: 1e9 },
    cover: "everything",
    now: () => clock,
    skip: [join(base, "home")],
    keep: { ageMs: 1e12, bytes: 1e9 },
    ...over,
  });
  opened.push(undo);
  return undo;
};
const at = (name: string) => join(base, "project", name);
const put = (name: string, text: string) => writeFileSync(at(name), text);
const text = (name: string) => readFileSync(at(name), "utf8");
const note = (turn: string) => ({ turn, session: "s", asked: turn });
async function call(undo: Undo, turn: string, work: () => void, paths?: string[]) {
  const how = { reach: paths ? ("paths" as const) : ("anything" as const), paths: (paths ?? []).map(at) };
  const begun = await undo.begin(how.reach, how.paths);
  work();
  undo.end(begun, { tool: "x", note: note(turn) });
  await undo.settle();
}
const last = (undo: Undo) => {
  const turn = undo.next("undo");
  if (!turn) throw new Error("nothing to undo");
  return turn;
};

test("calls side by side are all recorded, and one undo takes all of them back", async () => {
  put("a", "1");
  const undo = open();
  const [one, two] = await Promise.all([undo.begin("anything", []), undo.begin("anything", [])]);
  put("a", "2");
  put("b", "2");
  undo.end(one as never, { tool: "x", note: note("t") });
  put("a", "3");
  undo.end(two as never, { tool: "x", note: note("t") });
  await undo.settle();
  const moved = undo.move("undo", last(undo));
  expect(moved.left).toEqual([]);
  expect([text("a"), existsSync(at("b"))]).toEqual(["1", false]);
});

test("taking back one file leaves files alone whose names begin like it", async () => {
  const names = ["a", "ab", "a.b", "d/in", "d2"];
  mkdirSync(at("d"));
  for (const name of names) put(name, "1");
  const undo = open();
  await call(undo, "t", () => {
    for (const name of names) put(name, "2");
  });
  expect(undo.move("undo", last(undo), [at("a")]).restored).toEqual(["a"]);
  expect(undo.move("undo", last(undo), [at("d")]).restored).toEqual(["d/in"]);
  expect(names.map(text)).toEqual(["1", "2", "2", "1", "2"]);
});

test("a person's edit between two calls of one turn stays", async () => {
  put("a", "1");
  put("mine", "old");
  const undo = open();
  await call(undo, "t", () => put("a", "2"), ["a"]);
  put("mine", "new");
  await call(undo, "t", () => put("c", "3"));
  clock += 30;
  put("mine", "newer");
  await call(undo, "t", () => put("c", "4"));
  undo.move("undo", last(undo));
  expect([text("a"), text("mine"), existsSync(at("c"))]).toEqual(["1", "newer", false]);
});

test("a call right after another does not look at the project twice", async () => {
  const undo = open();
  await call(undo, "t", () => put("a", "1"));
  const first = await undo.begin("anything", []);
  put("a", "2");
  undo.end(first, { tool: "x", note: note("t") });
  // Nothing was read in between, so this one begins with what the last one left.
  const second = await undo.begin("anything", []);
  expect(second.changes?.list()).toEqual([]);
  expect(first.changes?.list().map(({ path }) => path)).toEqual(["a"]);
  await undo.settle();
  undo.move("undo", last(undo));
  expect(existsSync(at("a"))).toBe(false);
});

test("a directory that was moved and replaced by a link comes back whole", async () => {
  mkdirSync(at("src"));
  put("src/a", "1");
  const undo = open();
  await call(undo, "t", () => {
    renameSync(at("src"), at("real"));
    symlinkSync("real", at("src"));
  });
  expect(undo.move("undo", last(undo)).left).toEqual([]);
  expect([lstatSync(at("src")).isDirectory(), text("src/a"), existsSync(at("real"))]).toEqual([true, "1", false]);
});

test("a file that a tool of another session wrote while a command ran is not credited to the command", async () => {
  put("a", "1");
  put("theirs", "old");
  const [undo, other] = [open(), open()];
  const begun = await undo.begin("anything", []);
  clock += 10;
  const there = await other.begin("paths", [at("theirs")]);
  put("theirs", "new");
  clock += 10;
  other.end(there, { tool: "edit", note: { ...note("u"), session: "other" } });
  put("a", "2");
  clock += 10;
  undo.end(begun, { tool: "x", note: note("t") });
  await undo.settle();
  await other.settle();
  const turn = undo.turns().find((turn) => turn.id === "t");
  if (!turn) throw new Error("not recorded");
  undo.move("undo", turn);
  expect([text("a"), text("theirs")]).toEqual(["1", "new"]);
});

test("an undo that was killed while it made directories is finished, their modes too", async () => {
  mkdirSync(at("d"), { mode: 0o555 });
  chmodSync(at("d"), 0o555);
  const undo = open();
  await call(undo, "t", () => rmdirSync(at("d")));
  mkdirSync(at("d"), { mode: 0o755 });
  chmodSync(at("d"), 0o755);
  undo.move("undo", last(undo));
  expect(lstatSync(at("d")).mode & 0o777).toBe(0o555);
});

test("a hunk that was taken back goes with its turn, and can be put back by itself", async () => {
  const old = Array.from({ length: 40 }, (_, i) => `${i}\n`).join("");
  const now = old.replace("2\n", "two\n").replace("30\n", "thirty\n");
  put("a", old);
  put("b", "1");
  const undo = open();
  await call(undo, "t", () => {
    put("a", now);
    put("b", "2");
  });
  expect(await undoHunk(undo, last(undo), "a", 1)).toMatchObject({ ok: true });
  expect(text("a")).toBe(old.replace("30\n", "thirty\n"));
  expect(undo.turns().map((turn) => turn.id)).toEqual(["t"]);
  const hunk = undo.next("redo");
  if (!hunk) throw new Error("nothing to redo");
  undo.move("redo", hunk);
  expect([text("a"), undo.next("redo")]).toEqual([now, undefined]);
  await undoHunk(undo, last(undo), "a", 2);
  expect(undo.move("undo", last(undo)).left).toEqual([]);
  expect([text("a"), text("b"), undo.next("undo")]).toEqual([old, "1", undefined]);
  const turn = undo.next("redo");
  undo.move("redo", turn as UndoTurn);
  expect([text("a"), text("b"), turn?.id]).toEqual([now, "2", "t"]);
});

test("a directory of dependencies is named when a command changed it, and only then", async () => {
  mkdirSync(at("node_modules/x"), { recursive: true });
  mkdirSync(at("dist"));
  mkdirSync(at("bin"));
  put("bin/tool", "mine");
  const undo = open();
  await call(undo, "t", () => put("node_modules/x/y", "1"));
  expect(undo.uncovered).toEqual([]);
  await call(undo, "t", () => {
    rmSync(at("dist"), { recursive: true });
    rmSync(at("bin"), { recursive: true });
    utimesSync(at("node_modules"), 1, 1);
  });
  expect(undo.uncovered.map(({ path }) => path).toSorted()).toEqual(["dist", "node_modules"]);
  undo.move("undo", last(undo));
  // Without git, a directory of this name may be the user's own.
  expect(text("bin/tool")).toBe("mine");
});

test("a file with several hard links is put back under all of them", async () => {
  put("a", "1");
  linkSync(at("a"), at("b"));
  const undo = open();
  await call(undo, "t", () => put("a", "2"));
  undo.move("undo", last(undo));
  expect([text("a"), text("b"), lstatSync(at("a")).nlink]).toEqual(["1", "1", 2]);
});

test("a turn that writes both names of a file by tools is undone whole, and redone", async () => {
  put("a", "1");
  linkSync(at("a"), at("b"));
  const undo = open();
  for (const [name, words] of [
    ["a", "2"],
    ["b", "3"],
  ] as const) {
    const begun = await undo.begin("paths", [at(name)]);
    put(name, words);
    undo.end(begun, { tool: "write", note: { turn: "t", session: "s", asked: "" } });
  }
  await undo.settle();
  const turn = last(undo);
  expect(undo.move("undo", turn).left).toEqual([]);
  expect([text("a"), text("b"), lstatSync(at("a")).nlink]).toEqual(["1", "1", 2]);
  expect(undo.move("redo", undo.next("redo") ?? turn).left).toEqual([]);
  expect([text("a"), text("b")]).toEqual(["3", "3"]);
});

test("a file is seen to change under its other name by every command, not only by the first", async () => {
  put("a", "0");
  mkdirSync(at("far"));
  linkSync(at("a"), at("far/b"));
  const undo = open();
  for (const n of [1, 2, 3, 4]) {
    await call(undo, `t${n}`, () => put("far/b", `${n}${"x".repeat(n)}`));
    expect(undo.changes(last(undo)).map(({ path }) => path)).toEqual(["a", "far/b"]);
  }
  for (let next = undo.next("undo"); next; next = undo.next("undo")) expect(undo.move("undo", next).left).toEqual([]);
  expect([text("a"), text("far/b")]).toEqual(["0", "0"]);
});

test("a file that is too large to be kept is named also when a tool writes it", async () => {
  put("large", "x".repeat(2e6));
  const undo = open();
  await call(undo, "t", () => put("large", "small"), ["large"]);
  expect(undo.uncovered).toEqual([{ path: at("large"), why: "large" }]);
});

test("a path that is not covered is named, also when the call removed it", async () => {
  put("large", "x".repeat(2e6));
  const undo = open();
  await call(undo, "t", () => rmSync(at("large")));
  expect(undo.uncovered).toEqual([{ path: "large", why: "large" }]);
});

test("a tree with too many files covers what tools write, and says so", async () => {
  for (let i = 0; i < 20; i++) put(`f${i}`, "");
  put("a", "1");
  const undo = open({ limits: { maxFile: 1e6, maxIgnored: 1e5, maxEntries: 5, maxBytes: 1e9 } });
  await call(undo, "t", () => put("b", "not covered"));
  expect(undo.cover).toBe("own writes");
  await call(undo, "t", () => put("a", "2"), ["a"]);
  undo.move("undo", last(undo));
  expect(text("a")).toBe("1");
});

test("our own files inside the project are never taken back", async () => {
  const undo = open({ home: at(".pith"), skip: [at(".pith")] });
  mkdirSync(at(".pith"));
  put(".pith/session.jsonl", "1\n");
  await call(undo, "t", () => {
    appendFileSync(at(".pith/session.jsonl"), "2\n");
    put("a", "x");
  });
  expect(changesOf(undo, last(undo)).map((file) => file.path)).toEqual(["a"]);
  undo.move("undo", last(undo));
  expect(text(".pith/session.jsonl")).toBe("1\n2\n");
});

test("of very many changed files only some are compared, the others are counted", async () => {
  const undo = open();
  const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  await call(undo, "t", () => {
    for (const name of names) put(name, "1\n");
  });
  const files = names.slice(0, 8).map((path) => ({ path, change: "added" as const, added: 1, removed: 0 }));
  expect(turnChanges(undo, last(undo), new Map(), 0)).toEqual({ turn: "t", files, more: 2 });
  expect(turnChanges(undo, last(undo), new Map(), 10_000)?.files).toHaveLength(10);
});

test("old turns are removed with their contents; new ones stay", async () => {
  const undo = open({ keep: { ageMs: 1000, bytes: 1e9 } });
  await call(undo, "old", () => put("a", "old"));
  clock += 5000;
  await call(undo, "new", () => put("a", "new"));
  undo.prune();
  expect(undo.turns().map((turn) => turn.id)).toEqual(["new"]);
  undo.move("undo", last(undo));
  expect(text("a")).toBe("old");
});

test("a store that grows too large loses its oldest turns", async () => {
  const undo = open({ keep: { ageMs: 1e12, bytes: 300_000 } });
  for (let i = 0; i < 8; i++)
    await call(undo, `t${i}`, () =>
      put("a", Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("base64")),
    );
  undo.prune();
  expect(undo.turns().length).toBeLessThan(8);
  expect(undo.move("undo", last(undo)).left).toEqual([]);
});

test("a first reading that nobody needed does not hold up the end", async () => {
  for (let i = 0; i < 900; i++) put(`f${i}`, `content ${i}`);
  const undo = open();
  undo.prepare();
  await undo.close();
  await call(undo, "t", () => put("a", "x"));
  expect(last(undo).calls.length).toBe(1);
});

test("a disk that is full at the end of a session costs nothing but time", async () => {
  const undo = open();
  await call(undo, "t", () => put("a", "x"));
  // Something that no file can take the place of.
  mkdirSync(join(undoDir(join(base, "home"), undo.root), "index.json", "in the way"), { recursive: true });
  await undo.close();
  const later = open();
  expect(later.move("undo", last(later)).left).toEqual([]);
  expect(existsSync(at("a"))).toBe(false);
});

test("a pipe among git's objects keeps nobody waiting", async () => {
  const packs = at(".git/objects/pack");
  for (const dir of [packs, at(".git/objects/12"), at(".git/refs")]) mkdirSync(dir, { recursive: true });
  writeFileSync(at(".git/HEAD"), "ref: refs/heads/main\n");
  for (const pipe of [join(packs, "pack-1.idx"), join(packs, "pack-1.pack"), at(".git/index")])
    Bun.spawnSync(["mkfifo", pipe]);
  const undo = open();
  await call(undo, "t", () => put("a", "x"));
  expect(undo.changes(last(undo)).map(({ path }) => path)).toEqual(["a"]);
});

test("a log with a torn last line loses that line only", async () => {
  const undo = open();
  await call(undo, "t", () => put("a", "x"));
  appendFileSync(join(undoDir(join(base, "home"), undo.root), "log.jsonl"), '{"row":"call","turn":"torn');
  expect(undo.turns().map((turn) => turn.id)).toEqual(["t"]);
});

test("a file that was taken back alone, and changed since, is left alone by the redo of its turn", async () => {
  put("a", "1");
  const undo = open();
  await call(undo, "t", () => put("a", "2"), ["a"]);
  await call(undo, "t", () => {
    put("a", "3");
    put("b", "3");
  });
  expect(undo.move("undo", last(undo), [at("a")])).toMatchObject({ restored: ["a"], left: [] });
  expect(undo.move("undo", last(undo))).toMatchObject({ restored: ["b"], left: [] });
  expect(text("a")).toBe("1");
  put("a", "mine");
  expect(undo.move("redo", undo.turns()[0] as UndoTurn)).toMatchObject({ left: [{ path: "a" }] });
});

test("a file that was taken back is taken back once more where an older turn had left it alike", async () => {
  put("a", "1");
  const undo = open();
  await call(undo, "there", () => put("a", "2"), ["a"]);
  await call(undo, "and back", () => put("a", "1"), ["a"]);
  undo.move("undo", last(undo), [at("a")]);
  expect(undo.move("undo", last(undo)).turn.id).toBe("there");
  expect(text("a")).toBe("1");
  expect(undo.next("undo")).toBeUndefined();
  // Later changes of the turn are taken back as usual.
  await call(undo, "and back", () => put("a", "3"), ["a"]);
  expect(undo.next("undo")?.id).toBe("and back");
});

test("turns after a torn line of the log are read", async () => {
  const undo = open();
  await call(undo, "t", () => put("a", "x"));
  appendFileSync(join(undoDir(join(base, "home"), undo.root), "log.jsonl"), '{"row":"call","turn":"torn');
  await call(undo, "u", () => put("a", "y"));
  await call(open(), "v", () => put("a", "z"));
  expect(undo.turns().map((turn) => turn.id)).toEqual(["t", "u", "v"]);
});

test("rows that other sessions add to the log, or remove from it, are seen", async () => {
  const [one, other] = [open(), open({ keep: { ageMs: 1000, bytes: 1e9 } })];
  const seen = () => one.turns().map(({ id }) => id);
  await call(one, "first", () => put("a", "1"));
  expect(seen()).toEqual(["first"]);
  clock += 5000;
  await call(other, "second", () => put("a", "2"));
  expect(seen()).toEqual(["first", "second"]);
  other.prune();
  await call(other, "third", () => put("a", "3"));
  expect(seen()).toEqual(["second", "third"]);
  expect(one.turn("third")?.calls).toHaveLength(1);
  expect(one.turn("first")).toBeUndefined();
});

test("a file that did not change since it was compared is reported without being read again", async () => {
  const undo = open();
  for (const name of ["a", "b"]) await call(undo, "t", () => put(name, "1\n"), [name]);
  const compared = new Map();
  const before = turnChanges(undo, last(undo), compared);
  await call(undo, "t", () => put("b", "1\n2\n"), ["b"]);
  rmSync(join(undoDir(join(base, "home"), undo.root), "git", "objects", "d0"), { recursive: true });
  expect(turnChanges(undo, last(undo), compared)?.files).toEqual([
    { path: "a", change: "added", added: 1, removed: 0 },
    { path: "b", change: "added", added: 2, removed: 0 },
  ]);
  expect(before?.files).toHaveLength(2);
});

test("an object that was damaged on the disk is named, not written", async () => {
  put("a", "before");
  const undo = open();
  await call(undo, "t", () => put("a", "after"));
  const [change] = undo.changes(last(undo));
  const id = change?.before?.is === "file" ? change.before.id : "";
  const file = join(undoDir(join(base, "home"), undo.root), "git", "objects", id.slice(0, 2), id.slice(2));
  rmSync(file);
  const moved = undo.move("undo", last(undo));
  expect(moved.restored).toEqual([]);
  expect(moved.left.map((file) => file.path)).toEqual(["a"]);
  expect(text("a")).toBe("after");
});
