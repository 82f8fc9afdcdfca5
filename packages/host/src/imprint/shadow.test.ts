import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Scratch, scratch } from "@pith/kit/test";
import fc from "fast-check";
import { asideName } from "../fs/aside.ts";
import { Shadow } from "./shadow.ts";

let folder: Scratch;
let base = "";
let root = "";
let shadow: Shadow;
const limits = { maxFile: 50_000, maxIgnored: 1000, maxEntries: 10_000, maxBytes: 1e9 };
const open = (over = {}) =>
  new Shadow({
    dir: join(base, "store"),
    root,
    limits,
    env: { PATH: process.env.PATH, HOME: base },
    now: () => Date.now(),
    skip: [],
    ...over,
  });
beforeEach(() => {
  folder = scratch();
  base = folder.path;
  root = join(base, "project");
  mkdirSync(root);
  shadow = open();
});
afterEach(() => folder[Symbol.dispose]());
const put = (name: string, text: string | Uint8Array) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};
async function take(store = shadow): Promise<string> {
  const taken = await store.take("now");
  if (!taken.ok) throw new Error(taken.why);
  return taken.id;
}
/** Goes back from one imprint to another. */
const back = (store: Shadow, from: string, to: string) =>
  store.restore(store.diff(to, from).map(({ path, before }) => ({ path, to: before })));
/** Everything below the project but `.git`: kind, mode, content. */
function picture(dir = root, way = ""): string[] {
  return readdirSync(dir)
    .filter((name) => name !== ".git")
    .toSorted()
    .flatMap((name) => {
      const full = join(dir, name);
      const stat = lstatSync(full);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) return [`${way}${name} -> ${readlinkSync(full)}`];
      if (stat.isDirectory()) return [`${way}${name}/ ${mode}`, ...picture(full, `${way}${name}/`)];
      return [`${way}${name} ${mode} ${readFileSync(full).toString("base64")}`];
    });
}
const git = (...argv: string[]) => {
  const done = Bun.spawnSync(["git", ...argv], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", HOME: base, GIT_CONFIG_NOSYSTEM: "1" },
  });
  return done.stdout.toString() + done.stderr.toString();
};

test("contents, modes, links, empty directories and odd names come back", async () => {
  put("a.txt", "one\r\n");
  put("sub/run.sh", "#!/bin/sh\n");
  chmodSync(join(root, "sub/run.sh"), 0o750);
  put('sub/ä \n "x".bin', Buffer.from([0, 255, 1]));
  mkdirSync(join(root, "empty/inner"), { recursive: true });
  chmodSync(join(root, "empty/inner"), 0o711);
  symlinkSync("../nowhere", join(root, "sub/link"));
  put("ro", "read only");
  chmodSync(join(root, "ro"), 0o440);
  const before = await take();
  const seen = picture();
  rmSync(join(root, "sub"), { recursive: true });
  rmSync(join(root, "empty"), { recursive: true });
  put("empty", "now a file");
  rmSync(join(root, "ro"));
  mkdirSync(join(root, "ro"));
  put("ro/inside", "x");
  put("new/deep/file", "y");
  chmodSync(join(root, "a.txt"), 0o600);
  const after = await take();
  expect(back(shadow, after, before)).toEqual([]);
  expect(picture()).toEqual(seen);
  expect(await take()).toBe(before);
});

test("a name that is no UTF-8 is covered like any other", async () => {
  const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from(".txt")]);
  const folder = Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xe4])]);
  writeFileSync(name, "1");
  mkdirSync(folder);
  writeFileSync(Buffer.concat([folder, Buffer.from("/in")]), "deep");
  const before = await take();
  writeFileSync(name, "2");
  rmSync(Buffer.concat([folder, Buffer.from("/in")]));
  rmdirSync(folder);
  const after = await take();
  expect(back(shadow, after, before)).toEqual([]);
  expect([readFileSync(name, "utf8"), readFileSync(Buffer.concat([folder, Buffer.from("/in")]), "utf8")]).toEqual([
    "1",
    "deep",
  ]);
});

test("temporary files of a dead process are removed, those of a live one are not", async () => {
  const gone = Bun.spawnSync(["true"]).pid;
  const [old, young, ours] = [asideName(gone), asideName(gone), asideName()];
  for (const name of [old, young, ours]) put(name, "half");
  utimesSync(join(root, old), 1, 1);
  utimesSync(join(root, ours), 1, 1);
  const before = await take();
  expect(readdirSync(root).toSorted()).toEqual([young, ours].toSorted());
  rmSync(join(root, ours));
  expect(await take()).toBe(before);
});

