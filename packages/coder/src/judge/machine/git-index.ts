import { closeSync, fstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { openPlain } from "@pith/kit";

/** The files that git keeps of the repository around a directory. */
export interface Tracked {
  /** Where its files are. */
  root: string;
  /** By their paths; undefined where that cannot be told. */
  names: readonly string[] | undefined;
  /** Folders in it that are repositories of their own; undefined likewise. */
  inner: readonly string[] | undefined;
}

type Read = Pick<Tracked, "names" | "inner">;

export type IndexReader = (folder: string, root: string) => Tracked;

/** Reads the indexes of git directories; one is read again when it has changed. */
export function indexReader(): IndexReader {
  const known = new Map<string, Tracked & { stamp: string }>();
  return (folder, root) => {
    const file = join(folder, "index");
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
    const stamp = stat ? `${root} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : "";
    const before = known.get(file);
    if (before?.stamp === stamp) return before;
    const read = { stamp, root, ...(stat ? readIndex(file, root) : { names: [], inner: [] }) };
    if (known.size > mostKept) known.clear();
    known.set(file, read);
    return read;
  };
}

/** Undefined where nobody can tell: it is split, of another form, or not a file. */
const unknown: Read = { names: undefined, inner: undefined };

function readIndex(file: string, root: string): Read {
  try {
    const fd = openPlain(file, "followed");
    try {
      const isSplit = readdirSync(dirname(file)).some((name) => name.startsWith("sharedindex."));
      return isSplit || fstatSync(fd).size > mostBytes ? unknown : parsed(readFileSync(fd), root);
    } finally {
      closeSync(fd);
    }
  } catch {
    return unknown;
  }
}

/** Where one number does not fit, all of it is something else. */
function parsed(index: Buffer, root: string): Read {
  const version = index.readUInt32BE(4);
  if (index.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return unknown;
  const [names, inner]: [string[], string[]] = [[], []];
  let at = 12;
  let name = "";
  for (let count = index.readUInt32BE(8); count > 0; count--) {
    const flags = index.readUInt16BE(at + 60);
    const after = at + ((flags & 0x4000) === 0 ? 62 : 64);
    // The fourth version tells of a name only how it goes on from the one before.
    const [less, start] = version === 4 ? numberAt(index, after) : [name.length, after];
    const end = index.indexOf(0, start);
    const length = flags & 0xfff;
    if (end === -1 || less > name.length) return unknown;
    name = name.slice(0, name.length - less) + index.toString("latin1", start, end);
    if (length < 0xfff && name.length !== length) return unknown;
    const path = `${root}/${plain.test(name) ? name : Buffer.from(name, "latin1").toString("utf8")}`;
    const kind = index.readUInt32BE(at + 24) >>> 12;
    // A folder stands for all that is in it.
    if (kind === folder) return unknown;
    if (kind === gitlink) inner.push(path);
    names.push(path);
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
  }
  return { names, inner };
}

/** A number as git writes it, and where it ends. */
function numberAt(bytes: Buffer, from: number): [number, number] {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return [value, at];
}

/** What an entry is that stands for a commit of another repository. */
const gitlink = 0o16;
const folder = 0o4;
const plain = /^[\x20-\x7e]*$/;
const mostKept = 50;
const mostBytes = 64 * 1024 * 1024;
