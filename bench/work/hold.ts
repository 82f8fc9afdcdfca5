// A file is found, compared and replaced, by each way of holding its folder. The floor writes it beside and renames it.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { chooseWay, findTarget, writeTo } from "../../packages/host/src/index.ts";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Work } from "../work.ts";

const edits = 300;
const rounds = 5;
const bytes = Buffer.from("const value = 1;\n".repeat(100));

export default {
  title: `${edits} files replaced, by each way of holding folders`,
  async pith() {
    // In turns, so that whatever else the machine does meets all of them.
    const times = { at: [] as number[], proc: [] as number[], path: [] as number[] };
    const first = Number(await run("first"));
    for (let n = 0; n < rounds; n++) for (const way of ["at", "proc", "path"] as const) times[way].push(await run(way));
    const least = (way: keyof typeof times) => Math.min(...times[way]);
    const [at, proc, path] = [least("at"), least("proc"), least("path")];
    return { at, proc, path, first, share: (at / proc) * 100 };
  },
  async floor() {
    const time = await run("floor");
    return { at: time, proc: time, path: time, first: time, share: 100 };
  },
  measures: [
    { of: "at", title: "by calls of the C library", unit: "µs" },
    { of: "proc", title: "by /proc", unit: "µs" },
    { of: "path", title: "by paths", unit: "µs" },
    { of: "share", title: "the first of these, of the second", unit: "%", goal: { atMost: 100 } },
    { of: "first", title: "the first change, which loads the C library", unit: "µs" },
  ],
} satisfies Work;

async function run(way: string): Promise<number> {
  const child = Bun.spawn([process.execPath, import.meta.path, way], { stdout: "pipe", stderr: "inherit" });
  const out = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${way}: files were not replaced`);
  return Number(out);
}

/** Time of this process, in microseconds: others who use the machine do not count. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

if (import.meta.main) {
  using dir = scratch();
  dir.write({ "a/b/c/file.txt": "before" });
  const path = dir.at("a/b/c/file.txt");
  const [way = ""] = process.argv.slice(2);
  const replace = way === "floor" ? plainly : withHold;
  chooseWay(way === "floor" || way === "first" ? "at" : way);
  if (way !== "first") for (let n = 0; n < edits; n++) await replace(path);
  const began = spent();
  const count = way === "first" ? 1 : edits;
  for (let n = 0; n < count; n++) await replace(path);
  process.stdout.write(String((spent() - began) / count));
}

async function withHold(path: string): Promise<void> {
  const target = findTarget(path);
  if (!target.ok || !(await writeTo(target.value, bytes)).ok) throw new Error("not written");
}

async function plainly(path: string): Promise<void> {
  const fd = openSync(`${path}.new`, "w");
  writeSync(fd, bytes);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(`${path}.new`, path);
}
