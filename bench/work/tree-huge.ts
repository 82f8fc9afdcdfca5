// Working in a repository of 200,000 files, against one of 51: the first request, and a turn of reading.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab } from "../lab.ts";
import { argsFor } from "../turn.ts";
import type { Sample, Work } from "../work.ts";

const files = 200_000;

function layOut(lab: Lab): string {
  const root = join(lab.project, "..", "huge-tree");
  if (existsSync(root)) return root;
  for (let n = 0; n < files; n++) {
    const folder = join(root, `part-${n % 40}`, `src-${n % 4000}`);
    if (n < 4000) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${n}.ts`), `export const value = ${n};\n`);
  }
  if (Bun.which("git")) Bun.spawnSync(["git", "init", "-q", root]);
  return root;
}

async function measure(lab: Lab, cwd: string): Promise<Sample> {
  const scene = {
    play: "calls",
    turns: 3,
    tool: "read",
    input: { path: join(lab.project, "src", "file-{n}.ts") },
  } as const;
  const run = await lab.start("pith", [...argsFor("pith", "read them"), "--cwd", cwd], scene);
  const [first] = run.seen;
  if (!first || run.seen.at(-1)?.results !== 3) throw new Error(`the files were not read: ${run.output}`);
  const gaps = run.seen.slice(1).map((it, i) => it.arrived - (run.seen[i]?.answered ?? 0));
  return { request: first.arrived - run.began, turn: gaps.sort((a, b) => a - b)[1] ?? Number.NaN, rss: run.peakMb };
}

export default {
  title: `a repository of ${files.toLocaleString("en-US")} files (floor: one of 51)`,
  heavy: true,
  pith: (lab) => measure(lab, layOut(lab)),
  floor: (lab) => measure(lab, lab.project),
  measures: [
    { of: "request", title: "start to first request", unit: "ms", goal: { timesFloor: 1.3 } },
    { of: "turn", title: "a turn that reads", unit: "ms", goal: { timesFloor: 1.3 } },
    { of: "rss", title: "peak memory", unit: "MB", goal: { timesFloor: 1.3 } },
  ],
} satisfies Work;
