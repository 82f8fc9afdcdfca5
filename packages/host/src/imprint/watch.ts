import { closeSync, readFileSync, readSync, statfsSync, statSync } from "node:fs";
import { tryOr } from "@pith/kit";
import { decodeName, encodeName } from "../git/name.ts";
import { openFfi } from "../platform.ts";
import type { DirNode } from "./node.ts";

/** A directory in which something has changed, and the names that did. */
export interface Touched {
  path: string;
  dir: DirNode;
  names: ReadonlySet<string>;
}

/**
 * Has the kernel tell which entries of the directories of a tree have changed, so that a tree of any size is looked at
 * again at the cost of what changed in it.
 */
export class TreeWatch {
  readonly #fd: number;
  readonly #system: System;
  readonly #device: number;
  #left: number;
  readonly #watched = new Map<number, { dir: DirNode; path: string }>();
  readonly #numbers = new WeakMap<DirNode, number>();
  #mounts = mountTable();

  private constructor(fd: number, system: System, device: number) {
    this.#fd = fd;
    this.#system = system;
    this.#device = device;
    const most = Number(tryOr(() => readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"), "8192"));
    // Other programs of the user watch too.
    this.#left = Math.floor(most / 2);
  }

  /** Undefined where the kernel cannot tell, or does not tell all: on network file systems others change files. */
  static async open(root: string): Promise<TreeWatch | undefined> {
    if (process.platform !== "linux" || !isLocal(root)) return undefined;
    const system = await openSystem();
    const fd = system?.inotify_init1(nonBlocking | closeOnExec) ?? -1;
    return system && fd >= 0 ? new TreeWatch(fd, system, statSync(root).dev) : undefined;
  }

  /** Watches a directory from now on; false when it cannot be, so that it has to be looked at each time. */
  add(dir: DirNode, full: string, path: string, device: number): boolean {
    if (device !== this.#device || this.#left <= 0) return false;
    const number = this.#system.inotify_add_watch(this.#fd, encodeName(`${full}\0`), wanted);
    if (number < 0) return false;
    if (!this.#watched.has(number)) this.#left--;
    // A directory that was moved keeps its number.
    this.#watched.set(number, { dir, path });
    this.#numbers.set(dir, number);
    return true;
  }

  /** Ends the watch of a directory that is not in the tree any more, and of all below it. */
  forget(dir: DirNode): void {
    for (const child of dir.children.values()) if (child.is === "dir") this.forget(child);
    const number = this.#numbers.get(dir);
    if (number === undefined || this.#watched.get(number)?.dir !== dir) return;
    this.#watched.delete(number);
    this.#left++;
    this.#system.inotify_rm_watch(this.#fd, number);
  }

  isWatched(dir: DirNode): boolean {
    const number = this.#numbers.get(dir);
    return number !== undefined && this.#watched.get(number)?.dir === dir;
  }

  /** Names that have changed since the last time, outer directories first; `lost` when it is not known any more. */
  changed(): Touched[] | "lost" {
    const mounts = mountTable();
    const isMounted = mounts !== this.#mounts;
    this.#mounts = mounts;
    const touched = new Map<DirNode, { path: string; names: Set<string> }>();
    let isLost = isMounted;
    for (const { number, mask, name } of this.#events()) {
      if (mask & lost) isLost = true;
      const known = this.#watched.get(number);
      if (mask & ended && known) {
        this.#watched.delete(number);
        this.#left++;
        // The top of the tree is gone.
        if (known.path === "") isLost = true;
      }
      if (!known || name === "") continue;
      const there = touched.get(known.dir);
      if (there) there.names.add(name);
      else touched.set(known.dir, { path: known.path, names: new Set([name]) });
    }
    if (isLost) return "lost";
    const all = [...touched].map(([dir, { path, names }]) => ({ dir, path, names }));
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  close(): void {
    closeSync(this.#fd);
  }

  *#events(): Generator<{ number: number; mask: number; name: string }> {
    const bytes = Buffer.allocUnsafe(256 * 1024);
    for (;;) {
      // Nothing to read is an error here.
      const count = tryOr(() => readSync(this.#fd, bytes), 0);
      if (count === 0) return;
      for (let at = 0; at + 16 <= count; ) {
        const length = bytes.readUInt32LE(at + 12);
        const end = bytes.indexOf(0, at + 16);
        const name = length === 0 ? "" : decodeName(Buffer.from(bytes.subarray(at + 16, end)));
        yield { number: bytes.readInt32LE(at), mask: bytes.readUInt32LE(at + 4), name };
        at += 16 + length;
      }
    }
  }
}

interface System {
  inotify_init1(flags: number): number;
  inotify_add_watch(fd: number, path: Uint8Array, mask: number): number;
  inotify_rm_watch(fd: number, number: number): number;
}

async function openSystem(): Promise<System | undefined> {
  const ffi = await openFfi();
  return (
    ffi &&
    tryOr(
      () =>
        ffi.dlopen("libc.so.6", {
          inotify_init1: { args: ["i32"], returns: "i32" },
          inotify_add_watch: { args: ["i32", "ptr", "u32"], returns: "i32" },
          inotify_rm_watch: { args: ["i32", "i32"], returns: "i32" },
        }).symbols,
    )
  );
}

const mountTable = (): string => tryOr(() => readFileSync("/proc/self/mountinfo", "utf8"), "");

/** File systems that only this kernel changes. */
const local: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630,
]);
const isLocal = (path: string): boolean => tryOr(() => local.has(statfsSync(path).type >>> 0), false);

const nonBlocking = 0o4000;
const closeOnExec = 0o2000000;
const [modified, attributes, closedWritten, movedFrom, movedTo] = [0x2, 0x4, 0x8, 0x40, 0x80];
const [created, removed, removedSelf, movedSelf, noFollow] = [0x100, 0x200, 0x400, 0x800, 0x2000000];
const onlyDirectories = 0x1000000;
const contents = modified | closedWritten | attributes;
const names = movedFrom | movedTo | created | removed | removedSelf | movedSelf;
const wanted = contents | names | noFollow | onlyDirectories;
const [unmounted, overflow] = [0x2000, 0x4000];
/** Events after which it is not known what has changed. */
const lost = unmounted | overflow;
/** A watch that has ended by itself, or a directory that is not where it was. */
const ended = 0x8000;
