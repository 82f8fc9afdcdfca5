import { isUtf8 } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";
import { formatBytes } from "@pith/kit";
import { openFile } from "../fs/open.ts";
import { type ArchiveEntry, ArchiveFault, type Format, linkTarget, mustFit, type NewFile, tidyName } from "./entry.ts";

// ZIP as PKWARE's APPNOTE describes it, read from its directory at the end: one member costs one member, whatever the
// size of the rest. Sizes in a header are only claims; what is inflated is bounded.
export const zip: Format = {
  list: async (path) => ({ entries: withFile(path, uniqueEntries), cut: "complete" }),
  read: (path, name, max) =>
    withFile(path, (file) => {
      const member = memberOf(file, name);
      return inflate(member, file.body(member, max * 2), max);
    }),
  async *pieces(path, name, signal) {
    const { at, member } = withFile(path, (file) => {
      const member = memberOf(file, name);
      return { at: file.bodyAt(member), member };
    });
    const raw = bytesOf(path, at, member.packed, signal);
    if (member.method === 0) yield* raw;
    else if (member.method !== 8) throw strange(member);
    else
      try {
        for await (const piece of pipeline(Readable.from(raw), createInflateRaw(), () => {})) yield piece;
      } catch (thrown) {
        throw thrown instanceof ArchiveFault ? thrown : broken(`${name} cannot be unpacked`);
      }
  },
  copy: async (old, file, put) =>
    old === undefined
      ? writeZip([], file, put)
      : withFile(old, (opened) => writeZip(opened.members, file, put, opened)),
};

function memberOf({ members }: ZipFile, name: string): Member {
  const member = members.findLast((member) => tidyName(member.name) === name && !member.name.endsWith("/"));
  if (!member) throw new ArchiveFault("no-member", `there is no ${name} in it`);
  if (member.flags & 1) throw new ArchiveFault("unsupported", `${member.name} is encrypted`);
  return member;
}

const strange = ({ name, method }: Member): ArchiveFault =>
  new ArchiveFault("unsupported", `${name} is compressed by method ${method}`);

async function* bytesOf(path: string, from: number, count: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const opened = openFile(path);
  if (!opened.ok) throw new ArchiveFault(opened.kind, opened.message);
  try {
    for (let at = from; at < from + count; ) {
      if (signal.aborted) throw new ArchiveFault("aborted", "reading was stopped");
      const piece = Buffer.allocUnsafe(Math.min(256 * 1024, from + count - at));
      const got = readSync(opened.value.fd, piece, 0, piece.length, at);
      if (got === 0) throw broken("it ends too early");
      at += got;
      yield piece.subarray(0, got);
    }
  } finally {
    closeSync(opened.value.fd);
  }
}

interface Member {
  name: string;
  method: number;
  flags: number;
  packed: number;
  size: number;
  crc: number;
  offset: number;
  /** Its row of the directory, as it stands. */
  row: Buffer;
}

interface ZipFile {
  members: Member[];
  body(member: Member, max: number): Buffer;
  bodyAt(member: Member): number;
  /** The bytes of a member from its local header up to its end. */
  span(member: Member): { from: number; to: number };
  read(from: number, count: number): Buffer;
  /** What stands before the first member, as in a program that unpacks itself, and the remark at the end. */
  before: number;
  comment: Buffer;
}

function withFile<T>(path: string, use: (file: ZipFile) => T): T {
  const opened = openFile(path);
  if (!opened.ok) throw new ArchiveFault(opened.kind, opened.message);
  const { fd, stat } = opened.value;
  const read = (from: number, count: number): Buffer => {
    if (from < 0 || from + count > stat.size) throw broken("it points beyond its end");
    const bytes = Buffer.allocUnsafe(count);
    for (let at = 0; at < count; ) {
      const got = readSync(fd, bytes, at, count - at, from + at);
      if (got === 0) throw broken("it ends too early");
      at += got;
    }
    return bytes;
  };
  const bodyAt = ({ offset, packed }: Member): number => {
    const head = read(offset, 30);
    if (head.readUInt32LE(0) !== 0x04034b50) throw broken("a member is not where its directory says");
    const from = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    if (from + packed > stat.size) throw broken("a member is cut off");
    return from;
  };
  try {
    return use({
      ...directory(read, stat.size),
      read,
      bodyAt,
      body(member, max) {
        if (member.flags & 1) throw new ArchiveFault("unsupported", `${member.name} is encrypted`);
        if (member.packed > max) throw tooLong(member.name, max / 2);
        return read(bodyAt(member), member.packed);
      },
      span(member) {
        const body = bodyAt(member);
        // Bit 3: sizes stand behind the content, with or without a signature; the next header tells.
        const tail = member.flags & 8 ? trailer(read, body + member.packed, stat.size) : 0;
        return { from: member.offset, to: body + member.packed + tail };
      },
    });
  } finally {
    closeSync(fd);
  }
}

