// Somebody swaps a folder of the project for a link to a place outside, and back, as fast as the machine can, while
// pith reads and writes in it. Whatever succeeds, succeeds inside.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AnyTarget,
  applySteps,
  changeRow,
  findAny,
  findTarget,
  makeDatabase,
  readMember,
  readPage,
  readWhole,
  restoreAll,
  select,
  writeMember,
  writeTo,
} from "../../packages/host/src/index.ts";
import { isInside, realPath } from "../../packages/kit/src/index.ts";
import { root } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { type Flipper, flip } from "./flip.ts";

const { signal } = new AbortController();
const shop = join(root, "test/data/files/shop.db");
const pack = join(root, "test/data/files/pack.zip");
const seconds = 1.5;

/** The same files in the folder and outside, where they are secret. */
function fill(dir: Scratch): void {
  for (const place of ["work/d", "out"]) {
    const text = place === "out" ? "secret\n" : "inside\n";
    rmSync(dir.at(place), { recursive: true, force: true });
    mkdirSync(dir.at(place, "sub"), { recursive: true });
    for (const name of ["edit.txt", "remove.txt", "hard.txt", "n.ipynb"])
      writeFileSync(dir.at(place, "sub", name), text);
    copyFileSync(shop, dir.at(place, "sub", "s.db"));
    copyFileSync(pack, dir.at(place, "sub", "a.zip"));
  }
  rmSync(dir.at("work/l"), { force: true });
  symlinkSync(dir.at("out"), dir.at("work/l"));
}

