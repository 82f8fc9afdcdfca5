import type { Result } from "@pith/kit";

/**
 * Storage of a journal. `append` is one write and returns when the system has the bytes; `sync` when the disk has them.
 */
export interface Storage {
  /** The file, if there is one. */
  readonly file: string | undefined;
  /** Bytes stored; undefined if nothing exists yet. */
  size(): number | undefined;
  /** Bytes from `from` to `to`, by default all; undefined if nothing exists yet. */
  read(from?: number, to?: number): Buffer | undefined;
  /** Appends and returns the offset; if it throws, nothing was appended. */
  append(bytes: Uint8Array): number;
  /** Truncates to `bytes` bytes. */
  cut(bytes: number): void;
  /** Replaces everything in one step; the old content is kept as `.bak`. */
  replace(bytes: Uint8Array): void;
  sync(): Promise<void>;
  close(): Promise<void>;
  /** Prepares for an append; never throws. */
  prepare?(): void;
  /** Locks it for this process. */
  lock?(): Result<unknown, LockFailure>;
  /** The index, which is disposable. */
  readonly side?: SideFile | undefined;
}

/** Another process writes, or nobody can. */
export type LockFailure = "locked" | "unwritable";

export interface SideFile {
  read(): Buffer | undefined;
  /** Writes from byte `at` on. Never throws: a missing index is rebuilt. */
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
      // Grows by doubling; earlier reads keep the old buffer.
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

/** A read-only view: appends throw. */
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

/** A view with other content; the first append writes it. */
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