test("a file that was replaced by a very large one is recognized, in pieces", () => {
  put("a", "x".repeat(100));
  truncateSync(join(root, "a"), 17 * 1024 * 1024);
  const whole = readFileSync(join(root, "a"));
  const id = createHash("sha1").update(`blob ${whole.length}\0`).update(whole).digest("hex");
  expect(shadow.current("a")).toMatchObject({ is: "file", id });
});

test("a second process needs to read nothing again, and sees the same", async () => {
  put("a", "1");
  utimesSync(join(root, "a"), 1, 1);
  const first = await take();
  shadow.save();
  const again = open();
  expect(existsSync(join(base, "store", "index.json"))).toBe(true);
  expect(await take(again)).toBe(first);
  put("a", "2");
  const second = await take(again);
  expect(again.diff(first, second).map((difference) => difference.path)).toEqual(["a"]);
});

test("a change that keeps size and time is still seen", async () => {
  put("a", "1");
  const first = await take();
  const { mtime } = lstatSync(join(root, "a"));
  put("a", "2");
  utimesSync(join(root, "a"), mtime, mtime);
  expect(await take()).not.toBe(first);
});

test("the user's repository is not written: no object, no ref, no index, no config", async () => {
  git("init", "-q");
  git("-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "x");
  put("a", "1");
  const dump = () =>
    Bun.spawnSync(["find", join(root, ".git"), "-printf", "%p %T@ %s\n"])
      .stdout.toString()
      .split("\n")
      .toSorted();
  const before = dump();
  const first = await take();
  rmSync(join(root, "a"));
  back(shadow, await take(), first);
  expect(dump()).toEqual(before);
  expect(git("status", "--porcelain")).toBe("?? a\n");
});

test("ignored files are covered up to a size, and directories of dependencies are not", async () => {
  git("init", "-q");
  put(".gitignore", ".env\n*.big\nnode_modules\n");
  put(".env", "SECRET=1");
  put("x.big", "b".repeat(2000));
  put("y.data", "b".repeat(2000));
  put("node_modules/m/index.js", "m");
  put("build/kept.js", "not ignored");
  const taken = await shadow.take("now");
  if (!taken.ok) throw new Error(taken.why);
  expect(taken.uncovered).toEqual([{ path: "x.big", why: "ignored" }]);
  for (const name of [".env", "y.data", "build", "node_modules"]) rmSync(join(root, name), { recursive: true });
  const after = await take();
  expect(shadow.diff(taken.id, after).map(({ path }) => path)).toEqual([".env", "build", "build/kept.js", "y.data"]);
  expect(back(shadow, after, taken.id)).toEqual([]);
  expect(existsSync(join(root, "build/kept.js"))).toBe(true);
  // When the rules change, git is asked again.
  put(".gitignore", ".env\n");
  await take();
  put("x.big", "c".repeat(2000));
  const seen = await take();
  rmSync(join(root, "x.big"));
  expect(shadow.diff(seen, await take()).map(({ path }) => path)).toEqual(["x.big"]);
});

test("large, unreadable and special files are named", async () => {
  put("huge", "x".repeat(60_000));
  Bun.spawnSync(["mkfifo", join(root, "pipe")]);
  const taken = await shadow.take("now");
  expect(taken).toMatchObject({
    ok: true,
    uncovered: expect.arrayContaining([
      { path: "huge", why: "large" },
      { path: "pipe", why: "special" },
    ]),
  });
});

test("a tree of too many files is refused instead of read", async () => {
  for (let i = 0; i < 20; i++) put(`f${i}`, "");
  expect(await open({ limits: { ...limits, maxEntries: 10 } }).take("now")).toEqual({
    ok: false,
    why: "too many files",
  });
});

test("much data is measured first, and not copied if it is too much", async () => {
  for (let i = 0; i < 20; i++) put(`data${i}`, "x".repeat(10_000));
  expect(await open({ limits: { ...limits, maxBytes: 100_000 } }).take("now")).toEqual({
    ok: false,
    why: "too much data",
  });
  expect(Bun.spawnSync(["find", join(base, "store", "git", "objects"), "-type", "f"]).stdout.toString()).toBe("");
});

test("files of repositories inside the project are covered, their git directories are not", async () => {
  put("sub/.git/HEAD", "ref: x\n");
  put("sub/file", "1");
  put("linked/.git", "gitdir: ../x\n");
  put("linked/file", "1");
  const before = await take();
  put("sub/file", "2");
  put("sub/.git/HEAD", "ref: y\n");
  put("linked/file", "2");
  const after = await take();
  expect(shadow.diff(before, after).map(({ path }) => path)).toEqual(["linked/file", "sub/file"]);
  back(shadow, after, before);
  expect([readFileSync(join(root, "sub/file"), "utf8"), readFileSync(join(root, "sub/.git/HEAD"), "utf8")]).toEqual([
    "1",
    "ref: y\n",
  ]);
});

test("nothing is restored through a directory that has become a link", async () => {
  put("d/x", "1");
  const before = await take();
  put("d/x", "2");
  const after = await take();
  mkdirSync(join(base, "elsewhere"));
  writeFileSync(join(base, "elsewhere", "x"), "theirs");
  renameSync(join(root, "d"), join(root, "moved"));
  symlinkSync(join(base, "elsewhere"), join(root, "d"));
  expect(back(shadow, after, before)).toEqual([{ path: "d/x", why: "a link stands in its way" }]);
  expect(readFileSync(join(base, "elsewhere", "x"), "utf8")).toBe("theirs");
});

test("objects that no imprint needs are removed, others stay", async () => {
  put("a", "1");
  const first = await take();
  put("a", "2");
  put("b", "2");
  const second = await take();
  const count = () =>
    Bun.spawnSync(["find", join(base, "store", "git", "objects"), "-type", "f"])
      .stdout.toString()
      .trim()
      .split("\n").length;
  const all = count();
  shadow.sweep([second], []);
  expect(count()).toBeLessThan(all);
  expect(() => shadow.diff(first, second)).toThrow();
  expect(await take()).toBe(second);
  put("c", "3");
  expect(shadow.diff(second, await take()).map(({ path }) => path)).toEqual(["c"]);
});

test("git itself can read the store", async () => {
  put("a/b", "content\n");
  const id = await take();
  const shown = Bun.spawnSync([
    "git",
    "--git-dir",
    join(base, "store", "git"),
    "show",
    `${id}:tree/a/b`,
  ]).stdout.toString();
  expect(shown).toBe("content\n");
  expect(Bun.spawnSync(["git", "--git-dir", join(base, "store", "git"), "fsck", "--strict"]).exitCode).toBe(0);
});

test("after any program of writes, removals, renames, links and modes, going back gives the same tree", async () => {
  const name = fc.constantFrom("a", "b", "d/a", "d/b", "d/e/f", "e", "g/h");
  const action = fc.oneof(
    fc.record({ do: fc.constant("write"), name, text: fc.string({ maxLength: 6 }) }),
    fc.record({ do: fc.constant("remove"), name }),
    fc.record({ do: fc.constant("link"), name, text: fc.constantFrom("a", "../x", "d") }),
    fc.record({ do: fc.constant("dir"), name }),
    fc.record({ do: fc.constant("mode"), name, mode: fc.constantFrom(0o600, 0o755, 0o444, 0o700) }),
    fc.record({ do: fc.constant("move"), name, text: name }),
  );
  type Action = { do: string; name: string; text?: string; mode?: number };
  const doings: Record<string, (full: string, action: Action) => void> = {
    write: (full, action) => writeFileSync(full, action.text ?? ""),
    remove: (full) => rmSync(full, { recursive: true }),
    link: (full, action) => symlinkSync(action.text ?? "", full),
    dir: (full) => mkdirSync(full),
    mode: (full, action) => chmodSync(full, lstatSync(full).isDirectory() ? 0o755 : (action.mode ?? 0o644)),
    move: (full, action) => renameSync(full, join(root, action.text ?? "")),
  };
  const play = (actions: Action[]) => {
    for (const action of actions) {
      try {
        mkdirSync(dirname(join(root, action.name)), { recursive: true });
        doings[action.do]?.(join(root, action.name), action);
      } catch {
        // Not every action fits every tree.
      }
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 12 }),
      fc.array(action, { maxLength: 12 }),
      async (first, second) => {
        for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
        play(first as Action[]);
        const before = await take();
        const seen = picture();
        play(second as Action[]);
        const [after, then] = [await take(), picture()];
        expect(back(shadow, after, before)).toEqual([]);
        expect(picture()).toEqual(seen);
        // And forward again.
        expect(back(shadow, before, after)).toEqual([]);
        expect(picture()).toEqual(then);
      },
    ),
    { numRuns: 60 },
  );
});