const maxDirectory = 32 * 1024 * 1024;

function directory(
  read: (from: number, count: number) => Buffer,
  size: number,
): Pick<ZipFile, "members" | "before" | "comment"> {
  const first = Math.max(0, size - 65_557);
  const tail = read(first, size - first);
  const at = lastEnd(tail);
  let count = tail.readUInt16LE(at + 10);
  let length = tail.readUInt32LE(at + 12);
  let start = tail.readUInt32LE(at + 16);
  let end = first + at;
  if (count === 0xffff || length === 0xffffffff || start === 0xffffffff) {
    const locator = tail.lastIndexOf(Buffer.from("PK\x06\x07"), at);
    if (locator === -1) throw broken("it has no directory");
    end = Number(tail.readBigUInt64LE(locator + 8));
    const wideEnd = read(end, 56);
    if (wideEnd.readUInt32LE(0) !== 0x06064b50) throw broken("it has no directory");
    count = Number(wideEnd.readBigUInt64LE(32));
    length = Number(wideEnd.readBigUInt64LE(40));
    start = Number(wideEnd.readBigUInt64LE(48));
  }
  if (length > maxDirectory)
    throw new ArchiveFault("large", `its directory is larger than ${formatBytes(maxDirectory)}`);
  // The directory stands right before its end; where it says to stand elsewhere, something was put before the archive.
  const before = Math.max(0, end - length - start);
  return { members: rows(read(start + before, length), count, before), before, comment: tail.subarray(at + 22) };
}

/** The record at the end. Its own remark may hold one as well: the right one ends where the file does. */
function lastEnd(tail: Buffer): number {
  const mark = Buffer.from("PK\x05\x06");
  let last = -1;
  for (let at = tail.lastIndexOf(mark); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(mark, at - 1)) {
    if (at + 22 > tail.length) continue;
    if (at + 22 + tail.readUInt16LE(at + 20) === tail.length) return at;
    last = Math.max(last, at);
  }
  if (last === -1) throw broken("it has no directory");
  return last;
}

function rows(bytes: Buffer, count: number, before: number): Member[] {
  const members: Member[] = [];
  for (let at = 0; members.length < count; ) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw broken("its directory is damaged");
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const end = at + 46 + nameLength + extraLength + noteLength;
    if (end > bytes.length) throw broken("its directory is damaged");
    const row = bytes.subarray(at, end);
    const fields = wide(row, row.subarray(46 + nameLength, 46 + nameLength + extraLength));
    members.push({
      name: nameOf(row.subarray(46, 46 + nameLength)),
      flags: row.readUInt16LE(8),
      method: row.readUInt16LE(10),
      crc: row.readUInt32LE(16),
      ...fields,
      offset: fields.offset + before,
      row,
    });
    at = end;
  }
  return members;
}

/** UTF-8, or what DOS wrote. */
const nameOf = (bytes: Buffer): string =>
  isUtf8(bytes)
    ? bytes.toString()
    : Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : dos[byte - 128])).join("");
const dos = [
  ..."ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
  ..."└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
];

/** Sizes that do not fit into 32 bits stand in an extra field, in the order of those that do not fit. */
function wide(row: Buffer, extra: Buffer): Pick<Member, "size" | "packed" | "offset"> {
  const fields = { size: row.readUInt32LE(24), packed: row.readUInt32LE(20), offset: row.readUInt32LE(42) };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    for (const name of ["size", "packed", "offset"] as const) {
      if (fields[name] !== 0xffffffff || from + 8 > extra.length) continue;
      fields[name] = Number(extra.readBigUInt64LE(from));
      from += 8;
    }
  }
  return fields;
}

function trailer(read: (from: number, count: number) => Buffer, at: number, size: number): number {
  const next = read(at, Math.min(28, size - at));
  for (const length of [16, 12, 24, 20]) {
    const mark = next.length >= length + 4 ? next.readUInt32LE(length) : 0;
    if (mark === 0x04034b50 || mark === 0x02014b50 || mark === 0x08064b50) return length;
  }
  return 0;
}

async function inflate(member: Member, body: Buffer, max: number): Promise<Buffer> {
  if (member.method !== 0 && member.method !== 8) throw strange(member);
  if (member.method === 0 && body.length > max) throw tooLong(member.name, max);
  const bytes =
    member.method === 0
      ? body
      : await new Promise<Buffer>((done, failed) =>
          inflateRaw(body, { maxOutputLength: max }, (error, got) =>
            error ? failed(damage(error, member.name, max)) : done(got),
          ),
        );
  if (crc32(bytes) !== member.crc) throw broken(`${member.name} does not have the content that was packed`);
  return bytes;
}

