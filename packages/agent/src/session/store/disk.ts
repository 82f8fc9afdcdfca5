// Sessions in files. With its neighbours in this folder the only code of this package that writes to a disk.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { dirname } from "node:path";
import { closing, codeOf, ok, openPlain, type Result, readRange, tryOr, writeAll, writeWhole } from "@pith/kit";
import { Appender } from "./appender.ts";
import { syncFolder, UnsyncedFolders } from "./folder.ts";
import { lockFile, readOwnProcess } from "./lock.ts";
import type { LockFailure, SideFile, Storage } from "./storage.ts";

/** A journal in a file. File and directory are created at the first append, readable only by their owner. */
export function fileStorage(file: string, waits: "on sync" | "on every append" = "on sync"): Storage {
  let reader: number | undefined;
  let writer: Appender | undefined;
  let unlock: (() => void) | undefined;
  const folders = new UnsyncedFolders();

  const lock = (): Result<unknown, LockFailure> => {
    const taken = unlock ? ok(unlock) : lockFile(`${file}.lock`);
    if (taken.ok) unlock = taken.value;
    return taken;
  };
  const openWriter = (): Appender => {
    if (writer) return writer;
    folders.makeFor(file);
    const locked = lock();
    if (!locked.ok) throw new Error(locked.message);
    writer = new Appender(file, waits);
    if (waits === "on every append") folders.syncNow();
    return writer;
  };
  const release = () => {
    for (const fd of new Set([reader, writer?.fd])) if (fd !== undefined) closeSync(fd);
    reader = writer = undefined;
  };

  return {
    file,
    lock,
    side: sideFile(`${file}.idx`),
    size: () => (writer ? fstatSync(writer.fd).size : plainSize(file)),
    read: (from = 0, to) => {
      try {
        reader ??= writer?.fd ?? openPlain(file, "followed");
        return readRange(reader, from, to);
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        throw error;
      }
    },
    append: (bytes) => openWriter().append(bytes),
    // If this fails, so does the first append, and reports it.
    prepare: () => {
      if (!writer) tryOr(() => [folders.makeFor(file), readOwnProcess()]);
    },
    cut: (bytes) => truncateSync(file, bytes),
    replace: (bytes) => {
      replaceFile(file, bytes);
      release();
    },
    sync: async () => {
      await folders.sync();
      await writer?.sync();
    },
    close: async () => {
      release();
      unlock?.();
      unlock = undefined;
    },
  };
}

/** Size of a file, if there is one. Opening a pipe would wait for its other end. */
function plainSize(file: string): number | undefined {
  const state = statSync(file, { throwIfNoEntry: false });
  if (state && !state.isFile()) throw Object.assign(new Error("it is not a file"), { code: "ENOTFILE" });
  return state?.size;
}

/** Replaces a file by renaming, so that there is a whole file at all times; the old one is kept as `.bak`. */
function replaceFile(file: string, bytes: Uint8Array): void {
  // The name may already be a link to something else.
  rmSync(`${file}.bak`, { force: true });
  if (existsSync(file)) copyFileSync(file, `${file}.bak`, constants.COPYFILE_EXCL);
  writeWhole(file, bytes, "synced");
  syncFolder(dirname(file));
}

/** The index file; it is not read or written through a link, since the session may be a stranger's. */
export function sideFile(file: string): SideFile {
  return {
    read: () =>
      tryOr(() => {
        const fd = openPlain(file, "refused");
        using _ = closing(fd);
        return readRange(fd, 0);
      }),
    write: (bytes, at) => {
      try {
        if (at === 0 && existsSync(dirname(file))) return writeWhole(file, bytes);
        const fd = openSync(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
        using _ = closing(fd);
        // A second name may belong to somebody else.
        if (fstatSync(fd).nlink !== 1) throw new Error("it has another name");
        writeAll(fd, bytes, at);
      } catch {
        rmSync(file, { force: true });
      }
    },
  };
}
