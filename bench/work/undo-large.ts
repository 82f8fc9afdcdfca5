// Turns with a command that writes, in a project of 100,000 files that git tracks, against the same in an empty one:
// what undo adds. Each run has a store of its own; the store is compared with the files.
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sumOf } from "../../packages/kit/src/index.ts";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Lab } from "../lab.ts";
import { argsFor } from "../turn.ts";
import type { Sample, Work } from "../work.ts";

const files = 100_000;
const perFolder = 20;
const turns = 7;

/** Lays the project out once, everything in one pack; the times of files are those of an old project. */
function layOut(lab: Lab): string {
  const root = join(lab.project, "..", "large");
  for (let n = 0; n < files; n += perFolder) {
    const folder = join(root, `part-${n % 50}`, `src-${n}`);
    if (n === 0 && !mkdirSync(folder, { recursive: true })) return root;
    mkdirSync(folder, { recursive: true });
    for (let f = 0; f < perFolder; f++) {
      const file = join(folder, `file-${f}.ts`);
      writeFileSync(file, `export const value${n + f} = ${f};\n`.repeat(10 + ((n + f) % 90)));
      utimesSync(file, 1_700_000_000, 1_700_000_000);
    }
  }
  const git = (...argv: string[]) => {
    const named = ["-c", "user.name=x", "-c", "user.email=x", "-c", "gc.auto=0"];
    const ran = Bun.spawnSync(["git", "-C", root, ...named, ...argv], { stdout: "ignore", stderr: "pipe" });
    if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
  };
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "all of it");
  git("gc", "-q");
  return root;
}

/** Milliseconds from an answer to the next request: of the first turn, and the median of the others. */
async function gaps(lab: Lab, cwd: string, home: string): Promise<{ first: number; later: number }> {
  const scene = { play: "calls", turns, tool: "bash", input: { command: "date > made.txt" } } as const;
  const run = await lab.start("pith", [...argsFor("pith", "go on"), "--cwd", cwd], scene, { PITH_HOME: home });
  if (run.seen.at(-1)?.results !== turns) throw new Error(`the commands did not run: ${run.output}`);
  const [first = 0, ...others] = run.seen.slice(1).map((it, i) => it.arrived - (run.seen[i]?.answered ?? 0));
  return { first, later: others.sort((a, b) => a - b)[others.length >> 1] ?? 0 };
}

const bytesBelow = (folder: string): number =>
  sumOf(readdirSync(folder, { recursive: true, withFileTypes: true }), (entry) =>
    entry.isFile() && !entry.parentPath.includes("/.git") ? statSync(join(entry.parentPath, entry.name)).size : 0,
  );

async function measure(lab: Lab): Promise<Sample> {
  using folder = scratch();
  const [large, empty, home] = [layOut(lab), folder.at("empty"), folder.at("home")];
  mkdirSync(empty);
  const there = await gaps(lab, large, home);
  const here = await gaps(lab, empty, folder.at("other"));
  const stores = sumOf(readdirSync(join(home, "undo")), (name) => bytesBelow(join(home, "undo", name)));
  const share = (100 * stores) / bytesBelow(large);
  return { first: there.first - here.first, later: there.later - here.later, store: share };
}

export default {
  title: `a command that writes, in ${files} files of git: what that adds to an empty project`,
  heavy: true,
  pith: measure,
  floor: async () => ({ first: 0, later: 0, store: 0 }),
  measures: [
    { of: "first", title: "first turn, which the first look has to end before", unit: "ms", goal: { atMost: 300 } },
    { of: "later", title: "a later turn", unit: "ms", goal: { atMost: 30 } },
    { of: "store", title: "store, of the files", unit: "%", goal: { atMost: 5 } },
  ],
} satisfies Work;
