import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import { applySteps, type Step } from "./replace.ts";
import { type FileTarget, findAny, findTarget } from "./target.ts";

let folder: Scratch;
let root = "";
afterEach(() => folder[Symbol.dispose]());
beforeEach(() => {
  folder = scratch();
  root = folder.path;
});
const at = (name: string) => folder.at(name);
const put = (name: string, text: string) => writeFileSync(at(name), text);
const text = (name: string) => readFileSync(at(name), "utf8");

function find(name: string): FileTarget {
  const target = findTarget(at(name));
  if (!target.ok) throw new Error(target.message);
  return target.value;
}
const write = (target: FileTarget, bytes: string): Step => ({ do: "write", target, bytes: Buffer.from(bytes) });
const nothingBeside = () => expect(readdirSync(root).filter((name) => name.includes(".tmp"))).toEqual([]);

test("a file is replaced, and its mode stays", async () => {
  put("a", "old");
  chmodSync(at("a"), 0o751);
  expect(await applySteps([write(find("a"), "new")])).toEqual({ ok: true, applied: [{}] });
  expect(text("a")).toBe("new");
  expect(statSync(at("a")).mode & 0o7777).toBe(0o751);
  nothingBeside();
});

test("a link stays a link, and its target has the new bytes", async () => {
  mkdirSync(at("d"));
  put("d/real", "old");
  symlinkSync("d/real", at("link"));
  expect((await applySteps([write(find("link"), "new")])).ok).toBe(true);
  expect(readlinkSync(at("link"))).toBe("d/real");
  expect(text("d/real")).toBe("new");
});

test("all names of a file with several hard links see the change, and it is said", async () => {
  put("a", "old and longer");
  linkSync(at("a"), at("b"));
  expect(await applySteps([write(find("a"), "new")])).toEqual({ ok: true, applied: [{ inPlace: "hard links" }] });
  expect(text("b")).toBe("new");
});

test("a new file gets its directories; when the whole fails they go again", async () => {
  const made = await applySteps([write(find("x/y/z"), "new")]);
  expect(made.ok).toBe(true);
  expect(text("x/y/z")).toBe("new");
  put("a", "old");
  const stale = find("a");
  put("a", "somebody else");
  expect(await applySteps([write(find("p/q/r"), "new"), write(stale, "new")])).toMatchObject({
    ok: false,
    refused: { at: 1, kind: "changed" },
  });
  expect(readdirSync(root).toSorted()).toEqual(["a", "x"]);
});

test("a file that was changed, replaced, removed or created since is left alone", async () => {
  for (const spoil of [
    () => put("a", "OLD"),
    () => {
      put("other", "old");
      renameSync(at("other"), at("a"));
    },
    () => rmSync(at("a")),
    () => {
      rmSync(at("a"));
      mkdirSync(at("a"));
    },
    () => {
      rmSync(at("a"));
      put("secret", "old");
      symlinkSync("secret", at("a"));
    },
  ]) {
    rmSync(at("a"), { recursive: true, force: true });
    put("a", "old");
    const target = find("a");
    spoil();
    expect(await applySteps([write(target, "new")])).toMatchObject({ ok: false, refused: { kind: "changed" } });
    nothingBeside();
  }
  expect(text("secret")).toBe("old");
  const missing = find("fresh");
  put("fresh", "mine");
  expect(await applySteps([write(missing, "new")])).toMatchObject({ ok: false, refused: { kind: "changed" } });
  expect(text("fresh")).toBe("mine");
});

test("a touch alone does not stop an edit", async () => {
  put("a", "old");
  const target = find("a");
  utimesSync(at("a"), 1, 1);
  expect((await applySteps([write(target, "new")])).ok).toBe(true);
});

test("a directory on the way that is swapped for a link makes the edit fail", async () => {
  mkdirSync(at("d"));
  put("d/a", "old");
  mkdirSync(at("elsewhere"));
  put("elsewhere/a", "old");
  const target = find("d/a");
  renameSync(at("d"), at("moved"));
  symlinkSync("elsewhere", at("d"));
  expect(await applySteps([write(target, "new")])).toMatchObject({ ok: false });
  expect(text("elsewhere/a")).toBe("old");
  expect(text("moved/a")).toBe("old");
});

test("a link on the way that now leads elsewhere makes the edit fail", async () => {
  for (const name of ["one", "two"]) {
    mkdirSync(at(name));
    put(`${name}/a`, "old");
  }
  symlinkSync("one", at("way"));
  const target = find("way/a");
  rmSync(at("way"));
  symlinkSync("two", at("way"));
  expect(await applySteps([write(target, "new")])).toMatchObject({ ok: false, refused: { kind: "changed" } });
  expect([text("one/a"), text("two/a")]).toEqual(["old", "old"]);
});

test("a read-only file is not written, not even by root", async () => {
  put("a", "old");
  chmodSync(at("a"), 0o444);
  for (const step of [write(find("a"), "new"), { do: "remove", target: find("a") } as const])
    expect(await applySteps([step])).toMatchObject({ ok: false, refused: { kind: "denied" } });
  expect(text("a")).toBe("old");
});

