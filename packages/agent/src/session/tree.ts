import type { Entry } from "./entry.ts";

/** The entries of a session and where the next one attaches. Pure bookkeeping: it knows no file. */
export class Tree {
  #byId = new Map<string, Entry>();
  #leaf: string | null = null;

  get leaf(): string | null {
    return this.#leaf;
  }
  get size(): number {
    return this.#byId.size;
  }
  has(id: string): boolean {
    return this.#byId.has(id);
  }
  get(id: string): Entry | undefined {
    return this.#byId.get(id);
  }
  all(): IterableIterator<Entry> {
    return this.#byId.values();
  }

  /** Adds an entry and makes it the leaf. */
  add(entry: Entry): void {
    this.#byId.set(entry.id, entry);
    this.#leaf = entry.id;
  }

  /** Moves the leaf; the next entry forks from there. */
  moveTo(id: string | null): void {
    if (id !== null && !this.#byId.has(id)) throw new Error(`no entry ${id}`);
    this.#leaf = id;
  }

  /** From the root to `id` (the leaf when not given). A loop in a damaged file ends the walk. */
  pathTo(id: string | null = this.#leaf): Entry[] {
    const path: Entry[] = [];
    const seen = new Set<string>();
    for (let at = id; at !== null && !seen.has(at); ) {
      const entry = this.#byId.get(at);
      if (!entry) break;
      seen.add(at);
      path.push(entry);
      at = entry.parentId;
    }
    return path.reverse();
  }
}