/** All that stands outside, so that two looks can be compared. */
function picture(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${entry.isFile() ? Bun.hash(readFileSync(path)) : ""}`;
    })
    .sort();
}

const bytes = Buffer.from("written\n");
/** Ways to write to a target that was judged to be inside; `n` counts the rounds. */
const writers: Record<string, { name(n: number): string; run(target: AnyTarget): Promise<{ ok: boolean }> }> = {
  "a new file": { name: (n) => `sub/new-${n}.txt`, run: (target) => writeTo(target, bytes) },
  "new folders": { name: (n) => `sub/f${n}/g/h/new.txt`, run: (target) => writeTo(target, bytes) },
  "a file": { name: () => "sub/edit.txt", run: (target) => writeTo(target, bytes) },
  "a file with two changes": {
    name: () => "sub/edit.txt",
    async run(target) {
      const other = findTarget(join(target.path, "..", "n.ipynb"));
      if (!other.ok || !isInside(join(target.path, "../../.."), other.value.real)) return { ok: false };
      const write = (at: AnyTarget) => ({ do: "write" as const, target: at, bytes });
      return applySteps([write(target), write(other.value)]);
    },
  },
  "a file that goes": { name: () => "sub/remove.txt", run: (target) => applySteps([{ do: "remove", target }]) },
  "an archive": {
    name: () => "sub/a.zip",
    run: (target) => writeMember(target, { name: "x.txt", bytes, changed: 0 }),
  },
  "a new archive": {
    name: (n) => `sub/new-${n}.tar.gz`,
    run: (target) => writeMember(target, { name: "x.txt", bytes, changed: 0 }),
  },
  "a row": {
    name: () => "sub/s.db",
    run: (target) => changeRow(target, "item", { do: "update", key: "1", values: { name: "written" } }, signal),
  },
  "a new database": {
    name: (n) => `sub/new-${n}.db`,
    run: (target) => makeDatabase(target, "CREATE TABLE t (a);", signal),
  },
};

const readers: Record<string, { name: string; run(real: string): Promise<unknown> }> = {
  "a file": { name: "sub/edit.txt", run: async (real) => readWhole(real) },
  "a page": { name: "sub/edit.txt", run: (real) => readPage(real, { from: 1, maxLines: 9, maxBytes: 999 }) },
  "a file to change": {
    name: "sub/edit.txt",
    async run(real) {
      const target = findTarget(real);
      return target.ok && target.value.is === "file" && target.value.real === real ? target.value.bytes : "";
    },
  },
  "a member": { name: "sub/a.zip", run: (real) => readMember(real, "x.txt", 999, signal) },
  "a table": { name: "sub/s.db", run: (real) => select(real, "SELECT name FROM item WHERE id = 1", [], 1, signal) },
};

describe.skipIf(process.platform !== "linux")("while a folder is swapped for a link", () => {
  const dir = scratch(afterAll);
  let flipper: Flipper | undefined;
  const settled = async () => {
    await flipper?.stop();
    rmSync(dir.at("work"), { recursive: true, force: true });
    fill(dir);
    flipper = await flip(dir);
    expect(flipper.flips).toBe("yes");
  };
  beforeAll(() => mkdirSync(dir.at("work")));

  test.each(Object.keys(writers))(
    "%s is written inside or not at all",
    async (what) => {
      const { name, run } = writers[what] as (typeof writers)[string];
      await settled();
      const before = picture(dir.at("out"));
      const seen = { done: 0, refused: 0 };
      const end = performance.now() + seconds * 1000;
      for (let n = 0; performance.now() < end; n++) {
        const target = findAny(
          dir.at("work", "d", name(n)),
          what.includes("archive") || what === "a row" ? 0 : undefined,
        );
        if (!target.ok || !isInside(dir.at("work"), target.value.real)) continue;
        seen[(await run(target.value)).ok ? "done" : "refused"]++;
        if (what === "a file that goes" && n % 50 === 0) await settled();
      }
      await flipper?.stop();
      expect(picture(dir.at("out"))).toEqual(before);
      expect(seen.refused).toBeGreaterThan(0);
    },
    60_000,
  );

  test.each(Object.keys(readers))(
    "%s is read inside or not at all",
    async (what) => {
      const { name, run } = readers[what] as (typeof readers)[string];
      await settled();
      const outside = what === "a table" ? "outside" : "secret";
      if (what === "a member")
        await writeMember(dir.at("out/sub/a.zip"), { name: "x.txt", bytes: Buffer.from(outside), changed: 0 });
      if (what === "a table")
        await changeRow(dir.at("out/sub/s.db"), "item", { do: "update", key: "1", values: { name: outside } }, signal);
      const end = performance.now() + seconds * 1000;
      while (performance.now() < end) {
        const real = realPath(dir.at("work", "d", name));
        if (!isInside(dir.at("work"), real)) continue;
        // Bytes stand there as numbers.
        const said = JSON.stringify(await run(real)) ?? "";
        expect(said).not.toContain(outside);
        expect(said).not.toContain([...Buffer.from(outside)].join(","));
      }
    },
    60_000,
  );

  test("what undo takes back is taken back inside or not at all", async () => {
    await settled();
    const before = picture(dir.at("out"));
    const contents = { get: () => bytes };
    const file = { is: "file", mode: 0o644, id: "x" } as const;
    const restored = [
      { path: "d/sub/edit.txt", to: file },
      { path: "d/sub/hard.txt", to: undefined },
      { path: "d/sub/link", to: { is: "link", id: "x" } as const },
      { path: "d/sub/new", to: { is: "dir", mode: 0o700 } as const },
      { path: "d/sub/new/a.txt", to: file },
    ];
    const end = performance.now() + seconds * 1000;
    let refused = 0;
    for (let n = 0; performance.now() < end; n++) {
      const moved = restored.map(({ path, to }) => ({ path: path.replace("new", `new-${n}`), to }));
      refused += restoreAll(dir.at("work"), contents, moved).length;
    }
    await flipper?.stop();
    expect(picture(dir.at("out"))).toEqual(before);
    expect(refused).toBeGreaterThan(0);
  }, 60_000);

  test("pith in mode write leaves everything outside as it is", async () => {
    await settled();
    const before = picture(dir.at("out"));
    const at = (name: string, content: string) => ({ tool: "write", input: { path: `d/sub/${name}`, content } });
    const turns = Array.from({ length: 12 }, (_, n) => ({
      calls: [
        at(`new-${n}.txt`, "x"),
        at(`f${n}/g/new.txt`, "x"),
        at("edit.txt", `${n}`),
        at(`a.zip:${n}.txt`, "x"),
        at("s.db:item", "{name: 'x'}"),
        at(`new-${n}.db`, "CREATE TABLE t (a);"),
        at(`n${n}.ipynb`, "# %% [code] cell:0\n1\n"),
        { tool: "read", input: { path: "d/sub/edit.txt" } },
      ],
    }));
    dir.write({ "quiet.yml": "loop:\n  mode: off\n" });
    const quiet = ["--approval", "write", "--config", dir.at("quiet.yml")];
    const { out } = await pith(dir, ["-p", "go", ...quiet, ...scripted(dir, ...turns, { text: "done" })]);
    expect(out).toContain("done");
    await flipper?.stop();
    expect(picture(dir.at("out"))).toEqual(before);
  }, 60_000);
});
