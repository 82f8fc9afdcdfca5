import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freeDisk } from "../process/limits.ts";

/**
 * Room that is kept for the small files of the next commands, where commands can fill the disk that those stand on:
 * whoever filled it could otherwise not even remove what fills it. Given back piece by piece, for what runs meanwhile
 * may take that too.
 */
export class DiskReserve {
  readonly #folder: string;
  readonly #held: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#lay();
  }

  /** To be called before anything small is written. */
  check(): void {
    const free = freeDisk(this.#folder);
    if (free < piece) {
      const file = this.#held.pop();
      if (file !== undefined) rmSync(file, { force: true });
    } else if (free > 2 * most * piece) this.#lay();
  }

  #lay(): void {
    for (let at = this.#held.length; at < most; at++) {
      const file = join(this.#folder, `ballast-${at}`);
      try {
        writeFileSync(file, Buffer.alloc(piece), { mode: 0o600 });
        this.#held.push(file);
      } catch {
        // There is no room to keep; what was written of it goes too.
        rmSync(file, { force: true });
        return;
      }
    }
  }
}

const piece = 256 * 1024;
const most = 4;
