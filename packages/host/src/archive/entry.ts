import type { FsKind } from "../fs/failure.ts";

export interface ArchiveEntry {
  /** With slashes, without a leading `./` or a trailing `/`. */
  name: string;
  type: "file" | "directory" | "link" | "other";
  size: number;
  /** Where a link leads: the name of a member, or a path outside of the archive as it stands. */
  target?: string;
}

/** Unsupported: encrypted, or compressed in a way we do not know. */
export type ArchiveFailure = FsKind | "broken" | "no-member" | "unsupported";

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
  /** Reading it to the end would have taken too long, or was not possible: there may be more. */
  cut: "complete" | "absurd" | "damaged";
}

/** How every format is read and written. */
export interface Format {
  list(path: string, signal: AbortSignal): Promise<Found>;
  /** The content of one file; refused when it is longer than `max`. */
  read(path: string, name: string, max: number, signal: AbortSignal): Promise<Buffer>;
  /** The same for a file of any length, as it is unpacked. */
  pieces(path: string, name: string, signal: AbortSignal): AsyncIterable<Buffer>;
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

/** A symbolic link is read from where it stands; one that leads out of the archive keeps its path. */
export function linkTarget(name: string, link: string): string {
  const way = [...(link.startsWith("/") ? [".."] : name.split("/").slice(0, -1)), ...link.split("/")];
  const steps: string[] = [];
  for (const part of way) {
    if (part === ".." && steps.pop() === undefined) return link;
    if (part !== "" && part !== "." && part !== "..") steps.push(part);
  }
  return steps.join("/");
}

/** A name is a file or a directory, never both: nobody could unpack that. */
export function mustFit(name: string, other: ArchiveEntry): void {
  const [inside, above] = [other.name.startsWith(`${name}/`), name.startsWith(`${other.name}/`)];
  if (inside || (other.name === name && other.type === "directory"))
    throw new ArchiveFault("directory", `${name} is a directory in it`);
  if (above && other.type !== "directory" && other.name !== "")
    throw new ArchiveFault("not-directory", `${other.name} is no directory in it`);
}
