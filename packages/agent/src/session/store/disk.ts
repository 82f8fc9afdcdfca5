// Sessions in files. Together with its neighbours in this folder the one place of this package that touches a disk.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { codeOf, ok, openPlain, type Result } from "@pith/kit";
import { lockFile, readOwnProcess } from "./lock.ts";
import type { LockFailure, SideFile, Storage } from "./storage.ts";

/** A journal in a file, created with its directory at the first append and readable by its owner alone. */
export function fileStorage(file: string, waits: "on sync" | "on every append" = "on sync"): Storage {
  let reader: number | undefined;
  let writer: number | undefined;
  let unlock: (() => void) | undefined;
  // Where the last write of ours ended; what stands behind it while `torn` is half a line of ours.
  let end = 0;
  let torn = false;
  /** Folders with a new name in them, to be synced with what the file holds; and when they are. */
  const folders: string[] = [];
  let named: Promise<unknown> = Promise.resolve();

  const lock = (): Result<undefined, LockFailure> => {
    if (unlock) return ok(undefined);
    const taken = lockFile(`${file}.lock`);
    if (!taken.ok) return taken;
    unlock = taken.value;
    return ok(undefined);
  };
  const makeFolder = () => {
    const made = mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // A new folder is on disk when the one above it says so.
    if (made) for (let at = dirname(file); at.length >= made.length; at = dirname(at)) folders.push(dirname(at));
  };
  const openWriter = () => {
    if (writer !== undefined) return writer;
    makeFolder();
    const locked = lock();
    if (!locked.ok) throw new Error(locked.message);
    const fresh = !existsSync(file);
    writer = openSync(file, "a+", 0o600);
    end = fstatSync(writer).size;
    if (fresh) folders.push(dirname(file));
    if (waits === "on every append") for (const folder of folders.splice(0)) syncFolder(folder);
    return writer;
  };
  const openReader = () => {
    reader ??= writer ?? openPlain(file, "followed");
    return reader;
  };
  const release = () => {
    for (const fd of new Set([reader, writer])) if (fd !== undefined) closeSync(fd);
    reader = writer = undefined;
  };

  return {
    file,
    lock,
    side: sideFile(`${file}.idx`),
    size: () => {
      if (writer !== undefined) return fstatSync(writer).size;
      const state = statSync(file, { throwIfNoEntry: false });
      // Whoever opens a pipe waits for its other end.
      if (state && !state.isFile()) throw Object.assign(new Error("it is not a file"), { code: "ENOTFILE" });
      return state?.size;
    },
    read: (from = 0, to) => {
      try {
        return readRange(openReader(), from, to);
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        throw error;
      }
    },
    append: (bytes) => {
      const to = openWriter();
      const state = fstatSync(to);
      // A file without a name takes every write and keeps none.
      if (state.nlink === 0) throw new Error("the file was deleted");
      if (torn) ftruncateSync(to, end);
      else if (state.size < end) throw new Error("the file was cut by another program");
      else end = state.size;
      torn = true;
      for (let done = 0; done < bytes.length; ) {
        try {
          done += writeSync(to, bytes, done);
        } catch (error) {
          // Half a line would fuse with the next one: take it back, now or before the next write.
          try {
            ftruncateSync(to, end);
            torn = false;
          } catch {}
          throw error;
        }
      }
      torn = false;
      const start = end;
      end += bytes.length;
      if (waits === "on every append") fdatasyncSync(to);
      return start;
    },
    prepare: () => {
      if (writer !== undefined) return;
      try {
        makeFolder();
        readOwnProcess();
      } catch {
        // The first append meets the same, and tells it.
      }
    },
    cut: (bytes) => truncateSync(file, bytes),
    replace: (bytes) => {
      replaceFile(file, bytes);
      release();
    },
    sync: async () => {
      if (folders.length > 0) named = Promise.all([named, ...folders.splice(0).map(soonSynced)]);
      await named;
      if (writer === undefined) return;
      if (fstatSync(writer).nlink === 0) throw new Error("the file was deleted");
      const fd = writer;
      await new Promise<void>((done, refuse) => fdatasync(fd, (error) => (error ? refuse(error) : done())));
    },
    close: async () => {
      release();
      unlock?.();
      unlock = undefined;
    },
  };
}

/** Reads up to `to`, or to the end. */
export function readRange(fd: number, from: number, to?: number): Buffer {
  const want = Math.max(0, (to ?? fstatSync(fd).size) - from);
  const bytes = Buffer.allocUnsafe(want);
  let done = 0;
  while (done < want) {
    const count = readSync(fd, bytes, done, Math.min(want - done, 1 << 30), from + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/**
 * Writes beside the file and renames, so that at every moment there is one whole file; the old one is kept as `.bak`.
 */
function replaceFile(file: string, bytes: Uint8Array): void {
  const [fresh, old] = [`${file}.${process.pid}.tmp`, `${file}.bak`];
  try {
    // A name of ours may already stand there as a link to something else.
    for (const name of [fresh, old]) rmSync(name, { force: true });
    writeFileSync(fresh, bytes, { mode: 0o600, flush: true, flag: "wx" });
    if (existsSync(file)) copyFileSync(file, old, constants.COPYFILE_EXCL);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}

/**
 * Makes a new name in a folder survive a power cut. Where a folder cannot be synced, the file system does it itself.
 */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {}
}

/** The same while others go on. */
function soonSynced(folder: string): Promise<void> {
  return new Promise((done) => {
    try {
      const fd = openSync(folder, "r");
      fsync(fd, () => {
        closeSync(fd);
        done();
      });
    } catch {
      done();
    }
  });
}

/** A session may come from a stranger, so its companion is neither read nor written through a link. */
export function sideFile(file: string): SideFile {
  return {
    read: () => {
      try {
        const fd = openPlain(file, "refused");
        try {
          return readRange(fd, 0);
        } finally {
          closeSync(fd);
        }
      } catch {
        return undefined;
      }
    },
    write: (bytes, at) => {
      try {
        if (at === 0) return writeAside(file, bytes);
        const fd = openSync(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
        try {
          // Under two names it is also somebody else's.
          if (fstatSync(fd).nlink !== 1) throw new Error("it has another name");
          writeSync(fd, bytes, 0, bytes.length, at);
        } finally {
          closeSync(fd);
        }
      } catch {
        rmSync(file, { force: true });
      }
    },
  };
}

function writeAside(file: string, bytes: Uint8Array): void {
  const fresh = `${file}.${process.pid}.tmp`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, bytes, { mode: 0o600, flag: "wx" });
  renameSync(fresh, file);
}
