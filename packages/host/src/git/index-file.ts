import { Unclear } from "./repository.ts";

/** Longer than any file system takes. */
const maxName = 4096;
/** Bytes of all names. Version 4 compresses names, so that a small file can hold very many. */
const maxWork = 256 * 1024 * 1024;

/**
 * Returns those of the paths (one Latin-1 character per byte) that an index tracks, or of which it tracks something
 * below. Understands versions 2 to 4, split indexes (`shared` reads the other half) and sparse directories. Throws
 * `Unclear` when the index is damaged.
 */
export function trackedIn(
  index: Buffer,
  asked: ReadonlySet<string>,
  shared: (name: string) => Buffer | undefined,
): Set<string> {
  const walk = walkOf(index, asked);
  const tracked = new Set(walk.tracked);
  if (!walk.link) return tracked;
  const base = walk.link.toString("hex", 0, walk.hash);
  // A name of zeros means that there is no other half.
  if (/^0+$/.test(base)) return tracked;
  const half = shared(`sharedindex.${base}`);
  if (!half) throw new Unclear("half of the index is missing");
  const below = walkOf(half, asked, deletedBits(walk.link.subarray(walk.hash)));
  if (below.link) throw new Unclear("the index is split twice");
  for (const path of below.tracked) tracked.add(path);
  return tracked;
}

interface Walk {
  tracked: Set<string>;
  /** The extension that names the other half of a split index. */
  link: Buffer | undefined;
  /** Bytes of an object id. */
  hash: number;
}

/** Tries both lengths of object ids, which only the configuration tells: only the right one leads to the end. */
function walkOf(index: Buffer, asked: ReadonlySet<string>, deleted?: (at: number) => boolean): Walk {
  const short = walkWith(index, 20, asked, deleted);
  if (short) return short;
  const long = walkWith(index, 32, asked, deleted);
  if (!long) throw new Unclear("the index is damaged");
  return long;
}

