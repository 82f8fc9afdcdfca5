import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, ok, type Result, realPath, shortId } from "@pith/kit";
import { type FsKind, fsFailure } from "./failure.ts";
import { irregular } from "./open.ts";

export interface WriteOptions {
  /** Refuse when the file is no longer the one this was taken of. */
  since?: Stats;
  /** Add the execute bits where there are read bits. */
  executable?: true;
}

export interface Written {
  change: "created" | "replaced";
  /** Why the bytes were written into the file itself and not into a new one that took its place. */
  inPlace?: "hard links" | "owner" | "directory";
}

/**
 * Writes a whole file so that a reader sees the old bytes or the new ones, never a part: a new file beside it,
 * flushed, then renamed over it. Mode and owner stay; a link stays a link, its target is written. Missing
 * parent directories are made.
 */
export async function writeWhole(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<Result<Written, FsKind>> {
  const target = realPath(path);
  try {
    const old = statOf(target);
    const obstacle = old && irregular(path, old);
    if (obstacle) return obstacle;
    if (old) mustBeWritable(target, old);
    else mkdirSync(dirname(target), { recursive: true });
    if (options.since && !(old && isSame(old, options.since))) throw changed();
    const inPlace = await put(target, bytes, old, options);
    return ok({ change: old ? "replaced" : "created", ...(inPlace && { inPlace }) });
  } catch (thrown) {
    return fsFailure(path, thrown);
  }
}

/** A rename would replace a file that nobody may write; root may write all, so the mode speaks too. */
function mustBeWritable(path: string, old: Stats): void {
  if ((old.mode & 0o222) === 0) throw Object.assign(new Error("read-only"), { code: "EACCES" });
  accessSync(path, constants.W_OK);
}

async function put(target: string, bytes: Uint8Array, old: Stats | undefined, options: WriteOptions): Promise<Written["inPlace"]> {
  if (old && old.nlink > 1) return overwrite(target, bytes, options, "hard links");
  const beside = join(dirname(target), `.pith-${shortId(() => false)}.tmp`);
  let fd: number;
  try {
    fd = openSync(beside, "wx", 0o666);
  } catch (thrown) {
    if (old && codeOf(thrown) === "EACCES") return overwrite(target, bytes, options, "directory");
    throw thrown;
  }
  let named = true;
  try {
    if (old && !keepsOwner(fd, old)) return await overwrite(target, bytes, options, "owner");
    const mode = (old ?? fstatSync(fd)).mode & 0o7777;
    if (old || options.executable) fchmodSync(fd, options.executable ? runnable(mode) : mode);
    writeAll(fd, bytes);
    await flush(fd);
    const now = old && statSync(target);
    if (now && !isSame(now, old)) throw changed();
    renameSync(beside, target);
    named = false;
    return undefined;
  } finally {
    closeSync(fd);
    if (named) unlinkSync(beside);
  }
}

async function overwrite(target: string, bytes: Uint8Array, options: WriteOptions, why: Written["inPlace"]): Promise<Written["inPlace"]> {
  const fd = openSync(target, constants.O_WRONLY);
  try {
    writeAll(fd, bytes);
    ftruncateSync(fd, bytes.length);
    if (options.executable) fchmodSync(fd, runnable(fstatSync(fd).mode & 0o7777));
    await flush(fd);
    return why;
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
}

const changed = (): Error => Object.assign(new Error("changed"), { code: "ECHANGED" });

const flush = (fd: number): Promise<void> => new Promise((done, failed) => fsync(fd, (error) => (error ? failed(error) : done())));

const runnable = (mode: number): number => mode | ((mode & 0o444) >> 2);

const isSame = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;

function keepsOwner(fd: number, old: Stats): boolean {
  const own = fstatSync(fd);
  if (own.uid === old.uid && own.gid === old.gid) return true;
  try {
    fchownSync(fd, old.uid, old.gid);
    return true;
  } catch {
    return false;
  }
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
