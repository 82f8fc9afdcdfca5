import type { Stats } from "node:fs";

/** A file or link of the work tree as it was last seen. */
export interface LeafNode {
  is: "file" | "link";
  mode: number;
  size: number;
  mtime: number;
  ctime: number;
  ino: number;
  /** Of the content. */
  id: string;
  /**
   * Whether the figures above can be trusted to change with the content: not when it was written a moment before it
   * was read.
   */
  settled: boolean;
}

export interface DirNode {
  is: "dir";
  mode: number;
  children: Map<string, Node>;
  /** Of the tree object; undefined while something below it has changed. */
  id: string | undefined;
}

export type Node = LeafNode | DirNode;

export const emptyDir = (mode: number): DirNode => ({ is: "dir", mode, children: new Map(), id: undefined });

export const isSameFile = (node: LeafNode, stat: Stats): boolean =>
  node.settled &&
  node.size === stat.size &&
  node.mtime === stat.mtimeMs &&
  node.ctime === stat.ctimeMs &&
  node.ino === stat.ino;

// What is kept between runs, so that the next one need not read every file again. Arrays, because there are many.
type Packed =
  | [string, "f" | "l", number, number, number, number, number, string, boolean]
  | [string, "d", number, string | null, Packed[]];

export function pack(name: string, node: Node): Packed {
  if (node.is === "dir")
    return [
      name,
      "d",
      node.mode,
      node.id ?? null,
      [...node.children].map(([childName, child]) => pack(childName, child)),
    ];
  return [
    name,
    node.is === "file" ? "f" : "l",
    node.mode,
    node.size,
    node.mtime,
    node.ctime,
    node.ino,
    node.id,
    node.settled,
  ];
}

export function unpack(packed: Packed): Node {
  if (packed[1] === "d") {
    const [, , mode, id, children] = packed;
    return {
      is: "dir",
      mode,
      id: id ?? undefined,
      children: new Map(children.map((child) => [child[0], unpack(child)])),
    };
  }
  const [, kind, mode, size, mtime, ctime, ino, id, settled] = packed;
  return { is: kind === "f" ? "file" : "link", mode, size, mtime, ctime, ino, id, settled };
}
