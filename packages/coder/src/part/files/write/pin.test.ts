import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isOutcome, openArtifacts } from "@pith/agent";
import { readMember } from "@pith/host";
import { Snapshots } from "../../../snapshot/snapshot.ts";
import { filesIn } from "../../../test/files.ts";
import { intentOf, runTool } from "../../../test/run.ts";
import { Conflicts } from "../../../url/conflicts.ts";
import { findRegions } from "../../../url/marker.ts";
import { Router } from "../../../url/router.ts";
import { write } from "./write.ts";

const call = { id: "1", signal: new AbortController().signal, progress() {} };
const shop = join(import.meta.dir, "../../../../../../test/data/files/shop.db");
const pack = join(import.meta.dir, "../../../../../../test/data/files/pack.zip");
const merge = "top\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\nend\n";
const far = Array.from({ length: 40 }, (_, i) => `${i + 1}\n`).join("");

let top = "";
let cwd = "";
let conflicts = new Conflicts();
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "pith-write-intent-")));
  cwd = join(top, "project");
  for (const dir of ["project/d", "outside/d", "session/local/d"]) mkdirSync(join(top, dir), { recursive: true });
  conflicts = new Conflicts();
});
afterEach(() => rmSync(top, { recursive: true }));

const tool = () =>
  write({
    files: filesIn(cwd),
    snapshots: new Snapshots(undefined),
    clock: { now: () => 1_700_000_000_000 },
    urls: new Router({
      artifacts: openArtifacts(undefined),
      sessionDir: join(top, "session"),
      project: cwd,
      home: join(top, "home"),
      conflicts,
    }),
    display: "plain",
    generated: "refuse",
  });

/** The content that a call writes, and the file before it. */
const targets: Record<string, { path: string; file: string; content: string; make(at: string): void }> = {
  "a plain file": { path: "d/f.txt", file: "project/d/f.txt", content: "new\n", make: (at) => writeFileSync(at, far) },
  "a new file": { path: "d/n.txt", file: "project/d/n.txt", content: "new\n", make() {} },
  "a notebook": {
    path: "d/n.ipynb",
    file: "project/d/n.ipynb",
    content: "# %% [code] cell:0\n1\n",
    make: (at) => writeFileSync(at, '{"cells": []}'),
  },
  "an archive": { path: "d/a.zip:x", file: "project/d/a.zip", content: "new", make: (at) => copyFileSync(pack, at) },
  "a new archive": { path: "d/n.tar.gz:x", file: "project/d/n.tar.gz", content: "new", make() {} },
  "a database": {
    path: "d/s.db:item",
    file: "project/d/s.db",
    content: "{name: 'new'}",
    make: (at) => copyFileSync(shop, at),
  },
  "a new database": { path: "d/n.db", file: "project/d/n.db", content: "CREATE TABLE t (a);", make() {} },
  "a conflict": {
    path: "conflict://1",
    file: "project/d/m.txt",
    content: "@ours",
    make(at) {
      writeFileSync(at, merge);
      conflicts.record(at, findRegions(merge));
    },
  },
  "an internal address": { path: "local://d/x.md", file: "session/local/d/x.md", content: "new", make() {} },
};

describe.each(Object.keys(targets))("%s", (name) => {
  const { path, file, content, make } = targets[name] as (typeof targets)[string];
  const prepared = async () => {
    make(join(top, file));
    return intentOf(tool(), { path, content });
  };
  const bytesAt = (at: string) => (existsSync(at) ? readFileSync(at).toString("latin1") : undefined);

  test("is told as what is written, and nothing is written before it runs", async () => {
    const intent = await prepared();
    const before = bytesAt(join(top, file));
    expect(intent.paths).toEqual([{ effect: "write", path: join(top, file), real: join(top, file) }]);
    await intent.changes?.();
    expect(bytesAt(join(top, file))).toBe(before);
    expect((await intent.run(call)).failed).toBeUndefined();
    expect(bytesAt(join(top, file))).not.toBe(before);
  });

  test.each(["the file", "its directory"])("is not written elsewhere when %s has become a link", async (what) => {
    const intent = await prepared();
    const before = bytesAt(join(top, file));
    const elsewhere = join(top, "outside/d", file.split("/").at(-1) ?? "");
    const away = what === "the file" ? join(top, file) : dirname(join(top, file));
    if (existsSync(join(top, file))) copyFileSync(join(top, file), elsewhere);
    if (existsSync(away)) renameSync(away, `${away}.was`);
    symlinkSync(what === "the file" ? elsewhere : join(top, "outside/d"), away);
    expect(await intent.run(call)).toMatchObject({ failed: true });
    expect(bytesAt(elsewhere)).toBe(before);
  });

  test("is not written when another file stands there by now", async () => {
    const intent = await prepared();
    const at = join(top, file);
    if (existsSync(at)) renameSync(at, `${at}.was`);
    writeFileSync(at, "somebody's");
    expect(await intent.run(call)).toMatchObject({ failed: true });
    expect(readFileSync(at, "utf8")).toBe("somebody's");
  });
});

