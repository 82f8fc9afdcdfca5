import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { realPath } from "@pith/kit";
import { asideName } from "./aside.ts";
import { irregular } from "./open.ts";

/** Takes bytes in order. */
export type Put = (bytes: Uint8Array) => void;

/**
 * Writes a file in pieces, however large, so that a reader sees the old one or the new one: beside it, flushed, then
 * renamed over it. When `fill` throws, nothing has changed. Throws what the system throws.
 */
export async function rewriteFile(path: string, fill: (put: Put) => Promise<void> | void): Promise<void> {
  const target = realPath(path);
  const old: Stats | undefined = statSync(target, { throwIfNoEntry: false });
  const obstacle = old && irregular(path, old);
  if (obstacle)
    throw Object.assign(new Error(obstacle.message), { code: obstacle.kind === "directory" ? "EISDIR" : "ENXIO" });
  if (old && (old.mode & 0o222) === 0) throw Object.assign(new Error("read-only"), { code: "EACCES" });
  mkdirSync(dirname(target), { recursive: true });
  const beside = join(dirname(target), asideName());
  const fd = openSync(beside, "wx", 0o666);
  let open = true;
  try {
    await fill((bytes) => {
      // A number that is closed may belong to another file by now.
      if (!open) throw new Error("bytes came after the end");
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
    });
    if (old) fchmodSync(fd, old.mode & 0o7777);
    fsyncSync(fd);
    const now = statSync(target, { throwIfNoEntry: false });
    if (now?.mtimeMs !== old?.mtimeMs || now?.size !== old?.size || now?.ino !== old?.ino)
      throw Object.assign(new Error("changed"), { code: "ECHANGED" });
    renameSync(beside, target);
  } catch (thrown) {
    unlinkSync(beside);
    throw thrown;
  } finally {
    open = false;
    closeSync(fd);
  }
}
