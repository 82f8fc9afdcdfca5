import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { type Bytes, openBytes, type Packing } from "./bytes.ts";
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

/** tar as POSIX (pax, ustar) and GNU write it, read as a stream. */
export const tar = (packing: Packing): Format => ({
  async list(path, signal) {
    const entries = new Map<string, ArchiveEntry>();
    const damage: Damage = {};
    await using bytes = openBytes(path, packing, signal);
    for await (const { name, type, size, target } of untilDamage(walk(bytes, signal), damage))
      if (name !== "") entries.set(name, { name, type, size, target });
    if (damage.fault && entries.size === 0) throw damage.fault;
    return { entries: [...entries.values()], cut: bytes.absurd() ? "absurd" : damage.fault ? "damaged" : "complete" };
  },
  async *pieces(path, wanted, signal, max) {
    const { index, content } = await findLast(openBytes(path, packing, signal), wanted, signal, max);
    if (content) return yield content;
    await using bytes = openBytes(path, packing, signal);
    let at = 0;
    for await (const entry of walk(bytes, signal)) {
      if (at++ < index) continue;
      if (entry.sparse) throw fault.unsupported(`${wanted} is a large file with holes`);
      return yield* inSteps(entry, entry.stored);
    }
  },
  copy(old, file) {
    if (packing !== "plain" && packing !== "gzip")
      throw fault.unsupported(`it is packed by ${packing}, which is only read`);
    const bytes = copied(old, packing, file);
    return packing === "plain" ? bytes : pipeline(Readable.from(bytes), createGzip(), () => {});
  },
});

/** The last file of a name, which replaces those before it; with `max` its content, or a refusal where it is longer. */
async function findLast(
  opened: Bytes,
  wanted: string,
  signal: AbortSignal,
  max: number | undefined,
): Promise<{ index: number; content?: Buffer | undefined }> {
  await using bytes = opened;
  const damage: Damage = {};
  let last: { index: number; content?: Buffer | undefined } | undefined;
  let index = 0;
  for await (const entry of untilDamage(walk(bytes, signal), damage)) {
    if (entry.name === wanted && entry.type === "file") {
      if (max !== undefined && Math.max(entry.size, entry.stored) > max) throw fault.tooLong(wanted, max);
      const content = max === undefined ? undefined : unfolded(entry, Buffer.from(await entry.take(entry.stored)));
      last = { index, content };
    }
    index++;
  }
  if (!last) throw damage.fault ?? fault.noMember(wanted);
  return last;
}

type Damage = { fault?: ArchiveFault };

/** The entries before the damage, which can still be read. */
async function* untilDamage(entries: AsyncIterable<TarEntry>, damage: Damage): AsyncGenerator<TarEntry> {
  try {
    yield* entries;
  } catch (thrown) {
    if (!(thrown instanceof ArchiveFault) || thrown.kind !== "broken") throw thrown;
    damage.fault = thrown;
  }
}

const never = new AbortController().signal;
const padded = (size: number): number => Math.ceil(size / 512) * 512;

interface TarEntry extends ArchiveEntry {
  mode: string;
  /** Bytes it takes in the archive. */
  stored: number;
  sparse?: Sparse | undefined;
  /** Its headers as they stand, those that say more about it included. */
  blocks: Buffer[];
  /** The next of its stored bytes; those that are not taken are passed over. */
  take(count: number): Promise<Buffer>;
}

/** The stored pieces of a file with holes; "inside" when the list of them stands before its content. */
type Sparse = Piece[] | "inside";

interface Piece {
  at: number;
  length: number;
}

/** All members, the new file in the place of the one it replaces. */
async function* copied(old: string | undefined, packing: Packing, file: NewFile): AsyncGenerator<Uint8Array> {
  let placed = false;
  if (old !== undefined) {
    await using bytes = openBytes(old, packing, never);
    for await (const entry of walk(bytes, never)) {
      mustFit(file.name, entry);
      if (entry.name !== file.name) {
        yield* entry.blocks;
        yield* inSteps(entry, padded(entry.stored));
      } else if (!placed) {
        placed = true;
        yield* pack(file, entry.type === "file" ? entry.mode : "0000644");
      }
    }
    if (bytes.absurd()) throw fault.absurd();
  }
  if (!placed) yield* pack(file, "0000644");
  yield Buffer.alloc(1024);
}

const step = 1024 * 1024;

async function* inSteps({ take }: TarEntry, count: number): AsyncGenerator<Buffer> {
  for (let left = count; left > 0; left -= step) yield await take(Math.min(left, step));
}

/** Facts about an entry from the headers of their own before it. */
interface Extras {
  name?: string;
  size?: number;
  link?: string;
  /** The size of a file with holes. */
  whole?: number;
  sparse?: Sparse;
}

