// Looks at a tree of 20,000 files, each in a process of its own. The floor looks at every file once.
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sameEntry } from "../../packages/host/src/imprint/change.ts";
import { Shadow } from "../../packages/host/src/imprint/shadow.ts";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Lab } from "../lab.ts";
import type { Sample, Work } from "../work.ts";

const folders = 400;
const perFolder = 50;

export default {
  title: `looks of undo at ${folders * perFolder} files`,
  pith: (lab) => measure(lab, "pith"),
  floor: (lab) => measure(lab, "floor"),
  measures: [
    { of: "next", title: "a further one, 10 files changed", unit: "ms", goal: { atMost: 150 } },
    { of: "fresh", title: "the first one of a later run", unit: "ms", goal: { atMost: 150 } },
    { of: "first", title: "the first one ever (in the background)", unit: "ms" },
    { of: "restore", title: "undo of 1,000 changed files", unit: "ms", goal: { atMost: 1000 } },
  ],
} satisfies Work;

async function measure(_: Lab, subject: "pith" | "floor"): Promise<Sample> {
  const child = Bun.spawn([process.execPath, import.meta.path, subject], { stdout: "pipe", stderr: "inherit" });
  const out = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${subject}: the tree was not looked at`);
  return JSON.parse(out) as Sample;
}

if (import.meta.main) {
  using dir = scratch();
  const root = dir.at("project");
  for (let d = 0; d < folders; d++) {
    mkdirSync(join(root, `d${d % 20}`, `e${d}`), { recursive: true });
    for (let f = 0; f < perFolder; f++)
      writeFileSync(join(root, `d${d % 20}`, `e${d}`, `file-${f}.ts`), `export const value = ${d * f};\n`.repeat(20));
  }
  // A file written just now cannot be trusted yet.
  await Bun.sleep(100);
  process.stdout.write(JSON.stringify(process.argv[2] === "pith" ? await looks(dir.path, root) : walks(root)));
}

async function looks(base: string, root: string): Promise<Sample> {
  const open = () =>
    new Shadow({
      dir: join(base, "store"),
      root,
      limits: { maxFile: 5e7, maxIgnored: 1e6, maxEntries: 200_000, maxBytes: 1e9 },
      env: { PATH: process.env.PATH },
      now: () => Date.now(),
      skip: [],
    });
  const look = async (shadow: Shadow) => {
    const seen = await shadow.look("now");
    if (!seen.ok) throw new Error(seen.why);
    return seen.changes?.list() ?? [];
  };
  const timed = async <T>(work: () => T | Promise<T>) => {
    const began = performance.now();
    const value = await work();
    return { value, ms: performance.now() - began };
  };
  const early = open();
  const first = await timed(() => look(early));
  early.save();
  const shadow = open();
  const fresh = await timed(() => look(shadow));
  for (let i = 0; i < 10; i++) writeFileSync(join(root, `d${i}`, `e${i}`, "file-1.ts"), `changed ${i}`);
  const next = await timed(() => look(shadow));
  for (let i = 0; i < 1000; i++)
    writeFileSync(join(root, `d${i % 20}`, `e${i % 400}`, `file-${Math.floor(i / 400)}.ts`), `again ${i}`);
  const differences = await look(shadow);
  const restore = await timed(() => {
    const left = shadow.restore(differences.map(({ path, before }) => ({ path, to: before })));
    if (differences.length !== 1000 || left.length > 0)
      throw new Error(`${differences.length} differences, ${left.length} left`);
  });
  const back = await look(shadow);
  if (back.some(({ path, after }, i) => !sameEntry(after, differences[i]?.before) || path !== differences[i]?.path))
    throw new Error("the tree is not as it was");
  return { first: first.ms, fresh: fresh.ms, next: next.ms, restore: restore.ms };
}

function walks(root: string): Sample {
  const began = performance.now();
  const walk = (dir: string) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.isDirectory()) walk(`${dir}/${entry.name}`);
      else lstatSync(`${dir}/${entry.name}`);
    }
  };
  walk(root);
  const ms = performance.now() - began;
  return { first: ms, fresh: ms, next: ms, restore: ms };
}
