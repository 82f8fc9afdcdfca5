import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@pith/host";

/**
 * Which processes use a store now: one that cleans it must be alone, for others hold imprints that no log names yet.
 */
export class Presence {
  readonly #dir: string;
  readonly #pid: string;

  constructor(store: string, pid: number) {
    this.#dir = join(store, "active");
    this.#pid = String(pid);
  }

  enter(): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#dir, this.#pid), "", { mode: 0o600 });
  }

  leave(): void {
    rmSync(join(this.#dir, this.#pid), { force: true });
  }

  /** Nobody else is here; what dead processes left behind is cleared away. */
  alone(): boolean {
    const others = readdirSync(this.#dir).filter((pid) => pid !== this.#pid);
    const live = others.filter((pid) => isAlive(Number(pid)));
    for (const pid of others) if (!live.includes(pid)) rmSync(join(this.#dir, pid), { force: true });
    return live.length === 0;
  }
}

/** True once a day, for the one who asks first. */
export function isDue(store: string, now: number): boolean {
  const mark = join(store, "pruned");
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
  if (last !== undefined && now - last < 24 * 3_600_000) return false;
  writeFileSync(mark, "", { mode: 0o600 });
  utimesSync(mark, now / 1000, now / 1000);
  // A new store has nothing to clean.
  return last !== undefined;
}
