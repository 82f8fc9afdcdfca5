import { codeOf, sleep } from "@pith/kit";
import { spawnSync } from "../platform.ts";
import type { Cgroup } from "./cgroup.ts";
import { children, childrenOf, hasVariable, type ProcessInfo, processes } from "./table.ts";

/** The processes of one command: those of its process group, of its control group, and those that carry its cookie. */
export interface ProcessTree {
  group: number;
  cgroup: Cgroup | undefined;
  /** `NAME=value` in the environment of all of them. */
  cookie: string;
  /** Where those go that lose their parent: to us, or out of sight. */
  orphans: "ours" | "lost";
  /** Behind a wall: who waits for the command and ends all of it by going, and the first process inside. */
  sandboxed?: { keeper: number; first(): number | undefined };
}

/** Whether anything of it lives after its shell has ended. Looks at every process only where nothing less will do. */
export function leftovers(tree: ProcessTree): "none" | "some" {
  // Whoever loses its parent there becomes a child of the first process, which stays until it has none.
  const first = tree.sandboxed?.first();
  if (first !== undefined) return childrenOf(first).length === 0 ? "none" : "some";
  // A control group holds the process group too, and is asked without reading the process table.
  if (tree.cgroup) return tree.cgroup.empty() ? "none" : "some";
  if (signalGroup(tree.group, 0) && (!table || members(tree).length > 0)) return "some";
  const near = tree.orphans === "ours" ? children() : processes();
  return near.some(({ pid }) => hasVariable(pid, tree.cookie)) ? "some" : "none";
}

/**
 * Ends all of it: asks first, then kills until nobody is left. About half a second for each way of asking, unless
 * something cannot be killed. The next way waits, for it would hit what a trap of theirs runs.
 */
export async function endTree(tree: ProcessTree, asking: readonly NodeJS.Signals[] = ["SIGTERM"]): Promise<void> {
  for (const name of asking) {
    const { sandboxed: walled } = tree;
    if (!walled) signalGroup(tree.group, name);
    for (const { pid, group } of members(tree))
      if (walled ? pid !== walled.keeper && pid !== walled.first() : group !== tree.group) signal(pid, name);
    for (const wait of patience) {
      await sleep(wait);
      if (leftovers(tree) === "none") return;
    }
  }
  for (let round = 0; round < rounds && leftovers(tree) === "some"; round++) {
    killTree(tree);
    await sleep(Math.min(50, 5 * (round + 1)));
  }
}

/** At once, for when there is no time to ask. */
export function killTree(tree: ProcessTree): void {
  if (process.platform === "win32") spawnSync(windowsKill(tree.group));
  signalGroup(tree.group, "SIGKILL");
  tree.cgroup?.kill();
  for (const { pid } of members(tree)) signal(pid, "SIGKILL");
}

/** All that live. Without a reaping init (in most containers) the dead stay in their group: a zombie does not count. */
export function members({ group, cgroup, cookie }: ProcessTree): ProcessInfo[] {
  const inside = new Set(cgroup?.members());
  return processes().filter(
    (running) =>
      running.state !== "Z" &&
      (running.group === group || inside.has(running.pid) || (!cgroup && hasVariable(running.pid, cookie))),
  );
}

/** Windows has no groups that could be signalled, but a program that ends a process with all its children. */
export const windowsKill = (pid: number): string[] => ["taskkill", "/PID", String(pid), "/T", "/F"];

/** Elsewhere the system only says whether a group exists. */
const table = process.platform === "linux";

/** False when the group does not exist (any more). */
function signalGroup(id: number, name: NodeJS.Signals | 0): boolean {
  return signal(-id, name);
}

function signal(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(id, name);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== "ESRCH";
  }
}

const patience = [2, 5, 10, 20, 40, 80, 150, 200];
const rounds = 40;
