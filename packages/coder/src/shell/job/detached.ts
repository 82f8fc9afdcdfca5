import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, fail, ok, type Result } from "@pith/kit";

/** A command that goes on without any pith, because a person wanted it so. */
export interface Detached {
  id: string;
  pid: number;
  /** Start time of the process: a number may be given out again, the two together are not. */
  born: string;
  command: string;
  cwd: string;
  log: string;
  detachedAt: number;
}

/** Gives the directory where the detached jobs of a home are noted, with their logs. */
export const detachedFolder = (home: string): string => join(home, "jobs");

export function noteDetached(folder: string, job: Omit<Detached, "born">): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${job.id}.json`), JSON.stringify({ ...job, born: bornOf(job.pid) ?? "" }), {
    mode: 0o600,
  });
}

/** Lists running jobs, and those that ended within the last week; older ones are removed with their logs. */
export function listDetached(folder: string, now: number): (Detached & { state: "running" | "ended" })[] {
  return namesIn(folder).flatMap((name) => {
    try {
      const job = JSON.parse(readFileSync(join(folder, name), "utf8")) as Detached;
      const state = isAlive(job) ? "running" : "ended";
      if (state === "running" || now - job.detachedAt < weekMs) return [{ ...job, state } as const];
      for (const file of [join(folder, name), job.log]) rmSync(file, { force: true });
    } catch {
      // Not one of ours, or half written: no job.
    }
    return [];
  });
}

/** Ends all of its process group. */
export function stopDetached(
  folder: string,
  id: string,
  now: number,
): Result<Detached, "unknown" | "ended" | "refused"> {
  const job = listDetached(folder, now).find((job) => job.id === id);
  if (!job) return fail("unknown", `there is no job ${id}`);
  if (job.state === "ended") return fail("ended", `the job ${id} has ended already`);
  try {
    process.kill(-job.pid, "SIGTERM");
    return ok(job);
  } catch (error) {
    return fail("refused", `the job ${id} could not be ended: ${codeOf(error) ?? "unknown reason"}`);
  }
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

function isAlive({ pid, born }: Detached): boolean {
  if (process.platform === "linux") return born !== "" && bornOf(pid) === born;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function bornOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : rest[18];
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}
