// A patch of 200 hunks on a file of 20,000 lines, planned and applied. The floor reads the file and writes it back.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runPatch } from "../../packages/coder/src/edit/apply-patch/run.ts";
import { place } from "../../packages/coder/src/edit/draft/place.ts";
import { openFiles } from "../../packages/coder/src/files/files.ts";
import { planHashline } from "../../packages/coder/src/part/files/edit/hashline/plan.ts";
import { Snapshots } from "../../packages/coder/src/snapshot/snapshot.ts";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Work } from "../work.ts";

const line = (n: number) =>
  `export const value${n} = compute(${n}, "some text that makes the line as long as lines are");\n`;
const text = Array.from({ length: 20_000 }, (_, i) => line(i + 1)).join("");
const spots = Array.from({ length: 200 }, (_, i) => i * 100 + 50);

function patch(): string {
  const hunk = (n: number) =>
    [
      "@@",
      ` ${line(n - 1).trimEnd()}`,
      `-${line(n).trimEnd()}`,
      `+changed ${n}`,
      "+and more",
      ` ${line(n + 1).trimEnd()}`,
    ].join("\n");
  return ["*** Begin Patch", "*** Update File: big.ts", ...spots.map(hunk), "*** End Patch"].join("\n");
}

async function timed(work: (dir: string) => Promise<unknown>): Promise<number> {
  using dir = scratch();
  dir.write({ "big.ts": text });
  const began = performance.now();
  await work(dir.path);
  return performance.now() - began;
}

const editing = (dir: string) => ({
  files: openFiles({ cwd: dir, userHome: dir, cacheDir: dir, path: undefined }),
  resolve: (name: string) => resolve(dir, name),
  snapshots: new Snapshots(undefined),
  generated: "refuse" as const,
});

export default {
  title: "a patch of 200 hunks on a file of 20,000 lines",
  async pith() {
    const input = patch();
    const patched = await timed(async (dir) => {
      const done = await runPatch({ ...editing(dir), apply: "each", finalNewline: "add" }, input);
      if ("message" in done || done.files[0]?.change.added !== 400) throw new Error("the patch was not applied");
    });
    const anchored = await timed(async (dir) => {
      const here = editing(dir);
      const header = `[big.ts#${here.snapshots.mint(join(dir, "big.ts"), text)}]`;
      const plan = await planHashline(
        here,
        [header, ...spots.map((n) => `replace ${n}..${n}:\n+changed ${n}\n+and more`)].join("\n"),
      );
      const done = plan.ok ? await place(here, plan.value.drafts) : plan;
      if (!done.ok) throw new Error(done.message);
    });
    return { patched, anchored };
  },
  async floor() {
    const once = await timed(async (dir) => {
      const content = readFileSync(join(dir, "big.ts"), "utf8").split("\n").join("\n");
      writeFileSync(join(dir, "new"), content);
      renameSync(join(dir, "new"), join(dir, "big.ts"));
    });
    return { patched: once, anchored: once };
  },
  measures: [
    { of: "patched", title: "apply_patch", unit: "ms", goal: { atMost: 50 } },
    { of: "anchored", title: "hashline", unit: "ms", goal: { atMost: 50 } },
  ],
} satisfies Work;
