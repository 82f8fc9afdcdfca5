import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { bytesRead, type Scratch, scratch } from "@pith/kit/test";
import fc from "fast-check";
import { need } from "../../../../test/need.ts";
import { asideName } from "../fs/aside.ts";
import { Changes, type Difference } from "./change.ts";
import { Shadow } from "./shadow.ts";

const withGit = test.skipIf(need("git") !== undefined);
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
afterEach(() => {
  shadow.close();
  folder[Symbol.dispose]();
});
const put = (name: string, text: string | Uint8Array) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};
/** Files with contents in the store. */
const keptFiles = () => [...new Bun.Glob("**").scanSync({ cwd: join(base, "store", "git", "objects"), dot: true })];
const looks = new WeakMap<Shadow, Changes[]>();
/** Looks at the tree, and numbers the look. */
async function take(store = shadow): Promise<number> {
  const seen = await store.look("now");
  if (!seen.ok) throw new Error(seen.why);
  const all = looks.get(store) ?? [];
  looks.set(store, all);
  return all.push(seen.changes ?? new Changes()) - 1;
}
/** Changes between two looks, of which the first came before. */
function diff(store: Shadow, from: number, to: number): Difference[] {
  const all = new Changes();
  for (const changes of looks.get(store)?.slice(from + 1, to + 1) ?? []) all.addAll(changes);
  return all.list();
}
/** Goes from one look to another, earlier or later. */
const back = (store: Shadow, from: number, to: number) => {
  const [differences, side] =
    from > to ? [diff(store, to, from), "before" as const] : [diff(store, from, to), "after" as const];
  return store.restore(differences.map((change) => ({ path: change.path, to: change[side] })));
};
const objectFile = (content: string) => {
  const id = createHash("sha1").update(`blob ${content.length}\0${content}`).digest("hex");
  return join(base, "store", "git", "objects", id.slice(0, 2), id.slice(2));
};
/** True when the tree is as it was at an earlier look. */
const isAt = async (look: number, store = shadow) => expect(diff(store, look, await take(store))).toEqual([]);
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
  await isAt(before);
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
  await isAt(before);
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
  // A file that was written a moment ago may be written again at the same time.
  const later = { now: () => Date.now() + 1000 };
  const early = open(later);
  await take(early);
  early.save();
  rmSync(objectFile("1"));
  const again = open(later);
  const first = await take(again);
  expect(existsSync(objectFile("1"))).toBe(false);
  put("a", "2");
  const second = await take(again);
  expect(diff(again, first, second).map((difference) => difference.path)).toEqual(["a"]);
});

test("a change that keeps size and time is still seen", async () => {
  put("a", "1");
  const first = await take();
  const { mtime } = lstatSync(join(root, "a"));
  put("a", "2");
  utimesSync(join(root, "a"), mtime, mtime);
  expect(diff(shadow, first, await take()).map(({ path }) => path)).toEqual(["a"]);
});

