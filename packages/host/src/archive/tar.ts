import { formatBytes } from "@pith/kit";
import { type Bytes, openBytes, type Packing } from "./bytes.ts";
import { type ArchiveEntry, ArchiveFault, type Format, linkTarget, mustFit, type NewFile, tidyName } from "./entry.ts";

/** tar as POSIX (pax, ustar) and GNU write it, read as a stream. */
export const tar = (packing: Packing): Format => ({
  async list(path, signal) {
    const entries = new Map<string, ArchiveEntry>();
    await using bytes = openBytes(path, packing, signal);
    const end = await untilDamage(async () => {
      for await (const { name, type, size, target, stored } of walk(bytes, signal)) {
        if (name !== "") entries.set(name, { name, type, size, target });
        await bytes.skip(padded(stored));
      }
    });
    if (end && entries.size === 0) throw end;
    return { entries: [...entries.values()], cut: bytes.absurd() ? "absurd" : end ? "damaged" : "complete" };
  },
  async read(path, wanted, max, signal) {
    await using bytes = openBytes(path, packing, signal);
    let member: Buffer | undefined;
    const end = await untilDamage(async () => {
      // A later member of the same name replaces an earlier one.
      for await (const entry of walk(bytes, signal)) {
        const { name, type, size, stored } = entry;
        if (name !== wanted || type !== "file") {
          await bytes.skip(padded(stored));
          continue;
        }
        if (Math.max(size, stored) > max)
          throw new ArchiveFault("large", `${name} is ${formatBytes(size)}, more than ${formatBytes(max)}`);
        member = unfolded(entry, Buffer.from(await whole(bytes, stored)));
        await bytes.skip(padded(stored) - stored);
      }
    });
    if (!member) throw end ?? new ArchiveFault("no-member", `there is no ${wanted} in it`);
    return member;
  },
  async *pieces(path, wanted, signal) {
    let last = -1;
    {
      await using bytes = openBytes(path, packing, signal);
      let at = 0;
      for await (const { name, type, stored } of walk(bytes, signal)) {
        if (name === wanted && type === "file") last = at;
        at++;
        await bytes.skip(padded(stored));
      }
    }
    if (last === -1) throw new ArchiveFault("no-member", `there is no ${wanted} in it`);
    await using bytes = openBytes(path, packing, signal);
    let at = 0;
    for await (const { stored, pieces } of walk(bytes, signal)) {
      if (at++ < last) {
        await bytes.skip(padded(stored));
        continue;
      }
      if (pieces) throw new ArchiveFault("unsupported", `${wanted} is a large file with holes`);
      for (let left = stored; left > 0; left -= Math.min(left, step))
        yield Buffer.from(await whole(bytes, Math.min(left, step)));
      return;
    }
  },
  async copy(old, file, put) {
    if (packing !== "plain" && packing !== "gzip")
      throw new ArchiveFault("unsupported", `it is packed by ${packing}, which is only read`);
    using sink: Sink = packing === "gzip" ? await gzipSink(put) : { put, end: async () => {}, [Symbol.dispose]() {} };
    const placed = old !== undefined && (await copyAll(old, packing, file, sink.put));
    if (!placed) for (const block of pack(file, "0000644")) await sink.put(block);
    await sink.put(Buffer.alloc(1024));
    await sink.end();
  },
});

/** What stands before the damage can still be read. */
async function untilDamage(read: () => Promise<void>): Promise<ArchiveFault | undefined> {
  try {
    await read();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ArchiveFault && thrown.kind === "broken") return thrown;
    throw thrown;
  }
}

const never = new AbortController().signal;
const padded = (size: number): number => Math.ceil(size / 512) * 512;

interface TarEntry extends ArchiveEntry {
  mode: string;
  /** Bytes it takes in the archive. */
  stored: number;
  /** A file with holes: the pieces that are stored; "inside" when the list of them stands before its content. */
  pieces?: Piece[] | "inside";
  /** Its headers as they stand, those that say more about the next one included. */
  blocks: Buffer[];
}

interface Piece {
  at: number;
  length: number;
}

/** Hands everything on, the file in the place of the one it replaces; tells whether there was one. */
async function copyAll(old: string, packing: Packing, file: NewFile, put: Sink["put"]): Promise<boolean> {
  let placed = false;
  await using bytes = openBytes(old, packing, never);
  for await (const entry of walk(bytes, never)) {
    mustFit(file.name, entry);
    if (entry.name === file.name) {
      await bytes.skip(padded(entry.stored));
      if (!placed) for (const block of pack(file, entry.type === "file" ? entry.mode : "0000644")) await put(block);
      placed = true;
      continue;
    }
    for (const block of entry.blocks) await put(block);
    for (let left = padded(entry.stored); left > 0; left -= Math.min(left, step))
      await put(await whole(bytes, Math.min(left, step)));
  }
  if (bytes.absurd()) throw absurd();
  return placed;
}

