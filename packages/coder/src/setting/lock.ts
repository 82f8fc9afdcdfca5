import { lockFile, lockOwner } from "@pith/agent";
import { fail, ok, type Result, sleep } from "@pith/kit";

const tries = 200;
const waitMs = 25;

/** Runs a function while holding a lock file. The lock of a dead process is taken over. */
export async function withLock<T>(lock: string, run: () => T | Promise<T>): Promise<Result<T, "locked">> {
  for (let i = 0; i < tries; i++) {
    const taken = lockFile(lock);
    if (taken.ok) {
      try {
        return ok(await run());
      } finally {
        taken.value();
      }
    }
    if (taken.kind === "unwritable") throw new Error(taken.message);
    await sleep(waitMs);
  }
  const holder = lockOwner(lock)?.pid ?? "?";
  return fail("locked", `${lock} is held by process ${holder}; if that process is not pith, remove the file`);
}