withGit("the user's repository is not written: no object, no ref, no index, no config", async () => {
  git("init", "-q");
  git("-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "x");
  put("a", "1");
  const dump = () => {
    const { stdout } = Bun.spawnSync(["find", join(root, ".git"), "-printf", "%p %T@ %s\n"]);
    return stdout.toString().split("\n").toSorted();
  };
  const before = dump();
  const first = await take();
  rmSync(join(root, "a"));
  back(shadow, await take(), first);
  expect(dump()).toEqual(before);
  expect(git("status", "--porcelain")).toBe("?? a\n");
});

withGit("ignored files are covered up to a size, and directories of dependencies are not", async () => {
  git("init", "-q");
  put(".gitignore", ".env\n*.big\nnode_modules\n");
  put(".env", "SECRET=1");
  put("x.big", "b".repeat(2000));
  put("y.data", "b".repeat(2000));
  put("node_modules/m/index.js", "m");
  put("build/kept.js", "not ignored");
  const taken = await shadow.look("now");
  if (!taken.ok) throw new Error(taken.why);
  expect(taken.uncovered).toEqual([{ path: "x.big", why: "ignored" }]);
  const first = await take();
  for (const name of [".env", "y.data", "build", "node_modules"]) rmSync(join(root, name), { recursive: true });
  const after = await take();
  expect(diff(shadow, first, after).map(({ path }) => path)).toEqual([".env", "build", "build/kept.js", "y.data"]);
  expect(back(shadow, after, first)).toEqual([]);
  expect(existsSync(join(root, "build/kept.js"))).toBe(true);
  // When the rules change, git is asked again.
  put(".gitignore", ".env\n");
  await take();
  put("x.big", "c".repeat(2000));
  const seen = await take();
  rmSync(join(root, "x.big"));
  expect(diff(shadow, seen, await take()).map(({ path }) => path)).toEqual(["x.big"]);
});

test("large, unreadable and special files are named", async () => {
  put("huge", "x".repeat(60_000));
  Bun.spawnSync(["mkfifo", join(root, "pipe")]);
  const taken = await shadow.look("now");
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
  expect(await open({ limits: { ...limits, maxEntries: 10 } }).look("now")).toEqual({
    ok: false,
    why: "too many files",
  });
});

test("much data is measured first, and not copied if it is too much", async () => {
  for (let i = 0; i < 20; i++) put(`data${i}`, "x".repeat(10_000));
  const look = await open({ limits: { ...limits, maxBytes: 100_000 } }).look("now");
  expect(look).toEqual({ ok: false, why: "too much data" });
  expect(keptFiles()).toEqual([]);
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
  expect(diff(shadow, before, after).map(({ path }) => path)).toEqual(["linked/file", "sub/file"]);
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

test("contents that nothing needs are removed, others stay", async () => {
  put("a", "1");
  await take();
  put("a", "2");
  put("b", "3");
  const second = await take();
  put("gone", "4");
  await take();
  rmSync(join(root, "gone"));
  await take();
  shadow.sweep(
    [],
    [
      createHash("sha1")
        .update("blob 1\0" + "1")
        .digest("hex"),
    ],
  );
  expect(["1", "2", "3", "4"].map((content) => existsSync(objectFile(content)))).toEqual([true, true, true, false]);
  await isAt(second);
});

withGit("git itself can read the contents in the store, also where they are many", async () => {
  for (let n = 0; n < 1100; n++) put(`d${n % 7}/f${n}`, `content ${n}\n`.repeat(1 + (n % 30) * 20));
  await take();
  put("late", "content\n");
  await take();
  const store = join(base, "store", "git");
  expect(
    readdirSync(join(store, "objects", "pack"))
      .map((name) => name.replace(/.*\./, ""))
      .toSorted(),
  ).toEqual(["idx", "pack"]);
  const run = (...argv: string[]) => Bun.spawnSync(["git", "--git-dir", store, ...argv]);
  expect(run("fsck", "--strict", "--full").exitCode).toBe(0);
  const all = run("cat-file", "--batch-check", "--batch-all-objects").stdout.toString().trim().split("\n");
  expect(all).toHaveLength(1101);
  // Of a pack of which little is needed, that becomes files of its own.
  const before = await take();
  for (let n = 10; n < 1100; n++) rmSync(join(root, `d${n % 7}/f${n}`));
  await take();
  shadow.sweep([], []);
  expect(readdirSync(join(store, "objects", "pack"))).toEqual([]);
  expect(run("cat-file", "--batch-check", "--batch-all-objects").stdout.toString().trim().split("\n")).toHaveLength(11);
  put("d0/f0", "changed");
  const after = await take();
  expect(back(shadow, after, after - 1)).toEqual([]);
  expect(readFileSync(join(root, "d0/f0"), "utf8")).toBe("content 0\n");
  expect(before).toBeLessThan(after);
});

const paths = async (from: number, store = shadow) => diff(store, from, await take(store)).map(({ path }) => path);

test("a change anywhere in a large tree is found without looking at the rest", async () => {
  for (let n = 0; n < 3000; n++) put(`d${n % 60}/e${n % 3}/f${n}`, `${n}`);
  const later = open({ now: () => Date.now() + 1000 });
  const first = await take(later);
  const began = bytesRead();
  put("d7/e1/f7", "changed");
  rmSync(join(root, "d8"), { recursive: true });
  renameSync(join(root, "d9"), join(root, "d5/moved"));
  chmodSync(join(root, "d6/e0"), 0o700);
  mkdirSync(join(root, "new/deep"), { recursive: true });
  put("new/deep/file", "x");
  const second = await take(later);
  expect(
    diff(later, first, second)
      .filter(({ path }) => !/^d[589]\b/.test(path))
      .map(({ path }) => path),
  ).toEqual(["d6/e0", "d7/e1/f7", "new", "new/deep", "new/deep/file"]);
  // A directory that was moved is watched where it is now, a new one too.
  put("d5/moved/e0/again", "1");
  put("new/deep/file", "y");
  expect(await paths(second, later)).toEqual(["d5/moved/e0/again", "new/deep/file"]);
  expect(bytesRead() - began).toBeLessThan(2_000_000);
  later.close();
});

test("a file that is written through a name outside of the project is seen", async () => {
  put("a", "1");
  linkSync(join(root, "a"), join(base, "elsewhere"));
  const first = await take();
  expect(await paths(first)).toEqual([]);
  writeFileSync(join(base, "elsewhere"), "22");
  expect(await paths(first)).toEqual(["a"]);
});

test("a project that was moved away and replaced is looked at as a whole", async () => {
  put("a", "1");
  const first = await take();
  renameSync(root, join(base, "old"));
  mkdirSync(root);
  put("b", "2");
  expect(await paths(first)).toEqual(["a", "b"]);
  const second = await take();
  put("c", "3");
  expect(await paths(second)).toEqual(["c"]);
});

test("more changes at once than the kernel tells of are all found", async () => {
  put("d/a", "1");
  const first = await take();
  for (let n = 0; n < 9000; n++) {
    put("d/a", `${n}`);
    put("d/b", `${n}`);
  }
  put("d/last", "x");
  expect(await paths(first, shadow)).toEqual(["d/a", "d/b", "d/last"]);
});

withGit("contents that git has are not copied, and come back also when git's own are gone", async () => {
  for (let n = 0; n < 300; n++) put(`src/f${n}`, `content ${n}\n`.repeat(50));
  put("untracked", "mine");
  symlinkSync("f1", join(root, "src/link"));
  for (let n = 0; n < 300; n++) utimesSync(join(root, `src/f${n}`), 1000, 1000);
  git("init", "-q");
  git("add", "src");
  git("-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x");
  git("gc", "-q");
  put("src/f7", "changed, not added");
  const again = Date.now() / 1000 + 10;
  utimesSync(join(root, ".git/index"), again, again);
  const seen = picture();
  const first = await take();
  expect(keptFiles()).toHaveLength(2);
  for (const name of [".git", "src", "untracked"]) rmSync(join(root, name), { recursive: true });
  const second = await take();
  const before = diff(shadow, first, second).flatMap((change) =>
    change.before && "id" in change.before ? [change.before.id] : [],
  );
  expect(shadow.own(before)).toEqual([]);
  shadow.close();
  expect(open().restore(diff(shadow, first, second).map(({ path, before }) => ({ path, to: before })))).toEqual([]);
  expect(picture()).toEqual(seen);
});

withGit("where git stores other bytes than those of a file, those of the file come back", async () => {
  for (let n = 0; n < 300; n++) put(`src/f${n}`, `line ${n}\r\n`.repeat(5));
  put(".gitattributes", "*  text eol=crlf\n");
  git("init", "-q");
  git("add", "-A");
  const seen = picture();
  const first = await take();
  rmSync(join(root, "src"), { recursive: true });
  const second = await take();
  expect(back(shadow, second, first)).toEqual([]);
  expect(picture()).toEqual(seen);
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
    mode: (full, action) => chmodSync(full, statSync(full).isDirectory() ? 0o755 : (action.mode ?? 0o644)),
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
