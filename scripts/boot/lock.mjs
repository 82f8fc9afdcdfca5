// A lock for the installer. It is a directory, because making one is atomic on every system. Its age shows whether the
// holder still lives, because a process id means nothing after a reboot or inside a container.
import { mkdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const beatMs = 2_000;
const staleMs = 15_000;

/** Runs `work` while holding the lock at `path`; waits for another holder, and takes over from one that died. */
export async function withLock(path, onWait, work) {
  for (let tries = 0; !take(path); tries++) {
    if (tries === 5) onWait();
    breakStale(path);
    await sleep(100);
  }
  const beat = setInterval(() => touch(path), beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(path, { recursive: true, force: true });
  }
}

function take(path) {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes a stale lock. A second lock and a second check keep it from removing a lock that was taken meanwhile. */
function breakStale(path) {
  if (!isStale(path)) return;
  const turn = `${path}.break`;
  if (!take(turn)) {
    if (isStale(turn)) rmSync(turn, { recursive: true, force: true });
    return;
  }
  if (isStale(path)) rmSync(path, { recursive: true, force: true });
  rmSync(turn, { recursive: true, force: true });
}

function isStale(path) {
  const seen = statSync(path, { throwIfNoEntry: false });
  return seen !== undefined && Date.now() - seen.mtimeMs > staleMs;
}

function touch(path) {
  const now = new Date();
  utimesSync(path, now, now);
}
