import { tryOr } from "@pith/kit";
import type { Held } from "../../fs/hold/held.ts";
import { holdToRead } from "../../fs/hold/hold.ts";
import { rawPath } from "../../fs/raw.ts";

/** Folders held at a time: a process may have only so many files open. */
const maxHeld = 128;

/**
 * Folders below a root, each held while names in it are looked at: ripgrep goes by names, and one on its way may have
 * been a link for a moment. A question about a folder is answered by the one that really lies there.
 */
export class FolderHandles implements Disposable {
  /** The real path of the root. */
  readonly #root: string;
  readonly #held = new Map<string, Held | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  /** A folder; undefined when no such folder lies there, or a link leads to it. */
  at(folder: string): Held | undefined {
    const known = this.#held.get(folder);
    if (known || this.#held.has(folder)) return known;
    const oldest = this.#held.size >= maxHeld ? this.#held.keys().next().value : undefined;
    if (oldest !== undefined) this.#release(oldest);
    const held = tryOr(() => holdToRead(rawPath(folder === "" ? this.#root : `${this.#root}/${folder}`)));
    this.#held.set(folder, held);
    return held;
  }

  #release(folder: string): void {
    this.#held.get(folder)?.close();
    this.#held.delete(folder);
  }

  [Symbol.dispose](): void {
    for (const folder of [...this.#held.keys()]) this.#release(folder);
  }
}