async function* walk(bytes: Bytes, signal: AbortSignal): AsyncGenerator<TarEntry> {
  let extras: Extras = {};
  let blocks: Buffer[] = [];
  for (let count = 0; ; count++) {
    if (signal.aborted) throw fault.aborted();
    if (count % 1000 === 999) await new Promise(setImmediate);
    const head = Buffer.from(await bytes.take(512));
    if (bytes.absurd() || head.every((byte) => byte === 0)) return;
    if (head.length < 512) throw fault.broken("it ends too early");
    checkSum(head);
    blocks.push(head);
    const kind = String.fromCharCode(head[156] ?? 0);
    if (/[xgLK]/.test(kind)) {
      const size = number(head, 124, 12);
      if (size > maxExtra) throw fault.broken("a header is too long");
      const extra = Buffer.from(await whole(bytes, padded(size)));
      blocks.push(extra);
      const more = kind === "x" ? pax(extra.subarray(0, size)) : longName(kind, text(extra.subarray(0, size)));
      extras = { ...extras, ...more };
      continue;
    }
    const holes = kind === "S" ? await oldHoles(bytes, head, blocks) : {};
    const entry = entryOf(head, kind, { ...holes, ...extras }, blocks);
    let left = padded(entry.stored);
    const take = (size: number) => {
      left -= size;
      return whole(bytes, size);
    };
    yield { ...entry, take };
    await bytes.skip(left);
    [extras, blocks] = [{}, []];
  }
}

const longName = (kind: string, name: string): Extras => (kind === "L" ? { name } : kind === "K" ? { link: name } : {});

function entryOf(head: Buffer, kind: string, extras: Extras, blocks: Buffer[]): Omit<TarEntry, "take"> {
  // GNU uses the place of the prefix for other things.
  const prefix =
    head.toString("latin1", 257, 263) === "ustar\0" && head[345] !== 0 ? `${text(head.subarray(345, 500))}/` : "";
  const full = extras.name ?? prefix + text(head.subarray(0, 100));
  const name = tidyName(full);
  // Links and devices have no content, whatever their header says.
  const stored = /[1-6]/.test(kind) ? 0 : (extras.size ?? number(head, 124, 12));
  const { whole: size = stored, sparse } = extras;
  const entry = { name, size, stored, mode: head.toString("latin1", 100, 107), blocks, sparse };
  if (/[12]/.test(kind)) {
    const link = extras.link ?? text(head.subarray(157, 257));
    return { ...entry, type: "link", target: kind === "1" ? tidyName(link) : linkTarget(name, link) };
  }
  return { ...entry, type: kind === "5" || full.endsWith("/") ? "directory" : /[07S\0]/.test(kind) ? "file" : "other" };
}

/** The holes of a file as GNU wrote them first: in its header, and in as many blocks behind it as they take. */
async function oldHoles(bytes: Bytes, head: Buffer, blocks: Buffer[]): Promise<Extras> {
  const pieces = pieceList(head, 386, 4);
  for (let more = head[482] === 1; more; ) {
    const block = Buffer.from(await whole(bytes, 512));
    blocks.push(block);
    pieces.push(...pieceList(block, 0, 21));
    more = block[504] === 1;
    if (blocks.length > maxExtra / 512) throw fault.broken("a header is too long");
  }
  return { sparse: pieces, whole: number(head, 483, 12) };
}

const pieceList = (block: Buffer, from: number, count: number): Piece[] =>
  Array.from({ length: count }, (_, i) => from + i * 24)
    .filter((at) => block[at] !== 0)
    .map((at) => ({ at: number(block, at, 12), length: number(block, at + 12, 12) }));

/** The content of a file, its holes filled with zeros. */
function unfolded({ size, sparse }: TarEntry, stored: Buffer): Buffer {
  if (!sparse) return stored;
  const { list, from } = sparse === "inside" ? insidePieces(stored) : { list: sparse, from: 0 };
  const filled = Buffer.alloc(size);
  let at = from;
  for (const piece of list) {
    if (piece.at + piece.length > size || at + piece.length > stored.length)
      throw fault.broken("the holes of a file do not fit");
    stored.copy(filled, piece.at, at, at + piece.length);
    at += piece.length;
  }
  return filled;
}

/**
 * Numbers, one per line: how many pieces, then where each begins and how long it is. The content begins with the next
 * block.
 */
function insidePieces(stored: Buffer): { list: Piece[]; from: number } {
  let at = 0;
  const next = (): number => {
    const end = stored.indexOf(10, at);
    const value = end === -1 || end - at > 20 ? Number.NaN : Number(stored.toString("latin1", at, end));
    if (!Number.isSafeInteger(value) || value < 0) throw fault.broken("the holes of a file do not fit");
    at = end + 1;
    return value;
  };
  const list: Piece[] = [];
  for (let left = next(); left > 0; left--) list.push({ at: next(), length: next() });
  return { list, from: padded(at) };
}

