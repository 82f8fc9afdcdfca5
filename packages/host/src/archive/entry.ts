import type { FsKind } from "../fs/failure.ts";

export interface ArchiveEntry {
  /** With slashes, without a leading `./` or a trailing `/`. */
  name: string;
  type: "file" | "directory" | "other";
  size: number;
}

export type ArchiveFailure = FsKind | "broken" | "no-member" | "unsupported"; // encrypted, or compressed in a way we do not know

/** Said by a reader when it cannot go on; caught at the door of the archive room. */
export class ArchiveFault extends Error {
  readonly kind: ArchiveFailure;
  constructor(kind: ArchiveFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Found {
  entries: ArchiveEntry[];
  /** Reading it to the end would have taken too long: there may be more. */
  cut: "complete" | "cut";
}

/** How every format is read and written. */
export interface Format {
  list(path: string, signal: AbortSignal): Promise<Found>;
  /** The content of one file; refused when it is longer than `max`. */
  read(path: string, name: string, max: number, signal: AbortSignal): Promise<Buffer>;
  /** The archive with one file in it replaced or added; `old` is undefined for a new archive. */
  copy(old: string | undefined, file: NewFile, put: (bytes: Uint8Array) => void): Promise<void>;
}

export interface NewFile {
  name: string;
  bytes: Uint8Array;
  /** Epoch milliseconds. */
  changed: number;
}

/** Names in archives are written by strangers: only their shape is used, never as a path. */
export const tidyName = (name: string): string =>
  name
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
