/** Where a journal lives. `append` is one write and comes back when the bytes are with the system; `sync` when they are on the disk. */
export interface Storage {
  /** All bytes, for loading; undefined when there is nothing yet. */
  read(): Buffer | undefined;
  append(text: string): void;
  /** Cuts the stored text to its first `bytes` bytes. */
  cut(bytes: number): void;
  sync(): Promise<void>;
  close(): Promise<void>;
  /** The file, where there is one. */
  readonly file: string | undefined;
}

export function memoryStorage(text?: string): Storage {
  let stored = text === undefined ? undefined : Buffer.from(text);
  return {
    file: undefined,
    read: () => stored,
    append: (more) => {
      stored = Buffer.concat([stored ?? Buffer.alloc(0), Buffer.from(more)]);
    },
    cut: (bytes) => {
      stored = stored?.subarray(0, bytes);
    },
    sync: async () => {},
    close: async () => {},
  };
}
