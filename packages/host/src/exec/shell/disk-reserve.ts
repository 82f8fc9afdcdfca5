import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { succeeds } from "@pith/kit";
import { freeDisk } from "../process/limits.ts";

/**
 * Space that is kept for the small files of the next commands, where commands can fill the disk these stand on: without
 * it, a full disk could not even be cleared by a command. Freed piece by piece, since running commands may take it too.
 */
export class DiskReserve {
  readonly #folder: string;
  readonly #files: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#fill();
  }

  /** Frees or fills the reserve; to be called before anything small is written. */
  check(): void {
    const free = freeDisk(this.#folder);
    const file = free < piece ? this.#files.pop() : undefined;
    if (file !== undefined) rmSync(file, { force: true });
    if (free > 2 * pieces * piece) this.#fill();
  }

  #fill(): void {
    while (this.#files.length < pieces) {
      const file = join(this.#folder, `ballast-${this.#files.length}`);
      if (!succeeds(() => writeFileSync(file, Buffer.alloc(piece), { mode: 0o600 }))) {
        // No space is left to keep; a part that was written goes too.
        rmSync(file, { force: true });
        return;
      }
      this.#files.push(file);
    }
  }
}

const piece = 256 * 1024;
const pieces = 4;