const maxExtra = 1024 * 1024;

async function whole(bytes: Bytes, count: number): Promise<Buffer> {
  const got = await bytes.take(count);
  if (got.length < count) throw bytes.absurd() ? fault.absurd() : fault.broken("it ends too early");
  return got;
}

const text = (bytes: Buffer): string =>
  bytes.toString("utf8", 0, bytes.indexOf(0) === -1 ? bytes.length : bytes.indexOf(0));

/** Octal digits, or base 256 when the first bit is set. */
function number(head: Buffer, from: number, length: number): number {
  const field = head.subarray(from, from + length);
  if ((field[0] ?? 0) & 0x80) return Number(field.subarray(length - 8).readBigUInt64BE() & 0x1fffffffffffffn);
  const value = Number.parseInt(field.toString("latin1").replace(/\0.*$/s, "").trim() || "0", 8);
  if (!Number.isFinite(value) || value < 0) throw fault.broken("a size is not a number");
  return value;
}

function checkSum(head: Buffer): void {
  let sum = 8 * 32;
  for (let i = 0; i < 512; i++) if (i < 148 || i >= 156) sum += head[i] ?? 0;
  if (sum !== number(head, 148, 8)) throw fault.broken("a header has the wrong sum");
}

const listOf = ({ sparse }: Extras): Piece[] => (Array.isArray(sparse) ? sparse : []);

/** Reads one record, given those before it. */
const paxKeys: Readonly<Record<string, (value: string, extras: Extras) => Extras>> = {
  path: (name, extras) => ({ name: extras.name ?? name }),
  size: (size) => ({ size: Number(size) }),
  linkpath: (link) => ({ link }),
  // Files with holes, in the four ways that tar has written them over the years.
  "GNU.sparse.name": (name) => ({ name }),
  "GNU.sparse.size": (size) => ({ whole: Number(size) }),
  "GNU.sparse.realsize": (size) => ({ whole: Number(size) }),
  "GNU.sparse.major": (version) => (version === "1" ? { sparse: "inside" } : {}),
  "GNU.sparse.map": (map) => ({ sparse: pairs(map.split(",").map(Number)) }),
  "GNU.sparse.offset": (at, extras) => ({ sparse: [...listOf(extras), { at: Number(at), length: 0 }] }),
  "GNU.sparse.numbytes": (length, extras) => ({
    sparse: [...listOf(extras).slice(0, -1), { at: listOf(extras).at(-1)?.at ?? 0, length: Number(length) }],
  }),
};

/** Records of the form `length key=value\n`. */
function pax(bytes: Buffer): Extras {
  let extras: Extras = {};
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 12), 10);
    if (!(length > 0)) break;
    const [, key, value = ""] = /^\d+ ([^=]+)=(.*)\n$/s.exec(bytes.toString("utf8", at, at + length)) ?? [];
    if (key !== undefined && Object.hasOwn(paxKeys, key)) extras = { ...extras, ...paxKeys[key]?.(value, extras) };
    at += length;
  }
  return extras;
}

const pairs = (numbers: readonly number[]): Piece[] =>
  Array.from({ length: Math.floor(numbers.length / 2) }, (_, i) => ({
    at: numbers[i * 2] ?? 0,
    length: numbers[i * 2 + 1] ?? 0,
  }));

function pack({ name, bytes, changed }: NewFile, mode: string): Buffer[] {
  const content = pad(Buffer.from(bytes));
  if (Buffer.byteLength(name) <= 100) return [header(name, bytes.length, mode, "0", changed), content];
  const record = Buffer.from(paxRecord("path", name));
  const extra = header("PaxHeader", record.length, "0000644", "x", changed);
  return [extra, pad(record), header("long", bytes.length, mode, "0", changed), content];
}

/** A record begins with its length, the digits of that included. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const length = [1, 2, 3, 4, 5, 6].find((digits) => String(bytes + digits).length === digits) ?? 7;
  return `${bytes + length}${rest}`;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, "0");

function header(name: string, size: number, mode: string, kind: string, changed: number): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 100);
  head.write(mode.padStart(7, "0"), 100);
  head.write("0000000", 108);
  head.write("0000000", 116);
  head.write(octal(size, 11), 124);
  head.write(octal(Math.floor(changed / 1000), 11), 136);
  head.write("        ", 148);
  head.write(kind, 156);
  head.write("ustar\x0000", 257, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 6)}\0 `, 148, "latin1");
  return head;
}

const pad = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);
