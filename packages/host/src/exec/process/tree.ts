import { codeOf, sleep } from "@pith/kit";
import { spawnSync } from "../platform.ts";
import type { Cgroup } from "./cgroup.ts";
import type { ProcessInfo } from "./info.ts";
import { childrenOf, hasVariable, ownChildren, processes } from "./table.ts";

/** The processes of one command, found by process group, by control group and by a variable of their environment. */
export interface ProcessTree {
  group: number;
  cgroup: Cgroup | undefined;
  /** `NAME=value` in the environment of every process of the command. */
  variable: string;
  /** The new parent of orphans: this process, or one out of sight. */
  orphans: "ours" | "lost";
  /** In a sandbox: the process whose end ends the whole sandbox, and the first process inside. */
  sandboxed?: { keeper: number; first(): number | undefined };
}

/** Looks for living processes after the shell has ended. Reads the process table only if nothing less will do. */
export function leftovers(tree: ProcessTree): "none" | "some" {
  // Inside a sandbox orphans become children of the first process, which stays until it has none.
  const first = tree.sandboxed?.first();
  if (first !== undefined) return childrenOf(first).length === 0 ? "none" : "some";
  // A control group contains the process group too, and answers without the process table.
  if (tree.cgroup) return tree.cgroup.empty() ? "none" : "some";
  if (signal(-tree.group, 0) && (process.platform !== "linux" || members(tree).length > 0)) return "some";
  const near = tree.orphans === "ours" ? ownChildren() : processes();
  return near.some(({ pid }) => hasVariable(pid, tree.variable)) ? "some" : "none";
}

/**
 * Ends the tree: sends each signal of `asking`, then kills until no process is left. About half a second for each
 * signal, unless a process cannot be killed. Signals go one after the other: the next would hit what a trap runs.
 */
export async function endTree(tree: ProcessTree, asking: readonly NodeJS.Signals[] = ["SIGTERM"]): Promise<void> {
  for (const name of asking) {
    const { sandboxed } = tree;
    if (!sandboxed) signal(-tree.group, name);
    for (const { pid, group } of members(tree))
      if (sandboxed ? pid !== sandboxed.keeper && pid !== sandboxed.first() : group !== tree.group) signal(pid, name);
    for (const wait of waitsMs) {
      await sleep(wait);
      if (leftovers(tree) === "none") return;
    }
  }
  for (let round = 0; round < maxRounds && leftovers(tree) === "some"; round++) {
    killTree(tree);
    await sleep(Math.min(50, 5 * (round + 1)));
  }
}

/** Kills the tree at once, for when there is no time to ask. */
export function killTree(tree: ProcessTree): void {
  if (process.platform === "win32") spawnSync(windowsKill(tree.group));
  signal(-tree.group, "SIGKILL");
  tree.cgroup?.kill();
  for (const { pid } of members(tree)) signal(pid, "SIGKILL");
}

/** The living processes of the tree. Zombies do not count: without a reaping init they stay in their group for ever. */
export function members({ group, cgroup, variable }: ProcessTree): ProcessInfo[] {
  const inside = new Set(cgroup?.members());
  return processes().filter(
    (running) =>
      running.state !== "Z" &&
      (running.group === group || inside.has(running.pid) || (!cgroup && hasVariable(running.pid, variable))),
  );
}

/** The command that ends a process with all its children on Windows, which has no process groups to signal. */
export const windowsKill = (pid: number): string[] => ["taskkill", "/PID", String(pid), "/T", "/F"];

/** False if there is no such process, or process group for a negative id. */
function signal(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(id, name);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== "ESRCH";
  }
}

const waitsMs = [2, 5, 10, 20, 40, 80, 150, 200];
const maxRounds = 40;