function walkWith(
  index: Buffer,
  hash: number,
  asked: ReadonlySet<string>,
  deleted: (at: number) => boolean = () => false,
): Walk | undefined {
  const end = index.length - hash;
  if (end < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  if (version < 2 || version > 4 || count > end / (hash + 42)) return undefined;
  const hits = new Hits(asked);
  const form: Form = { index, version, hash, end };
  let row: IndexEntry | undefined = { name: "", mode: 0, next: 12 };
  for (let n = 0; n < count; n++) {
    row = rowAt(form, row);
    if (!row) return undefined;
    if (!deleted(n)) hits.add(row.name, row.mode === 0o40000);
  }
  const link = linkIn(index, row.next, end);
  return link && { tracked: hits.tracked, link: link.body, hash };
}

/** Each file of an index with ids of 20 bytes: its name, one Latin-1 character per byte, and where its entry begins. */
export function* entriesIn(index: Buffer): Generator<[name: string, at: number]> {
  const end = index.length - 20;
  if (end < 12 || index.toString("latin1", 0, 4) !== "DIRC") return;
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  if (version < 2 || version > 4) return;
  const form: Form = { index, version, hash: 20, end };
  let row: IndexEntry | undefined = { name: "", mode: 0, next: 12 };
  for (let n = 0; n < count; n++) {
    const at: number = row.next;
    row = rowAt(form, row);
    if (!row) return;
    yield [row.name, at];
  }
}

interface Form {
  index: Buffer;
  version: number;
  hash: number;
  /** Start of the checksum. */
  end: number;
}
interface IndexEntry {
  name: string;
  mode: number;
  /** Start of the next entry. */
  next: number;
}

/** Reads the entry behind another; version 4 shares a part of its name. */
function rowAt({ index, version, hash, end }: Form, { name, next: at }: IndexEntry): IndexEntry | undefined {
  const flags = at + 40 + hash;
  if (flags + 4 > end) return undefined;
  const extended = version > 2 && (index.readUInt16BE(flags) & 0x4000) !== 0;
  let from = flags + (extended ? 4 : 2);
  let kept = 0;
  if (version === 4) {
    const strip = varintAt(index, from);
    if (!strip || strip.value > name.length) return undefined;
    kept = name.length - strip.value;
    from = strip.end;
  }
  const stop = index.indexOf(0, from);
  if (stop === -1 || stop >= end || kept + stop - from > maxName) return undefined;
  const rest = index.toString("latin1", from, stop);
  return {
    name: kept === 0 ? rest : name.slice(0, kept) + rest,
    mode: index.readUInt32BE(at + 24),
    next: version === 4 ? stop + 1 : at + ((stop - at + 8) & ~7),
  };
}

/** Collects the paths that names of the index match. */
class Hits {
  readonly tracked = new Set<string>();
  readonly #asked: ReadonlySet<string>;
  #folder = "";
  #work = 0;

  constructor(asked: ReadonlySet<string>) {
    this.#asked = asked;
  }

  add(name: string, isSparse: boolean): void {
    this.#spend(name.length);
    if (this.#asked.has(name)) this.tracked.add(name);
    if (isSparse) {
      // The objects that list its entries may not be there, so that all paths below it count as tracked.
      this.#spend(this.#asked.size * 8);
      for (const path of this.#asked) if (`${path}/`.startsWith(name)) this.tracked.add(path);
    }
    const cut = name.lastIndexOf("/");
    if (cut === -1 || (cut === this.#folder.length && name.startsWith(this.#folder))) return;
    this.#folder = name.slice(0, cut);
    for (let end = cut; end > 0; end = name.lastIndexOf("/", end - 1)) {
      this.#spend(end);
      const above = name.slice(0, end);
      if (this.#asked.has(above)) this.tracked.add(above);
    }
  }

  #spend(bytes: number): void {
    this.#work += bytes;
    if (this.#work > maxWork) throw new Unclear("the index is too large");
  }
}

/** Reads the extensions behind the entries; undefined for unknown ones in lower case, which must be understood. */
function linkIn(index: Buffer, from: number, end: number): { body: Buffer | undefined } | undefined {
  let body: Buffer | undefined;
  let at = from;
  while (at + 8 <= end) {
    const name = index.toString("latin1", at, at + 4);
    const size = index.readUInt32BE(at + 4);
    if (at + 8 + size > end) return undefined;
    if (name === "link") body = index.subarray(at + 8, at + 8 + size);
    else if (/^[^A-Z]/.test(name) && name !== "sdir") return undefined;
    at += 8 + size;
  }
  return at === end ? { body } : undefined;
}

function varintAt(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let byte = bytes[from] ?? 0;
  let value = byte & 127;
  let at = from + 1;
  while (byte & 128) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
    if (value > maxName) return undefined;
  }
  return { value, end: at };
}

/**
 * Reads the bitmap of deleted entries of the other half (EWAH): each marker counts words of equal bits and plain words.
 * The function returned takes ascending places only.
 */
function deletedBits(map: Buffer): (at: number) => boolean {
  if (map.length === 0) return () => false;
  if (map.length < 8) throw new Unclear("the index is damaged");
  const words = map.readUInt32BE(4);
  if (words * 8 > map.length - 8) throw new Unclear("the index is damaged");
  const word = (n: number) => (n < words ? map.readBigUInt64BE(8 + n * 8) : 0n);
  let next = 0;
  // The last marker: start and end of its equal bits, the end of its plain words, the equal bit, its first plain word.
  let [begin, equal, end, bit, plain] = [0, 0, 0, false, 0];
  return (at) => {
    while (at >= end && next < words) {
      const marker = word(next);
      const literal = Number(marker >> 33n);
      bit = (marker & 1n) === 1n;
      begin = end;
      equal = begin + Number((marker >> 1n) & 0xffffffffn) * 64;
      end = equal + literal * 64;
      plain = next + 1;
      next = plain + literal;
    }
    if (at >= end) return false;
    if (at < equal) return bit;
    const place = at - equal;
    return ((word(plain + Math.floor(place / 64)) >> BigInt(place % 64)) & 1n) === 1n;
  };
}
