import type { Stats } from "node:fs";

/** A file or link of the work tree, as last seen. */
export interface LeafNode {
  is: "file" | "link";
  mode: number;
  size: number;
  mtime: number;
  ctime: number;
  ino: number;
  /** The id of the content. */
  id: string;
  /** False when the file was written so shortly before that another write may not have changed its times. */
  settled: boolean;
}

export interface DirNode {
  is: "dir";
  mode: number;
  children: Map<string, Node>;
  /** The id of the tree object; undefined when something below has changed. */
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

// The form of the index that is saved for the next process. Arrays, because there are many nodes.
type Packed =
  | [string, "f" | "l", number, number, number, number, number, string, boolean]
  | [string, "d", number, string | null, Packed[]];

export function pack(name: string, node: Node): Packed {
  if (node.is === "dir")
    return [name, "d", node.mode, node.id ?? null, [...node.children].map((child) => pack(...child))];
  const { is, mode, size, mtime, ctime, ino, id, settled } = node;
  return [name, is === "file" ? "f" : "l", mode, size, mtime, ctime, ino, id, settled];
}

export function unpack(packed: Packed): Node {
  if (packed[1] === "d") {
    const [, , mode, id, packedChildren] = packed;
    const children = new Map(packedChildren.map((child) => [child[0], unpack(child)]));
    return { is: "dir", mode, id: id ?? undefined, children };
  }
  const [, kind, mode, size, mtime, ctime, ino, id, settled] = packed;
  return { is: kind === "f" ? "file" : "link", mode, size, mtime, ctime, ino, id, settled };
}
