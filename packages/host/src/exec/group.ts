import { readdirSync, readFileSync } from "node:fs";
import { codeOf, sleep } from "@pith/kit";

/** Ends a whole process group: asks first, then kills. Says whether there was anything to end; takes about half a second at most. */
export async function endGroup(id: number): Promise<"gone" | "ended"> {
  if (!signalGroup(id, "SIGTERM")) return "gone";
  for (const wait of patience) {
    await sleep(wait);
    if (!isAlive(id)) return "ended";
  }
  signalGroup(id, "SIGKILL");
  await sleep(5);
  return "ended";
}

/** False when the group does not exist (any more). */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-id, signal);
    return true;
  } catch (thrown) {
    return codeOf(thrown) !== "ESRCH";
  }
}

const patience = [2, 5, 10, 20, 40, 80, 150, 200];

/** Without a reaping init (in most containers) the dead stay in their group: a zombie does not count. */
function isAlive(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((name) => {
    try {
      // pid (name) state parent group …; the name may hold anything, even a parenthesis.
      const [state, , pgrp] = /^\d/.test(name) ? afterName(readFileSync(`/proc/${name}/stat`, "latin1")) : [];
      return pgrp === String(group) && state !== "Z";
    } catch {
      return false;
    }
  });
}

const afterName = (stat: string): string[] => stat.slice(stat.lastIndexOf(")") + 2).split(" ");
