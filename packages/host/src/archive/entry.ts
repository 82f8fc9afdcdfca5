import { formatBytes } from "@pith/kit";
import type { FsKind } from "../fs/failure.ts";

export interface ArchiveEntry {
  /** With slashes, without a leading `./` or a trailing `/`. */
  name: string;
  type: "file" | "directory" | "link" | "other";
  size: number;
  /** The target of a link: the name of a member, or a path outside of the archive as it stands. */
  target?: string;
}

/** Unsupported: encrypted, or compressed in a way we do not know. */
export type ArchiveFailure = FsKind | "broken" | "no-member" | "unsupported";

/** Thrown by a format that cannot go on; `archive.ts` makes a failure of it. */
export class ArchiveFault extends Error {
  readonly kind: ArchiveFailure;
  constructor(kind: ArchiveFailure, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const fault = {
  broken: (why: string) => new ArchiveFault("broken", `the archive is damaged: ${why}`),
  unsupported: (why: string) => new ArchiveFault("unsupported", why),
  noMember: (name: string) => new ArchiveFault("no-member", `there is no ${name} in it`),
  absurd: () => new ArchiveFault("large", "it unpacks to absurdly much"),
  tooLong: (name: string, max: number) => new ArchiveFault("large", `${name} unpacks to more than ${formatBytes(max)}`),
  aborted: () => new ArchiveFault("aborted", "reading was stopped"),
};

export interface ArchiveListing {
  entries: ArchiveEntry[];
  /** Why reading ended early, so that there may be more: it would have taken too long, or was not possible. */
  cut: "complete" | "absurd" | "damaged";
}

/** Reads and writes the archives of a format. */
export interface Format {
  list(path: string, signal: AbortSignal): Promise<ArchiveListing>;
  /** The content of one file as it is unpacked; with `max`, a longer one may be refused before that. */
  pieces(path: string, name: string, signal: AbortSignal, max?: number): AsyncIterable<Buffer>;
  /** The bytes of the archive with one file in it replaced or added; `old` is undefined for a new archive. */
  copy(old: string | undefined, file: NewFile): AsyncIterable<Uint8Array>;
}

export interface NewFile {
  name: string;
  bytes: Uint8Array;
  /** Epoch milliseconds. */
  changed: number;
}

/** The content of one file; a longer one than `max` is refused as soon as that is seen. */
export async function wholeMember(
  format: Format,
  path: string,
  name: string,
  { max, signal }: { max: number; signal: AbortSignal },
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of format.pieces(path, name, signal, max)) {
    size += piece.length;
    if (size > max) throw fault.tooLong(name, max);
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}

/** The parts of a name that mean something. Strangers write names in archives: they are compared, never used as paths. */
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

/** Throws where a name would be a file and a directory at once: nobody could unpack that. */
export function mustFit(name: string, other: Pick<ArchiveEntry, "name" | "type">): void {
  const [inside, above] = [other.name.startsWith(`${name}/`), name.startsWith(`${other.name}/`)];
  if (inside || (other.name === name && other.type === "directory"))
    throw new ArchiveFault("directory", `${name} is a directory in it`);
  if (above && other.type !== "directory" && other.name !== "")
    throw new ArchiveFault("not-directory", `${other.name} is no directory in it`);
}
