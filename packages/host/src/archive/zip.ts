import { isUtf8 } from "node:buffer";
import { closeSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import { formatBytes, readRange } from "@pith/kit";
import { openArchive } from "./bytes.ts";
import {
  type ArchiveEntry,
  ArchiveFault,
  type Format,
  fault,
  linkTarget,
  mustFit,
  type NewFile,
  tidyName,
} from "./entry.ts";

// ZIP as PKWARE's APPNOTE describes it, read from its directory at the end: one member costs one member, whatever the
// size of the rest. Sizes in a header are only claims; whoever takes pieces says when it is enough.
export const zip: Format = {
  async list(path) {
    using file = new ZipFile(path);
    const entries = new Map<string, ArchiveEntry>();
    for (const member of file.members) if (member.tidy !== "") entries.set(member.tidy, entryOf(file, member));
    return { entries: [...entries.values()], cut: "complete" };
  },
  async *pieces(path, name, signal) {
    using file = new ZipFile(path);
    const member = file.members.findLast((member) => member.tidy === name && !member.name.endsWith("/"));
    if (!member) throw fault.noMember(name);
    if (member.flags & 1) throw fault.unsupported(`${member.name} is encrypted`);
    if (member.method !== 0 && member.method !== 8)
      throw fault.unsupported(`${member.name} is compressed by method ${member.method}`);
    const raw = storedBytes(file, member, signal);
    let sum = 0;
    try {
      for await (const piece of member.method === 0
        ? raw
        : pipeline(Readable.from(raw), createInflateRaw(), () => {})) {
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (thrown) {
      throw thrown instanceof ArchiveFault ? thrown : fault.broken(`${name} cannot be unpacked`);
    }
    if (sum !== member.crc) throw fault.broken(`${member.name} does not have the content that was packed`);
  },
  async *copy(old, file) {
    using opened = old === undefined ? undefined : new ZipFile(old);
    yield* zipBytes(opened, file);
  },
};

async function* storedBytes(file: ZipFile, member: Member, signal: AbortSignal): AsyncGenerator<Buffer> {
  const from = file.bodyAt(member);
  for (const piece of inSteps(file, from, from + member.packed)) {
    if (signal.aborted) throw fault.aborted();
    yield piece;
  }
}

const step = 256 * 1024;

function* inSteps(file: ZipFile, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; at += step) yield file.read(at, Math.min(step, to - at));
}

interface Member {
  name: string;
  /** The name as it is compared and listed. */
  tidy: string;
  method: number;
  flags: number;
  packed: number;
  size: number;
  crc: number;
  offset: number;
  /** Permissions and the like, where Unix has packed it. */
  mode: number | undefined;
  /** Its row of the directory, as it stands. */
  row: Buffer;
}

/** Reads numbers of two (H) and four (I) bytes that stand one after the other. */
function fields(bytes: Buffer, format: string, from = 0): number[] {
  let at = from;
  return [...format].map((letter) => {
    const width = letter === "H" ? 2 : 4;
    at += width;
    return bytes.readUIntLE(at - width, width);
  });
}

/** Writes numbers of two (H) and four (I) bytes one after the other. */
function struct(format: string, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(format.length * 4);
  let at = 0;
  for (const [i, letter] of [...format].entries()) at = bytes.writeUIntLE(values[i] ?? 0, at, letter === "H" ? 2 : 4);
  return bytes.subarray(0, at);
}

class ZipFile implements Disposable {
  readonly #fd: number;
  readonly #size: number;
  readonly members: readonly Member[];
  /** Bytes before the first member, as in a program that unpacks itself. */
  readonly before: number;
  /** The remark at the end. */
  readonly comment: Buffer;

  constructor(path: string) {
    const { fd, stat } = openArchive(path);
    this.#fd = fd;
    this.#size = stat.size;
    try {
      const { directory, count, before, comment } = this.#directory();
      this.before = before;
      this.comment = comment;
      this.members = membersIn(directory, count, before);
    } catch (thrown) {
      closeSync(fd);
      throw thrown;
    }
  }

  read(from: number, count: number): Buffer {
    if (from < 0 || from + count > this.#size) throw fault.broken("it points beyond its end");
    const bytes = readRange(this.#fd, from, from + count);
    if (bytes.length < count) throw fault.broken("it ends too early");
    return bytes;
  }

  bodyAt({ offset, packed }: Member): number {
    const head = this.read(offset, 30);
    if (head.readUInt32LE(0) !== 0x04034b50) throw fault.broken("a member is not where its directory says");
    const from = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    if (from + packed > this.#size) throw fault.broken("a member is cut off");
    return from;
  }

  /** The end of a member, which begins with its local header. */
  endOf(member: Member): number {
    const end = this.bodyAt(member) + member.packed;
    // Bit 3: sizes stand behind the content, with or without a signature; the next header tells.
    if (!(member.flags & 8)) return end;
    const next = this.read(end, Math.min(28, this.#size - end));
    const length = [16, 12, 24, 20].find(
      (length) => next.length >= length + 4 && [0x04034b50, 0x02014b50, 0x08064b50].includes(next.readUInt32LE(length)),
    );
    return end + (length ?? 0);
  }

  #directory(): { directory: Buffer; count: number; before: number; comment: Buffer } {
    const first = Math.max(0, this.#size - 65_557);
    const tail = this.read(first, this.#size - first);
    const at = lastEnd(tail);
    let [count = 0, length = 0, start = 0] = fields(tail, "HII", at + 10);
    let end = first + at;
    if (count === 0xffff || length === 0xffffffff || start === 0xffffffff) {
      const locator = tail.lastIndexOf(Buffer.from("PK\x06\x07"), at);
      if (locator === -1) throw fault.broken("it has no directory");
      end = Number(tail.readBigUInt64LE(locator + 8));
      const wide = this.read(end, 56);
      if (wide.readUInt32LE(0) !== 0x06064b50) throw fault.broken("it has no directory");
      [count, length, start] = [32, 40, 48].map((at) => Number(wide.readBigUInt64LE(at))) as [number, number, number];
    }
    if (length > maxDirectory)
      throw new ArchiveFault("large", `its directory is larger than ${formatBytes(maxDirectory)}`);
    // The directory stands right before its end; where it says otherwise, something was put before the archive.
    const before = Math.max(0, end - length - start);
    return { directory: this.read(start + before, length), count, before, comment: tail.subarray(at + 22) };
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

const maxDirectory = 32 * 1024 * 1024;

/** The record at the end. Its own remark may hold one as well: the right one ends where the file does. */
function lastEnd(tail: Buffer): number {
  const mark = Buffer.from("PK\x05\x06");
  let last = -1;
  for (let at = tail.lastIndexOf(mark); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(mark, at - 1)) {
    if (at + 22 > tail.length) continue;
    if (at + 22 + tail.readUInt16LE(at + 20) === tail.length) return at;
    last = Math.max(last, at);
  }
  if (last === -1) throw fault.broken("it has no directory");
  return last;
}

function membersIn(directory: Buffer, count: number, before: number): Member[] {
  const members: Member[] = [];
  for (let at = 0; members.length < count; ) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw fault.broken("its directory is damaged");
    const [nameLength = 0, extraLength = 0, noteLength = 0] = fields(directory, "HHH", at + 28);
    const end = at + 46 + nameLength + extraLength + noteLength;
    if (end > directory.length) throw fault.broken("its directory is damaged");
    const row = directory.subarray(at, end);
    const [flags = 0, method = 0, , , crc = 0] = fields(row, "HHHHI", 8);
    const name = nameIn(row.subarray(46, 46 + nameLength));
    const sizes = wideSizes(row, row.subarray(46 + nameLength, 46 + nameLength + extraLength));
    const mode = row[5] === 3 ? row.readUInt16LE(40) : undefined;
    const member = { name, tidy: tidyName(name), flags, method, crc, mode, row, ...sizes };
    members.push({ ...member, offset: sizes.offset + before });
    at = end;
  }
  return members;
}

/** A name in UTF-8, or as DOS wrote it. */
const nameIn = (bytes: Buffer): string =>
  isUtf8(bytes)
    ? bytes.toString()
    : Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : dos[byte - 128])).join("");
const dos = [
  ..."ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
  ..."└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
];

/** Sizes that do not fit into 32 bits stand in an extra field, in the order of those that do not fit. */
function wideSizes(row: Buffer, extra: Buffer): Pick<Member, "size" | "packed" | "offset"> {
  const sizes = { size: row.readUInt32LE(24), packed: row.readUInt32LE(20), offset: row.readUInt32LE(42) };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    for (const name of ["size", "packed", "offset"] as const) {
      if (sizes[name] !== 0xffffffff || from + 8 > extra.length) continue;
      sizes[name] = Number(extra.readBigUInt64LE(from));
      from += 8;
    }
  }
  return sizes;
}

const typeOf = ({ name }: Member): "directory" | "file" => (/[/\\]$/.test(name) ? "directory" : "file");
const isLink = ({ mode = 0 }: Member): boolean => mode >> 12 === 0o12;

function entryOf(file: ZipFile, member: Member): ArchiveEntry {
  const { tidy: name, size, packed, flags, method } = member;
  if (!isLink(member) || size > 4096 || packed > 4096 || flags & 1) return { name, type: typeOf(member), size };
  const body = file.read(file.bodyAt(member), packed);
  const target = method === 8 ? inflateRawSync(body, { maxOutputLength: 4096 }) : body;
  return { name, type: "link", size: 0, target: linkTarget(name, target.toString()) };
}

/** All members byte for byte, the new file behind them, and a directory of what is there. */
function* zipBytes(old: ZipFile | undefined, file: NewFile): Generator<Uint8Array> {
  const members = old?.members ?? [];
  for (const member of members) mustFit(file.name, { name: member.tidy, type: typeOf(member) });
  const kept = members.filter(({ tidy }) => tidy !== file.name);
  if (kept.length + 1 >= 0xffff) throw fault.unsupported("it has too many members to be changed");
  let at = 0;
  const placed = (bytes: Uint8Array): Uint8Array => {
    at += bytes.length;
    if (at > 0xfffffffe) throw fault.unsupported("it is too large to be changed");
    return bytes;
  };
  const rows: Uint8Array[] = [];
  if (old) for (const piece of inSteps(old, 0, old.before)) yield placed(piece);
  for (const member of old ? kept : []) {
    const row = Buffer.from(member.row);
    if (row.readUInt32LE(42) === 0xffffffff) throw fault.unsupported("it is too large to be changed");
    row.writeUInt32LE(at, 42);
    rows.push(row);
    if (old) for (const piece of inSteps(old, member.offset, old.endOf(member))) yield placed(piece);
  }
  const { head, body, row } = pack(
    file,
    at,
    members.find(({ tidy }) => tidy === file.name),
  );
  yield placed(head);
  yield placed(body);
  const start = at;
  for (const entry of [...rows, row]) yield placed(entry);
  const comment = old?.comment ?? Buffer.alloc(0);
  const count = kept.length + 1;
  yield struct("IHHHHIIH", 0x06054b50, 0, 0, count, count, at - start, start, comment.length);
  yield comment;
}

function pack(
  { name, bytes, changed }: NewFile,
  offset: number,
  old: Member | undefined,
): { head: Buffer; body: Uint8Array; row: Buffer } {
  const title = Buffer.from(name);
  const deflated = deflateRawSync(bytes);
  const [method, body] = deflated.length < bytes.length ? [8, deflated] : [0, bytes];
  const when = new Date(changed);
  const time = (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1);
  const day = (Math.max(0, when.getFullYear() - 1980) << 9) | ((when.getMonth() + 1) << 5) | when.getDate();
  // Version, flags (names are UTF-8), and so on up to the length of what stands behind the name: the same in both
  // headers.
  const values = [20, 0x800, method, time, day, crc32(bytes), body.length, bytes.length, title.length, 0] as const;
  const common = struct("HHHHHIIIHH", ...values);
  const attributes = old && !isLink(old) ? old.row.readUInt32LE(38) : (0o100644 << 16) >>> 0;
  return {
    head: Buffer.concat([struct("I", 0x04034b50), common, title]),
    body,
    row: Buffer.concat([struct("IH", 0x02014b50, 0x0314), common, struct("HHHII", 0, 0, 0, attributes, offset), title]),
  };
}