test("a name with @ means one file, whatever is made or deleted in between", async () => {
  mkdirSync(join(cwd, "@", top, "outside"), { recursive: true });
  writeFileSync(join(cwd, "@", top, "outside/x"), "inner");
  const { paths } = await intentOf(tool(), { path: `@${top}/outside/x`, content: "new" });
  expect(paths).toMatchObject([{ real: join(top, "outside/x") }]);
  await runTool(tool(), { path: `./@${top}/outside/x`, content: "new" }, call);
  expect(existsSync(join(top, "outside/x"))).toBe(false);
  expect(readFileSync(join(cwd, "@", top, "outside/x"), "utf8")).toBe("new");
});

test("a conflict outside is a write outside, and one from a broken record is none", async () => {
  const at = join(top, "outside/m.txt");
  writeFileSync(at, merge);
  mkdirSync(join(top, "kept"));
  const region = findRegions(merge)[0];
  writeFileSync(join(top, "kept/conflicts.json"), JSON.stringify([null, 7, { id: 1, path: "m.txt", region }, {}]));
  conflicts = new Conflicts(() => join(top, "kept"));
  expect(conflicts.all()).toEqual([]);
  conflicts.record(at, findRegions(merge));
  expect((await intentOf(tool(), { path: "conflict://1", content: "@ours" })).paths).toMatchObject([
    { effect: "write", real: at },
  ]);
});

test("two conflicts that read the same are both decided, each in its place", async () => {
  const at = join(cwd, "twice.txt");
  writeFileSync(at, merge + merge);
  conflicts.record(at, findRegions(merge + merge));
  await runTool(tool(), { path: "conflict://*", content: "@ours" }, call);
  expect(readFileSync(at, "utf8")).toBe("top\nours\nend\n".repeat(2));
});

describe("refused hunks", () => {
  const changed = far.replace("\n2\n", "\ntwo\n").replace("\n38\n", "\nlast\n");
  const without = async (path: string, names: string[], content = changed) => {
    const left = await tool().prepare({ path, content }, { signal: call.signal, without: names });
    return isOutcome(left) ? left : left.run(call);
  };

  test("of a file are left as they were", async () => {
    writeFileSync(join(cwd, "f.txt"), far);
    expect((await without("f.txt", ["f.txt:2"])).meta?.notes).toContain(
      "The user refused 1 hunk of this edit (f.txt:2); the rest was made.",
    );
    expect(readFileSync(join(cwd, "f.txt"), "utf8")).toBe(far.replace("\n2\n", "\ntwo\n"));
    expect(await without("new.txt", ["new.txt:1"])).toMatchObject({ failed: true });
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
  });

  test("of a file of an archive are left as they were", async () => {
    await without("a.zip:f.txt", [], far);
    await without("a.zip:f.txt", ["a.zip:f.txt:1"]);
    const member = await readMember(join(cwd, "a.zip"), "f.txt", 1 << 20, call.signal);
    expect(member.ok && member.value.toString()).toBe(far.replace("\n38\n", "\nlast\n"));
    expect(await without("a.zip:f.txt", ["a.zip:f.txt:1"])).toMatchObject({ failed: true });
  });

  test("of a conflict keep the markers", async () => {
    const at = join(cwd, "m.txt");
    writeFileSync(at, merge + far + merge);
    conflicts.record(at, findRegions(merge + far + merge));
    await without("conflict://*", ["m.txt:1"], "@ours");
    expect(readFileSync(at, "utf8")).toBe(`${merge}${far}top\nours\nend\n`);
  });
});
