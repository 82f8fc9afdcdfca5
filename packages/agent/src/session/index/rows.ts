import { type Code, codes } from "./head.ts";

/**
 * A table with one row for every entry of a session: where it stands in the file, what it hangs on, what it is. Seven
 * numbers a row, so that 200,000 entries are 5.6 MB, read with one call and searched without making objects.
 */
export class Rows {
  #words = new Uint32Array(width * 64);
  #count = 0;
  /** Rows by the number of their id, each plus one, in open addressing; made when the first id is looked for. */
  #slots: Int32Array | undefined;
  /** The last long way to a row of a kind: from where, and what it led to. */
  readonly #climbed = new Map<number, { from: number; to: number }>();

  /** A table from its bytes; a last row that was not written whole is left out. */
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
  /**
   * The row of the entry above; `none` at a root, `unknown` when it stands before the part of the file that was read.
   */
  parent(row: number): number {
    return this.#word(row, 3) - 2;
  }
  /**
   * The row this one names: what a label marks, what a compaction keeps first, what a message that was delivered or
   * withdrawn was queued as.
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
  /** Its id stood in the file before: it has another one here. */
  isRenamed(row: number): boolean {
    return (this.#word(row, 6) & renamedBit) !== 0;
  }
  /** The id, where the row tells it whole: eight hex digits. */
  shortId(row: number): string | undefined {
    return this.#word(row, 6) & exactBit ? this.#word(row, 5).toString(16).padStart(8, "0") : undefined;
  }
  /** False when the row is surely of another entry. */
  mayBe(row: number, id: string): boolean {
    return this.#word(row, 5) === idWord(id) && isExact(id) === ((this.#word(row, 6) & exactBit) !== 0);
  }

  /**
   * The nearest row of a code, from `row` towards the root; `none` or `unknown` where the way ends. With a name it may,
   * once in a million, be one of another name: its entry has the last word. A plain loop: paths are long. Where it was
   * long it is remembered, since rows never change: what is looked for at every step, and is not there, costs what is
   * new.
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

  /** Where the last entry ends, its newline included; undefined while there is none. */
  get end(): number | undefined {
    return this.#count === 0 ? undefined : this.offset(this.#count - 1) + this.length(this.#count - 1) + 1;
  }

  /** The newest row of an id. `isIt` decides where the row alone cannot. */
  find(id: string, isIt: (row: number) => boolean): number {
    const exact = isExact(id);
    return this.#seek(idWord(id), (row) => this.mayBe(row, id) && (exact || isIt(row)));
  }

  /** True when an id may be in use; wrong now and then, but only on the safe side. */
  isTaken(id: string): boolean {
    return this.#seek(idWord(id), () => true) !== none;
  }

  /** The bytes of the rows from `row` on, as they are stored. */
  bytes(row: number): Uint8Array {
    return new Uint8Array(this.#words.buffer, row * rowBytes, (this.#count - row) * rowBytes);
  }

  #word(row: number, at: number): number {
    return this.#words[row * width + at] ?? 0;
  }

  /** The newest row whose id has this number and that is accepted. */
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

  /** A table for all rows, at most a quarter full, so that a place is found after a step or two. */
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
  /** What it hangs on is not what its line says. */
  relinked?: boolean;
  renamed?: boolean;
}

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

/** Eight hex digits are their own number; any other id gets a hash. */
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

// Ids of some programs count up: their numbers must not stand side by side.
const spread = (word: number): number => Math.imul(word, 0x9e3779b1) >>> 8;

function put(slots: Int32Array, word: number, row: number): void {
  const mask = slots.length - 1;
  let at = spread(word) & mask;
  while (slots[at] !== 0) at = (at + 1) & mask;
  slots[at] = row + 1;
}
