import { readdirSync, readFileSync } from "node:fs";
import { sleep } from "../abort.ts";

/**
 * Waits for a state instead of a time: a quick machine is not held up, a busy one is not failed. The limit is only
 * there so that a state that never comes is told by its name.
 */
export async function until(holds: () => boolean, what: string, ms = 60_000): Promise<void> {
  for (const end = performance.now() + ms; !holds(); ) {
    if (performance.now() > end) throw new Error(`waited too long for ${what}`);
    await sleep(5);
  }
}

/** Milliseconds of the processor since `before`: what a busy machine adds to the clock on the wall is not in it. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Bytes this process has asked the system to read so far; 0 where the system does not count them. */
export function bytesRead(): number {
  try {
    return Number(/^rchar: (\d+)/m.exec(readFileSync("/proc/self/io", "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Other live processes with this text in their arguments; those that ended and wait to be taken have none. */
export const alive = (mark: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        Number(pid) !== process.pid &&
        readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(mark)
      );
    } catch {
      return false;
    }
  });
