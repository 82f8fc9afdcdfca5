// Files in great number and of great size, made once per run beside the project, and what the workloads over them
// share.
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "../packages/host/src/index.ts";
import type { Lab } from "./lab.ts";
import { loop } from "./turn.ts";
import type { Sample } from "./work.ts";

export const treeFiles = 50_000;
const largeLines = 1_000_000;

/** 50,000 files in 500 folders; every 2,500th holds the word `needle`. */
export function layTree(lab: Lab): string {
  const tree = join(lab.project, "..", "tree");
  if (existsSync(tree)) return tree;
  const filler = "export const value = { id: 1, name: 'item', enabled: true };\n".repeat(40);
  for (let n = 0; n < treeFiles; n++) {
    const folder = join(tree, `part-${n % 500}`);
    if (n < 500) mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `file-${n}.${n % 10 === 0 ? "md" : "ts"}`),
      n % 2500 === 0 ? `${filler}needle\n` : filler,
    );
  }
  return tree;
}

/** Writes a gigabyte in a million lines. */
export function layLarge(lab: Lab): string {
  const path = join(lab.project, "..", "large.log");
  if (existsSync(path)) return path;
  const fd = openSync(path, "w");
  const rest = "x".repeat(Math.floor(1024 ** 3 / largeLines) - 8);
  for (let n = 0; n < largeLines; n += 1000)
    writeSync(fd, Array.from({ length: 1000 }, (_, i) => `${String(n + i + 1).padStart(7, "0")}${rest}\n`).join(""));
  closeSync(fd);
  return path;
}

/** Calls a tool in a running session. */
export const called = (lab: Lab, tool: string, input: Record<string, string>, proof: string): Promise<Sample> =>
  loop(lab, "pith", { play: "calls", turns: 5, tool, input }, proof);

/** Runs a command as often; the median of its times. */
export async function commanded(command: readonly string[], proof: string): Promise<Sample> {
  const times: number[] = [];
  while (times.length < 5) {
    const began = performance.now();
    const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    const output = await new Response(child.stdout).text();
    await child.exited;
    times.push(performance.now() - began);
    if (!output.includes(proof)) throw new Error(`${command.join(" ")} did not print ${proof}`);
  }
  return { turn: times.sort((a, b) => a - b)[2] ?? 0 };
}

/** The ripgrep that pith runs. */
export async function ripgrep(): Promise<string> {
  const rg = await rgPath({ cacheDir: "/nowhere" });
  if (!rg.ok) throw new Error(rg.message);
  return rg.value;
}
