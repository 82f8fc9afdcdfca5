import type { Stats } from "node:fs";

/** A file or link of the work tree, as last seen. */
export interface LeafNode {
  is: "file" | "link";
  mode: number;
  size: number;
  mtime: number;
  ctime: number;
  ino: number;
  /** The id of the content; empty until that is read. */
  id: string;
  /** False when the file was written so shortly before that another write may not have changed its times. */
  settled: boolean;
  /** Set where the content was not copied, because git has it. */
  by?: "git" | undefined;
}

export interface DirNode {
  is: "dir";
  mode: number;
  children: Map<string, Node>;
}

export type Node = LeafNode | DirNode;

export const emptyDir = (mode: number): DirNode => ({ is: "dir", mode, children: new Map() });

export const isSameFile = (node: LeafNode, stat: Stats): boolean =>
  node.settled &&
  node.size === stat.size &&
  node.mtime === stat.mtimeMs &&
  node.ctime === stat.ctimeMs &&
  node.ino === stat.ino;

// The form of the index that is saved for the next process. Arrays, because there are many nodes.
type Packed =
  | [string, "f" | "l", number, number, number, number, number, string, boolean]
  | [string, "d", number, Packed[]];

/** Packs a directory. Contents that git has are told by its own index, and those that were not read are not known. */
export function pack(name: string, node: DirNode): Packed & { 1: "d" } {
  const children: Packed[] = [];
  for (const [name, child] of node.children) {
    if (child.is === "dir") {
      const packed = pack(name, child);
      if (packed[3].length > 0) children.push(packed);
      continue;
    }
    const { is, mode, size, mtime, ctime, ino, id, settled, by } = child;
    if (!by && id !== "") children.push([name, is === "file" ? "f" : "l", mode, size, mtime, ctime, ino, id, settled]);
  }
  return [name, "d", node.mode, children];
}

export function unpack(packed: Packed): Node {
  if (packed[1] === "d") {
    const [, , mode, children] = packed;
    return { is: "dir", mode, children: new Map(children.map((child) => [child[0], unpack(child)])) };
  }
  const [, kind, mode, size, mtime, ctime, ino, id, settled] = packed;
  return { is: kind === "f" ? "file" : "link", mode, size, mtime, ctime, ino, id, settled };
}
