// Sessions in files. With its neighbours in this folder the only code of this package that writes to a disk.
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

/** A journal in a file. File and directory are created at the first append, readable only by their owner. */
export function fileStorage(file: string, waits: "on sync" | "on every append" = "on sync"): Storage {
  let reader: number | undefined;
  let writer: number | undefined;
  let unlock: (() => void) | undefined;
  // End of our last write; while `torn`, half a line of ours follows it.
  let end = 0;
  let torn = false;
  /** Folders with new files, to be synced with the data; and their pending syncs. */
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
    // A new folder is on disk once its parent is synced.
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
      // Opening a pipe would wait for its other end.
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
      // A deleted file accepts writes and loses them.
      if (state.nlink === 0) throw new Error("the file was deleted");
      if (torn) ftruncateSync(to, end);
      else if (state.size < end) throw new Error("the file was cut by another program");
      else end = state.size;
      torn = true;
      for (let done = 0; done < bytes.length; ) {
        try {
          done += writeSync(to, bytes, done);
        } catch (error) {
          // Half a line would merge with the next one: cut it off now, or before the next write.
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
        // The first append fails likewise and reports it.
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

/** Replaces a file by renaming, so that there is a whole file at all times; the old one is kept as `.bak`. */
function replaceFile(file: string, bytes: Uint8Array): void {
  const [fresh, old] = [`${file}.${process.pid}.tmp`, `${file}.bak`];
  try {
    // The name may already be a link to something else.
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

/** Syncs a folder, so that a new file in it survives a power cut. If this fails, the file system does it itself. */
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

/** Syncs a folder asynchronously. */
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

/** The index file; it is not read or written through a link, since the session may be a stranger's. */
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
          // A second name may belong to somebody else.
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
