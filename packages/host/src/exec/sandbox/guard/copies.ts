import { readlinkSync, type Stats } from "node:fs";
import { hasher, linkStat, tryOr } from "@pith/kit";
import { readRegular } from "../../../git/repository.ts";

/** A file as it was. */
export interface FileCopy {
  /** Changes with every change of the file; no program can set what it is made of. */
  print: string;
  /** Equal for equal contents. */
  content: string;
  /** The bytes in it, where they are kept. */
  bytes: Buffer | undefined;
  mode: number;
}

/** Copies of files as they were when they were looked at; each is read again only when it has changed. */
export class FileCopies {
  readonly #kept = new Map<string, FileCopy>();
  #room = mostKept;

  /** The file as it is now; undefined where there is neither a file nor a link. */
  take(path: string): FileCopy | undefined {
    const stat = linkStat(path);
    if (!stat || stat.isDirectory()) return undefined;
    const print = printOf(stat);
    const known = this.#kept.get(path);
    if (known?.print === print) return known;
    const copy = { ...readCopy(path, stat), print, mode: stat.mode & 0o7777 };
    this.#room += known?.bytes?.length ?? 0;
    if ((copy.bytes?.length ?? 0) > this.#room) copy.bytes = undefined;
    this.#room -= copy.bytes?.length ?? 0;
    this.#kept.set(path, copy);
    return copy;
  }
}

const printOf = ({ dev, ino, birthtimeMs, ctimeMs, size }: Stats): string =>
  [dev, ino, birthtimeMs, ctimeMs, size].join(":");

function readCopy(path: string, stat: Stats): Pick<FileCopy, "content" | "bytes"> {
  if (stat.isSymbolicLink()) return { content: `link ${tryOr(() => readlinkSync(path), "")}`, bytes: undefined };
  const bytes = tryOr(() => readRegular(path, { maxBytes: largest, links: "refuse" }));
  // What cannot be read is another thing after every change.
  if (!bytes) return { content: `unread ${printOf(stat)}`, bytes: undefined };
  return { content: hasher("sha256").update(bytes).digest("hex"), bytes };
}

const largest = 1024 * 1024;
const mostKept = 16 * 1024 * 1024;
