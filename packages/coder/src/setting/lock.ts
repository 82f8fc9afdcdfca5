import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { codeOf, fail, ok, type Result, sleep, tryOr } from "@pith/kit";

const tries = 200;
const waitMs = 25;

/** Runs a function while holding a lock file. The lock of a dead process is taken over. */
export async function withLock<T>(lock: string, run: () => T | Promise<T>): Promise<Result<T, "locked">> {
  const mine = `${lock}.${crypto.randomUUID()}`;
  writeFileSync(mine, String(process.pid), { mode: 0o600 });
  try {
    for (let i = 0; i < tries; i++) {
      if (!take(mine, lock)) {
        await sleep(waitMs);
        continue;
      }
      try {
        return ok(await run());
      } finally {
        rmSync(lock, { force: true });
      }
    }
    return fail(
      "locked",
      `${lock} is held by process ${read(lock) ?? "?"}; if that process is not pith, remove the file`,
    );
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Takes the lock by a hard link, which appears in one step with its content. */
function take(mine: string, lock: string): boolean {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const holder = read(lock);
    if (holder !== undefined && isDead(Number(holder))) clear(lock, holder);
    return false;
  }
}

/** Removes a dead process's lock, or puts it back if another process has taken it meanwhile. */
function clear(lock: string, holder: string): void {
  const moved = `${lock}.${crypto.randomUUID()}`;
  try {
    renameSync(lock, moved);
    if (read(moved) !== holder) linkSync(moved, lock);
  } catch {
    // Another process was faster.
  } finally {
    rmSync(moved, { force: true });
  }
}

const read = (file: string): string | undefined => tryOr(() => readFileSync(file, "utf8"));

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}