const step = 1024 * 1024;

/** What headers of their own say about the entry after them. */
interface Said {
  name?: string;
  size?: number;
  link?: string;
  /** The size and the pieces of a file with holes. */
  whole?: number;
  pieces?: Piece[] | "inside";
}

async function* walk(bytes: Bytes, signal: AbortSignal): AsyncGenerator<TarEntry> {
  let said: Said = {};
  let blocks: Buffer[] = [];
  for (let count = 0; ; count++) {
    if (signal.aborted) throw new ArchiveFault("aborted", "reading was stopped");
    if (count % 1000 === 999) await new Promise(setImmediate);
    const head = Buffer.from(await bytes.take(512));
    if (bytes.absurd() || head.every((byte) => byte === 0)) return;
    if (head.length < 512) throw broken("it ends too early");
    checkSum(head);
    blocks.push(head);
    const kind = String.fromCharCode(head[156] ?? 0);
    if (!/[xgLK]/.test(kind)) {
      const holes = kind === "S" ? await oldHoles(bytes, head, blocks) : {};
      yield entryOf(head, kind, { ...holes, ...said }, blocks);
      said = {};
      blocks = [];
      continue;
    }
    const size = number(head, 124, 12);
    if (size > maxExtra) throw broken("a header is too long");
    const extra = Buffer.from(await whole(bytes, padded(size)));
    blocks.push(extra);
    said = {
      ...said,
      ...(kind === "x" && pax(extra.subarray(0, size))),
      ...(/[LK]/.test(kind) && { [kind === "L" ? "name" : "link"]: text(extra.subarray(0, size)) }),
    };
  }
}

function entryOf(head: Buffer, kind: string, said: Said, blocks: Buffer[]): TarEntry {
  // GNU uses the place of the prefix for other things.
  const prefix =
    head.toString("latin1", 257, 263) === "ustar\0" && head[345] !== 0 ? `${text(head.subarray(345, 500))}/` : "";
  const name = said.name ?? prefix + text(head.subarray(0, 100));
  // Links and devices have no content, whatever their header says.
  const stored = /[1-6]/.test(kind) ? 0 : (said.size ?? number(head, 124, 12));
  const tidy = tidyName(name);
  const entry = {
    name: tidy,
    size: said.whole ?? stored,
    stored,
    mode: head.toString("latin1", 100, 107),
    blocks,
    pieces: said.pieces,
  };
  if (/[12]/.test(kind)) {
    const link = said.link ?? text(head.subarray(157, 257));
    return { ...entry, type: "link", target: kind === "1" ? tidyName(link) : linkTarget(tidy, link) };
  }
  return { ...entry, type: kind === "5" || name.endsWith("/") ? "directory" : /[07S\0]/.test(kind) ? "file" : "other" };
}

/** The holes of a file as GNU wrote them first: in its header, and in as many blocks behind it as they take. */
async function oldHoles(bytes: Bytes, head: Buffer, blocks: Buffer[]): Promise<Said> {
  const pieces = pieceList(head, 386, 4);
  for (let more = head[482] === 1; more; ) {
    const block = Buffer.from(await whole(bytes, 512));
    blocks.push(block);
    pieces.push(...pieceList(block, 0, 21));
    more = block[504] === 1;
    if (blocks.length > maxExtra / 512) throw broken("a header is too long");
  }
  return { pieces, whole: number(head, 483, 12) };
}

const pieceList = (block: Buffer, from: number, count: number): Piece[] =>
  Array.from({ length: count }, (_, i) => from + i * 24)
    .filter((at) => block[at] !== 0)
    .map((at) => ({ at: number(block, at, 12), length: number(block, at + 12, 12) }));

