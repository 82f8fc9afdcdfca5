import type { Result } from "@pith/kit";

/**
 * Where a journal lives. `append` is one write and comes back when the bytes are with the system; `sync` when they are
 * on the disk.
 */
export interface Storage {
  /** The file, where there is one. */
  readonly file: string | undefined;
  /** How many bytes are stored; undefined when there is nothing yet. */
  size(): number | undefined;
  /** Bytes from `from` up to `to` (all of them when not given); undefined when there is nothing yet. */
  read(from?: number, to?: number): Buffer | undefined;
  /** Adds at the end and says where that was; throws when it could not, and then nothing was added. */
  append(bytes: Uint8Array): number;
  /** Cuts what is stored to its first `bytes` bytes. */
  cut(bytes: number): void;
  /** Puts other bytes in the place of all, in one step, and keeps the old ones beside as `.bak`. */
  replace(bytes: Uint8Array): void;
  sync(): Promise<void>;
  close(): Promise<void>;
  /** Something will soon be appended: what can be ready for it is made ready. Never throws. */
  prepare?(): void;
  /** Makes this process the one writer. */
  lock?(): Result<undefined, LockFailure>;
  /** A disposable companion: the index of the entries. */
  readonly side?: SideFile | undefined;
}

/** Another process writes, or nobody can. */
export type LockFailure = "locked" | "unwritable";

export interface SideFile {
  read(): Buffer | undefined;
  /** Writes the index from byte `at` on. Never throws: an index that is not there is built again. */
  write(bytes: Uint8Array, at: number): void;
}

export function memoryStorage(text?: string): Storage {
  let room = Buffer.from(text ?? "");
  let size = text === undefined ? undefined : room.length;
  return {
    file: undefined,
    size: () => size,
    read: (from = 0, to) => (size === undefined ? undefined : room.subarray(from, Math.min(to ?? size, size))),
    append: (bytes) => {
      const start = size ?? 0;
      const end = start + bytes.length;
      // Doubling, not growing by each entry: what was read before keeps the old room.
      if (end > room.length) room = Buffer.concat([room.subarray(0, start)], Math.max(end * 2, 4096));
      room.set(bytes, start);
      size = end;
      return start;
    },
    cut: (bytes) => {
      size = Math.min(size ?? 0, bytes);
    },
    replace: (bytes) => {
      room = Buffer.from(bytes);
      size = room.length;
    },
    sync: async () => {},
    close: async () => {},
  };
}

/** The same session, for reading only: what is appended stays with whoever appends it. */
export function readOnly(storage: Storage, reason: string): Storage {
  const refuse = () => {
    throw new Error(reason);
  };
  const { lock: _, side, ...rest } = storage;
  return {
    ...rest,
    append: refuse,
    cut: refuse,
    replace: refuse,
    side: side && { read: side.read, write: () => {} },
  };
}

/** Other bytes in the place of what is stored, as far as a reader can tell; the first append makes it so. */
export function rewritten(storage: Storage, bytes: Buffer): Storage {
  const { side: _, ...rest } = storage;
  let waiting: Buffer | undefined = bytes;
  return {
    ...rest,
    size: () => waiting?.length ?? storage.size(),
    read: (from, to) => (waiting ? waiting.subarray(from, to) : storage.read(from, to)),
    append: (more) => {
      if (waiting) storage.replace(waiting);
      waiting = undefined;
      return storage.append(more);
    },
    cut: (size) => {
      waiting = waiting?.subarray(0, size);
    },
  };
}