const damage = (error: NodeJS.ErrnoException, name: string, max: number): ArchiveFault =>
  error.code === "ERR_BUFFER_TOO_LARGE" ? tooLong(name, max) : broken(`${name} cannot be unpacked`);

function uniqueEntries(file: ZipFile): ArchiveEntry[] {
  const entries = new Map<string, ArchiveEntry>();
  for (const member of file.members) {
    const tidy = tidyName(member.name);
    if (tidy !== "") entries.set(tidy, entryOf(file, member, tidy));
  }
  return [...entries.values()];
}

function entryOf(file: ZipFile, member: Member, name: string): ArchiveEntry {
  const { size } = member;
  if (!isLink(member) || size > 4096 || member.packed > 4096 || member.flags & 1)
    return { name, type: /[/\\]$/.test(member.name) ? "directory" : "file", size };
  const body = file.body(member, 8192);
  return {
    name,
    type: "link",
    size: 0,
    target: linkTarget(name, (member.method === 8 ? inflateRawSync(body, { maxOutputLength: 4096 }) : body).toString()),
  };
}

/** As Unix marks one, in the mode that stands in the directory. */
const isLink = ({ row }: Member): boolean => row[5] === 3 && row.readUInt16LE(40) >> 12 === 0o12;

/** Other members are copied as they stand, byte for byte. */
function writeZip(members: readonly Member[], file: NewFile, put: (bytes: Uint8Array) => void, old?: ZipFile): void {
  const kept = members.filter((member) => tidyName(member.name) !== file.name);
  const replaced = members.find((member) => tidyName(member.name) === file.name);
  for (const member of members)
    mustFit(file.name, {
      name: tidyName(member.name),
      type: /[/\\]$/.test(member.name) ? "directory" : "file",
      size: 0,
    });
  if (kept.length + 1 >= 0xffff) throw new ArchiveFault("unsupported", "it has too many members to be changed");
  let at = 0;
  const directory: Buffer[] = [];
  const add = (bytes: Uint8Array) => {
    put(bytes);
    at += bytes.length;
    if (at > 0xfffffffe) throw new ArchiveFault("unsupported", "it is too large to be changed");
  };
  if (old && old.before > 0) add(old.read(0, old.before));
  for (const member of kept) {
    const row = Buffer.from(member.row);
    if (row.readUInt32LE(42) === 0xffffffff) throw new ArchiveFault("unsupported", "it is too large to be changed");
    row.writeUInt32LE(at, 42);
    directory.push(row);
    const { from, to } = old?.span(member) ?? { from: 0, to: 0 };
    for (let piece = from; piece < to; piece += 1024 * 1024)
      add(old?.read(piece, Math.min(1024 * 1024, to - piece)) ?? new Uint8Array());
  }
  const { head, body, row } = pack(file, at, replaced);
  add(head);
  add(body);
  const start = at;
  for (const entry of [...directory, row]) add(entry);
  const comment = old?.comment ?? Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(kept.length + 1, 8);
  end.writeUInt16LE(kept.length + 1, 10);
  end.writeUInt32LE(at - start, 12);
  end.writeUInt32LE(start, 16);
  end.writeUInt16LE(comment.length, 20);
  put(Buffer.concat([end, comment]));
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
  // Version, flags (names are UTF-8), method, time, day, crc, packed, size, length of the name: the same in both
  // headers.
  const common = Buffer.alloc(26);
  for (const [field, value] of [
    [0, 20],
    [2, 0x800],
    [4, method],
    [6, time],
    [8, day],
    [22, title.length],
  ] as const)
    common.writeUInt16LE(value, field);
  for (const [field, value] of [
    [10, crc32(bytes)],
    [14, body.length],
    [18, bytes.length],
  ] as const)
    common.writeUInt32LE(value, field);
  const row = Buffer.alloc(46);
  row.writeUInt32LE(0x02014b50, 0);
  row.writeUInt16LE(0x0314, 4);
  common.copy(row, 6);
  row.writeUInt32LE(old && !isLink(old) ? old.row.readUInt32LE(38) : (0o100644 << 16) >>> 0, 38);
  row.writeUInt32LE(offset, 42);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(0x04034b50, 0);
  return { head: Buffer.concat([head, common, title]), body, row: Buffer.concat([row, title]) };
}

const broken = (why: string): ArchiveFault => new ArchiveFault("broken", `the archive is damaged: ${why}`);
const tooLong = (name: string, max: number): ArchiveFault =>
  new ArchiveFault("large", `${name} unpacks to more than ${formatBytes(max)}`);