/** The content of a file, its holes filled with zeros. */
function unfolded({ size, pieces }: TarEntry, stored: Buffer): Buffer {
  if (!pieces) return stored;
  const { list, from } = pieces === "inside" ? insidePieces(stored) : { list: pieces, from: 0 };
  const filled = Buffer.alloc(size);
  let at = from;
  for (const piece of list) {
    if (piece.at + piece.length > size || at + piece.length > stored.length)
      throw broken("the holes of a file do not fit");
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
    if (!Number.isSafeInteger(value) || value < 0) throw broken("the holes of a file do not fit");
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
  if (got.length < count) throw bytes.absurd() ? absurd() : broken("it ends too early");
  return got;
}

const text = (bytes: Buffer): string =>
  bytes.toString("utf8", 0, bytes.indexOf(0) === -1 ? bytes.length : bytes.indexOf(0));

/** Octal digits, or base 256 when the first bit is set. */
function number(head: Buffer, from: number, length: number): number {
  const field = head.subarray(from, from + length);
  if ((field[0] ?? 0) & 0x80) return Number(field.subarray(length - 8).readBigUInt64BE() & 0x1fffffffffffffn);
  const value = Number.parseInt(field.toString("latin1").replace(/\0.*$/s, "").trim() || "0", 8);
  if (!Number.isFinite(value) || value < 0) throw broken("a size is not a number");
  return value;
}

function checkSum(head: Buffer): void {
  let sum = 8 * 32;
  for (let i = 0; i < 512; i++) if (i < 148 || i >= 156) sum += head[i] ?? 0;
  if (sum !== number(head, 148, 8)) throw broken("a header has the wrong sum");
}

const listOf = ({ pieces }: Said): Piece[] => (Array.isArray(pieces) ? pieces : []);

/** What a record says, beside what was said before it. */
const paxKeys: Readonly<Record<string, (value: string, said: Said) => Said>> = {
  path: (name, said) => ({ name: said.name ?? name }),
  size: (size) => ({ size: Number(size) }),
  linkpath: (link) => ({ link }),
  // Files with holes, in the four ways that tar has written them over the years.
  "GNU.sparse.name": (name) => ({ name }),
  "GNU.sparse.size": (size) => ({ whole: Number(size) }),
  "GNU.sparse.realsize": (size) => ({ whole: Number(size) }),
  "GNU.sparse.major": (version) => (version === "1" ? { pieces: "inside" } : {}),
  "GNU.sparse.map": (map) => ({ pieces: pairs(map.split(",").map(Number)) }),
  "GNU.sparse.offset": (at, said) => ({ pieces: [...listOf(said), { at: Number(at), length: 0 }] }),
  "GNU.sparse.numbytes": (length, said) => ({
    pieces: [...listOf(said).slice(0, -1), { at: listOf(said).at(-1)?.at ?? 0, length: Number(length) }],
  }),
};

/** Records of the form `length key=value\n`. */
function pax(bytes: Buffer): Said {
  let said: Said = {};
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 12), 10);
    if (!(length > 0)) break;
    const [, key, value = ""] = /^\d+ ([^=]+)=(.*)\n$/s.exec(bytes.toString("utf8", at, at + length)) ?? [];
    if (key !== undefined && Object.hasOwn(paxKeys, key)) said = { ...said, ...paxKeys[key]?.(value, said) };
    at += length;
  }
  return said;
}

const pairs = (numbers: readonly number[]): Piece[] =>
  Array.from({ length: Math.floor(numbers.length / 2) }, (_, i) => ({
    at: numbers[i * 2] ?? 0,
    length: numbers[i * 2 + 1] ?? 0,
  }));

function pack({ name, bytes, changed }: NewFile, mode: string): Buffer[] {
  const short = Buffer.byteLength(name) <= 100;
  const record = short ? "" : paxRecord("path", name);
  const extra = short
    ? []
    : [header("PaxHeader", Buffer.byteLength(record), "0000644", "x", changed), pad(Buffer.from(record))];
  return [...extra, header(short ? name : "long", bytes.length, mode, "0", changed), pad(Buffer.from(bytes))];
}

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const length = [1, 2, 3, 4, 5, 6].find((digits) => String(bytes + digits).length === digits) ?? 7;
  return `${bytes + length}${rest}`;
}

function header(name: string, size: number, mode: string, kind: string, changed: number): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 100);
  head.write(mode.padStart(7, "0"), 100);
  head.write("0000000", 108);
  head.write("0000000", 116);
  head.write(size.toString(8).padStart(11, "0"), 124);
  head.write(
    Math.floor(changed / 1000)
      .toString(8)
      .padStart(11, "0"),
    136,
  );
  head.write("        ", 148);
  head.write(kind, 156);
  head.write("ustar\x0000", 257, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return head;
}

const pad = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);

interface Sink extends Disposable {
  put(bytes: Uint8Array): Promise<void> | void;
  end(): Promise<void>;
}

async function gzipSink(put: (bytes: Uint8Array) => void): Promise<Sink> {
  const { createGzip } = await import("node:zlib");
  const stream = createGzip();
  const done = new Promise<void>((ended, failed) => {
    stream.on("data", (bytes: Buffer) => put(bytes));
    stream.on("end", ended);
    stream.on("error", failed);
  });
  return {
    // Packing is slower than reading: without waiting, everything would pile up between them.
    put: (bytes) => (stream.write(bytes) ? undefined : new Promise((ready) => stream.once("drain", ready))),
    async end() {
      stream.end();
      await done;
    },
    // After a failure nothing more may come out: what it was written to is closed by then.
    [Symbol.dispose]() {
      stream.removeAllListeners("data");
      stream.destroy();
    },
  };
}

const broken = (why: string): ArchiveFault => new ArchiveFault("broken", `the archive is damaged: ${why}`);
const absurd = (): ArchiveFault => new ArchiveFault("large", "it unpacks to absurdly much");
