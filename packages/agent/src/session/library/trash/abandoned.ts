import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileStat, tryOr } from "@pith/kit";
import { lockFile, lockOwner } from "../../store/lock.ts";

const day = 24 * 3600_000;

/**
 * Files below pith's home that a process left which was killed, or found no room, while it wrote: locks of the dead,
 * and what was written beside a file to take its place.
 */
export function abandonedFiles(home: string, now: number): string[] {
  const names = tryOr(() => readdirSync(home, { recursive: true, encoding: "utf8" }), []);
  return names
    .filter((name) => isLock(name) || beside.test(name))
    .map((name) => join(home, name))
    .filter((file) => {
      const stat = fileStat(file);
      if (!stat?.isFile()) return false;
      const isOld = stat.mtimeMs < now - day;
      // A lock that has no owner in it yet may be one that is being written.
      return isLock(file) && stat.size > 0 ? !lockOwner(file) : isOld;
    });
}

/** Removes such a file; a lock only while it is held, because another process may take it at this moment. */
export function removeAbandoned(file: string): void {
  if (!file.endsWith(".lock")) {
    rmSync(file, { force: true });
    return;
  }
  const lock = lockFile(file);
  if (lock.ok) lock.value();
}

const isLock = (name: string): boolean => /\.lock(?:\.\d+)?$/.test(name);
const uuid = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
/** Names of `writeWhole`, of the index of an undo store, and of its objects and packs. */
const beside = new RegExp(
  `\\.${uuid}\\.tmp$|(?:^|/)undo/[^/]+/(?:index\\.json\\.\\w{8}|git/objects/[^/]+/tmp-\\w{8}(?:\\.idx)?)$`,
);
