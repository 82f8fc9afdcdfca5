import { type Code, codes } from "./head.ts";

/**
 * A table with a row per entry: offset, parent, type. A row has seven numbers, so that 200,000 entries take 5.6 MB, are
 * read with one call and searched without creating objects.
 */
export class Rows {
  #words = new Uint32Array(width * 64);
  #count = 0;
  /** Hash table of rows by id (row plus one, open addressing); built on the first lookup. */
  #slots: Int32Array | undefined;
  /** Results of the last long climbs, by what was looked for. */
  readonly #climbed = new Map<number, { from: number; to: number }>();

  /** A table from its bytes, without an incomplete last row. */
  static from(bytes: Uint8Array): Rows {
    const rows = new Rows();
    rows.#count = Math.floor(bytes.length / rowBytes);
    rows.#words = new Uint32Array(Math.max(rows.#count, 64) * width);
    new Uint8Array(rows.#words.buffer).set(bytes.subarray(0, rows.#count * rowBytes));
    return rows;
  }

  get count(): number {
    return this.#count;
  }

  push(row: IndexRow): number {
    const at = this.#count * width;
    if (at === this.#words.length) {
      const wider = new Uint32Array(this.#words.length * 2);
      wider.set(this.#words);
      this.#words = wider;
    }
    const words = this.#words;
    words[at] = row.offset;
    words[at + 1] = row.offset / 2 ** 32;
    words[at + 2] = row.length;
    words[at + 3] = row.parent + 2;
    words[at + 4] = row.ref + 2;
    words[at + 5] = idWord(row.id);
    words[at + 6] =
      codes.indexOf(row.code) |
      (row.name === undefined ? 0 : nameBits(row.name)) |
      (isExact(row.id) ? exactBit : 0) |
      (row.relinked ? relinkedBit : 0) |
      (row.renamed ? renamedBit : 0);
    if (this.#slots)
      put(2 * this.#count < this.#slots.length ? this.#slots : this.#fillSlots(), words[at + 5] ?? 0, this.#count);
    return this.#count++;
  }

  offset(row: number): number {
    return this.#word(row, 0) + this.#word(row, 1) * 2 ** 32;
  }
  length(row: number): number {
    return this.#word(row, 2);
  }
  /** Row of the parent; `none` for a root, `unknown` if it is before the part that was read. */
  parent(row: number): number {
    return this.#word(row, 3) - 2;
  }
  /**
   * Row that this one names: the target of a label, the first entry kept by a compaction, the queued input of a
   * delivered or withdrawn message.
   */
  ref(row: number): number {
    return this.#word(row, 4) - 2;
  }
  code(row: number): Code {
    return codes[this.#word(row, 6) & codeMask] ?? "other";
  }
  isRelinked(row: number): boolean {
    return (this.#word(row, 6) & relinkedBit) !== 0;
  }
  /** True if its id was already used and it has a new one here. */
  isRenamed(row: number): boolean {
    return (this.#word(row, 6) & renamedBit) !== 0;
  }
  /** The id, if it is eight hex digits, which the row holds completely. */
  shortId(row: number): string | undefined {
    return this.#word(row, 6) & exactBit ? this.#word(row, 5).toString(16).padStart(8, "0") : undefined;
  }
  /** False if the row is certainly another entry. */
  mayBe(row: number, id: string): boolean {
    return this.#word(row, 5) === idWord(id) && isExact(id) === ((this.#word(row, 6) & exactBit) !== 0);
  }

  /**
   * The nearest row of a code, from `row` towards the root; `none` or `unknown` at the end of the path. With a name it
   * may rarely be of another name, so check the entry. A plain loop, since paths are long. Long climbs are remembered
   * (rows never change), so a repeated search costs only what is new.
   */
  climb(row: number, code: Code, name?: string): number {
    const words = this.#words;
    const mask = name === undefined ? codeMask : codeMask | nameMask;
    const wanted = codes.indexOf(code) | (name === undefined ? 0 : nameBits(name));
    const key = name === undefined ? -1 - wanted : wanted >>> 0;
    const known = this.#climbed.get(key);
    let at = row;
    let steps = 0;
    while (at >= 0 && ((words[at * width + 6] ?? 0) & mask) !== wanted) {
      if (at === known?.from) {
        at = known.to;
        break;
      }
      at = (words[at * width + 3] ?? 0) - 2;
      steps++;
    }
    if (steps > longClimb) this.#climbed.set(key, { from: row, to: at });
    return at;
  }

  /** End of the last entry with its newline; undefined if there is none. */
  get end(): number | undefined {
    return this.#count === 0 ? undefined : this.offset(this.#count - 1) + this.length(this.#count - 1) + 1;
  }

  /** The newest row of an id. `isIt` decides if the row alone cannot. */
  find(id: string, isIt: (row: number) => boolean): number {
    const exact = isExact(id);
    return this.#seek(idWord(id), (row) => this.mayBe(row, id) && (exact || isIt(row)));
  }

  /** True if an id may be in use; rarely true for a free one. */
  isTaken(id: string): boolean {
    return this.#seek(idWord(id), () => true) !== none;
  }

  /** Bytes of the rows from `row` on, as stored. */
  bytes(row: number): Uint8Array {
    return new Uint8Array(this.#words.buffer, row * rowBytes, (this.#count - row) * rowBytes);
  }

  #word(row: number, at: number): number {
    return this.#words[row * width + at] ?? 0;
  }

  /** The newest accepted row whose id has this number. */
  #seek(word: number, accept: (row: number) => boolean): number {
    const slots = this.#slots ?? this.#fillSlots();
    const mask = slots.length - 1;
    let newest = none;
    for (let at = spread(word) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const row = (slots[at] ?? 0) - 1;
      if (this.#words[row * width + 5] === word && accept(row)) newest = row;
    }
    return newest;
  }

  /** Builds the hash table, at most a quarter full, so that lookups are short. */
  #fillSlots(): Int32Array {
    let size = 1024;
    while (size < 4 * this.#count) size *= 2;
    const slots = new Int32Array(size);
    for (let row = 0; row < this.#count; row++) put(slots, this.#words[row * width + 5] ?? 0, row);
    this.#slots = slots;
    return slots;
  }
}

export interface IndexRow {
  offset: number;
  length: number;
  parent: number;
  ref: number;
  id: string;
  code: Code;
  name?: string | undefined;
  /** True if its parent is not the one in its line. */
  relinked?: boolean;
  renamed?: boolean;
}

/** Bytes of a path without a compaction that are shown: more than the window of any model, so the rest is left out. */
export const mostShown = 12 << 20;

export const none = -1;
export const unknown = -2;

const width = 7;
const longClimb = 32;
export const rowBytes = width * 4;
const codeMask = 0xff;
const exactBit = 0x100;
const relinkedBit = 0x200;
const renamedBit = 0x400;
/** The upper twenty bits are a hash of the entry's name. */
const nameShift = 12;
const nameMask = 0xfffff000;

const isExact = (id: string) => id.length === 8 && /^[0-9a-f]{8}$/.test(id);

/** Number of an id: eight hex digits are their own number, others are hashed. */
const idWord = (id: string): number => (isExact(id) ? Number.parseInt(id, 16) : hashOf(id));

function nameBits(name: string): number {
  const hash = hashOf(name);
  return (hash ^ (hash >>> 20)) << nameShift;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

// Some programs number their ids, so neighbours must be spread.
const spread = (word: number): number => Math.imul(word, 0x9e3779b1) >>> 8;

function put(slots: Int32Array, word: number, row: number): void {
  const mask = slots.length - 1;
  let at = spread(word) & mask;
  while (slots[at] !== 0) at = (at + 1) & mask;
  slots[at] = row + 1;
}
