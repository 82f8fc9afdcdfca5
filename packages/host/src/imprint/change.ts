import type { DirNode, Node } from "./node.ts";

/** The state of a path. */
export type Entry = { is: "file"; mode: number; id: string } | { is: "link"; id: string } | { is: "dir"; mode: number };

export interface Difference {
  path: string;
  before: Entry | undefined;
  after: Entry | undefined;
}

export const sameEntry = (a: Entry | undefined, b: Entry | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

function entryOf(node: Node): Entry {
  if (node.is === "dir") return { is: "dir", mode: node.mode };
  return node.is === "link" ? { is: "link", id: node.id } : { is: "file", mode: node.mode, id: node.id };
}

/** The differences of a tree since a time, gathered while it is brought up to date. */
export class Changes {
  readonly #all = new Map<string, Difference>();

  /** Notes one more change of a path. */
  add({ path, before, after }: Difference): void {
    const known = this.#all.get(path);
    if (known) known.after = after;
    else this.#all.set(path, { path, before, after });
  }

  get size(): number {
    return this.#all.size;
  }

  addAll(more: Changes): void {
    for (const change of more.#all.values()) this.add(change);
  }

  /** Notes a new state of an entry of the tree, and what was below the old one. */
  put(path: string, old: Node | undefined, now: Node | undefined): void {
    if (old?.is === "dir" && now?.is !== "dir")
      for (const [name, child] of old.children) this.put(`${path}/${name}`, child, undefined);
    this.add({ path, before: old && entryOf(old), after: now && entryOf(now) });
  }

  /** Lists all that is not as it was, by path, a directory before its entries. */
  list(): Difference[] {
    const all = [...this.#all.values()].filter(({ before, after }) => !sameEntry(before, after));
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

/** The node at a path below a directory. */
export const nodeAt = (root: DirNode, path: string): Node | undefined =>
  path === ""
    ? root
    : path
        .split("/")
        .reduce<Node | undefined>((dir, name) => (dir?.is === "dir" ? dir.children.get(name) : undefined), root);