test("of several files all are changed or none", async () => {
  put("a", "old a");
  put("b", "old b");
  put("c", "old c");
  linkSync(at("b"), at("b2"));
  const steps: Step[] = [
    write(find("a"), "new a"),
    write(find("b"), "new b"),
    { do: "remove", target: find("c") },
    write(find("n"), "new n"),
  ];
  const inode = lstatSync(at("a")).ino;
  const late = find("late");
  // Appears only once the others are already in place: the check before the last rename sees it.
  const trap: Step = { do: "write", target: late, bytes: new Uint8Array(1) };
  const spoiled = new Proxy(trap.target, {
    get: (target, key, self) => {
      if (key === "path" && readdirSync(root).includes("n")) writeFileSync(at("late"), "mine");
      return Reflect.get(target, key, self);
    },
  });
  const failed = await applySteps([...steps, { ...trap, target: spoiled }]);
  expect(failed).toMatchObject({ ok: false, refused: { at: 4, kind: "changed" } });
  expect(["a", "b", "b2", "c", "late"].map(text)).toEqual(["old a", "old b", "old b", "old c", "mine"]);
  expect(lstatSync(at("a")).ino).toBe(inode);
  expect(readdirSync(root).toSorted()).toEqual(["a", "b", "b2", "c", "late"]);
  const again: Step[] = [
    write(find("a"), "new a"),
    write(find("b"), "new b"),
    { do: "remove", target: find("c") },
    write(find("n"), "new n"),
  ];
  expect((await applySteps(again)).ok).toBe(true);
  expect(readdirSync(root).toSorted()).toEqual(["a", "b", "b2", "late", "n"]);
});

test("one file that cannot be written leaves the other untouched", async () => {
  put("a", "old a");
  put("b", "old b");
  const far = findTarget("/dev/full/x");
  expect(far.ok && far.value.is === "file").toBe(false);
  const steps: Step[] = [
    write(find("a"), "new a"),
    { do: "write", target: { is: "missing", path: "/dev/full/x", real: "/dev/full/x" }, bytes: new Uint8Array(1) },
  ];
  expect(await applySteps(steps)).toMatchObject({ ok: false, refused: { at: 1 } });
  expect(text("a")).toBe("old a");
  nothingBeside();
});

test("bytes that nobody has read are never put back, whatever a target says of itself", async () => {
  put("a", "old");
  linkSync(at("a"), at("b"));
  const { path, real, stat } = find("a") as FileTarget & { is: "file" };
  const emptied = { is: "file", path, real, stat, bytes: Buffer.alloc(0) };
  // The second of two new files of one name fails, and everything before it is taken back.
  const fails = [write(find("n"), "1"), write(find("n"), "2")];
  expect(await applySteps([write(emptied as unknown as FileTarget, "new"), ...fails])).toMatchObject({ ok: false });
  expect([text("a"), text("b")]).toEqual(["old", "old"]);
  // @ts-expect-error: a file with its bytes comes from the disk, and not out of pieces
  write(emptied, "new");
});

test("a file too large to be read is removed and comes back, and is not written where it has other names", async () => {
  put("a", "large");
  linkSync(at("a"), at("b"));
  const large = () => {
    const target = findAny(at("a"), 4);
    if (!target.ok || target.value.is !== "large") throw new Error("it was read");
    return target.value;
  };
  const fails = [write(find("n"), "1"), write(find("n"), "2")];
  expect(await applySteps([{ do: "remove", target: large() }, ...fails])).toMatchObject({ ok: false });
  expect([text("a"), text("b")]).toEqual(["large", "large"]);
  const replace: Step = { do: "write", target: large(), bytes: new Uint8Array(1) };
  expect(await applySteps([replace])).toMatchObject({ ok: false, refused: { kind: "large" } });
  expect(text("b")).toBe("large");
  expect(await applySteps([{ do: "remove", target: large() }])).toMatchObject({ ok: true });
});

test("what is not a regular file is answered at once", () => {
  mkdirSync(at("d"));
  expect(findTarget(at("d"))).toMatchObject({ ok: false, kind: "directory" });
  expect(findTarget("/dev/zero")).toMatchObject({ ok: false, kind: "special" });
  put("a", "12345");
  expect(findTarget(at("a"), 4)).toMatchObject({ ok: false, kind: "large" });
});

// Root keeps the bits through a write, so there the same is done as somebody else.
const users = process.getuid?.() === 0 ? [0, 65534] : [process.geteuid?.() ?? 0];
test.each(users)("every bit of a mode stays, also those that a write by user %i takes away", async (user) => {
  chmodSync(root, 0o777);
  try {
    process.seteuid?.(user);
    const modes = [0o4755, 0o2755, 0o1644, 0o6711, 0o640];
    const each = async () => {
      const kept: number[] = [];
      for (const mode of modes) {
        chmodSync(at("a"), mode);
        expect(await applySteps([write(find("a"), `mode ${mode}`)])).toEqual({ ok: true, applied: [{}] });
        kept.push(statSync(at("a")).mode & 0o7777);
      }
      return kept;
    };
    put("a", "old");
    expect(await each()).toEqual(modes);
    linkSync(at("a"), at("b"));
    for (const mode of [0o4755, 0o6711]) {
      chmodSync(at("a"), mode);
      expect(await applySteps([write(find("a"), `mode ${mode}`)])).toMatchObject({
        applied: [{ inPlace: "hard links" }],
      });
      expect(statSync(at("b")).mode & 0o7777).toBe(mode);
    }
  } finally {
    if (users.length > 1) process.seteuid?.(0);
  }
});

test("folders that were made for several files go with the last of them when the whole fails", async () => {
  const into = (name: string): Step => {
    const target = findAny(at(name));
    if (!target.ok) throw new Error(target.message);
    return { do: "write", target: target.value, bytes: Buffer.from(name) };
  };
  put("taken", "old");
  const stale = write(find("taken"), "new");
  put("taken", "somebody else's");
  const failed = await applySteps([into("d/e/one"), into("d/e/two"), into("d/three"), stale]);
  expect(failed).toMatchObject({ ok: false, refused: { at: 3, kind: "changed" } });
  expect(readdirSync(root)).toEqual(["taken"]);
  expect(text("taken")).toBe("somebody else's");
});
