import { closeSync, existsSync, fstatSync, readdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { hasher, openPlain, readRange, tryOr, zlib } from "@pith/kit";
import { readRegular } from "./repository.ts";

export interface GitObject {
  type: string;
  body: Buffer;
}

/**
 * Reads objects of git's stores, loose ones and those in packs, without the git program. The packs stay open, so that
 * what they hold can be read until `close`, also when they were removed.
 */
export class GitObjects implements Disposable {
  #dirs: readonly string[];
  readonly #packs = new Map<string, Pack>();

  /** `dirs` are `objects` directories; those that they name as alternates are read too. */
  constructor(dirs: readonly string[]) {
    this.#dirs = withAlternates(dirs);
  }

  /** Reads another store too. */
  add(dir: string): void {
    if (!this.#dirs.includes(dir)) this.#dirs = withAlternates([...this.#dirs, dir]);
  }

  /** Opens the packs that came since. */
  hold(): void {
    for (const dir of this.#dirs)
      for (const name of tryOr(() => readdirSync(join(dir, "pack")), [])) {
        const path = join(dir, "pack", name.slice(0, -4));
        if (!name.endsWith(".idx") || this.#packs.has(path)) continue;
        const pack = tryOr(() => new Pack(path));
        if (pack) this.#packs.set(path, pack);
      }
  }

  has(id: string): boolean {
    return (
      this.#packed(id) !== undefined || this.#dirs.some((dir) => existsSync(join(dir, id.slice(0, 2), id.slice(2))))
    );
  }

  /** The object; undefined where it is in none of them. Throws for one that is damaged. */
  get(id: string): GitObject | undefined {
    const loose = this.#packed(id) ? undefined : this.#loose(id);
    // Git may have packed it meanwhile.
    if (!loose && !this.#packed(id)) this.hold();
    const packed = this.#packed(id);
    const object = packed ? packed.pack.read(packed.at, (base) => this.get(base)) : parsed(loose);
    if (!object) return undefined;
    if (objectId(object) !== id) throw new Error(`the object ${id} is damaged`);
    return object;
  }

  /** The files of the objects that are in no pack; none if they are very many. */
  loose(most: number): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const dir of this.#dirs)
      for (const folder of tryOr(() => readdirSync(dir), []).filter((name) => /^[\da-f]{2}$/.test(name)))
        for (const name of tryOr(() => readdirSync(join(dir, folder)), [])) {
          found.set(folder + name, join(dir, folder, name));
          if (found.size > most) return new Map();
        }
    return found;
  }

  /** The paths of the packs, without their endings, and what they hold. */
  packs(): [path: string, ids: string[]][] {
    this.hold();
    return [...this.#packs].map(([path, pack]) => [path, pack.ids()]);
  }

  forget(path: string): void {
    this.#packs.get(path)?.[Symbol.dispose]();
    this.#packs.delete(path);
  }

  [Symbol.dispose](): void {
    for (const path of [...this.#packs.keys()]) this.forget(path);
  }

  #packed(id: string): { pack: Pack; at: number } | undefined {
    for (const pack of this.#packs.values()) {
      const at = pack.find(id);
      if (at !== undefined) return { pack, at };
    }
    return undefined;
  }

  #loose(id: string): Buffer | undefined {
    for (const dir of this.#dirs) {
      const file = join(dir, id.slice(0, 2), id.slice(2));
      const bytes = tryOr(() => readRegular(file, { maxBytes: maxObject, links: "follow" }));
      if (bytes) return bytes;
    }
    return undefined;
  }
}

export const objectId = ({ type, body }: { type: string; body: Uint8Array }): string =>
  hasher("sha1").update(`${type} ${body.length}\0`).update(body).digest("hex");

function withAlternates(dirs: readonly string[]): string[] {
  const all = [...dirs];
  for (const dir of all) {
    const named = join(dir, "info", "alternates");
    const text = tryOr(() => readRegular(named, { maxBytes: 64 * 1024, links: "follow" }));
    for (const line of String(text ?? "")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))) {
      const other = isAbsolute(line) ? line : resolve(dir, line);
      if (!all.includes(other) && all.length < maxStores) all.push(other);
    }
  }
  return all;
}

const maxStores = 16;

function parsed(raw: Buffer | undefined): GitObject | undefined {
  if (!raw) return undefined;
  const whole = zlib().inflateSync(raw, { maxOutputLength: maxObject });
  const end = whole.indexOf(0);
  const [type = ""] = whole.toString("latin1", 0, end).split(" ");
  return { type, body: whole.subarray(end + 1) };
}

const maxObject = 1 << 30;
const types: Readonly<Record<number, string>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
/** Bytes of an index of a pack that are searched in memory. */
const searched = 64 * 1024;

/** A pack with its index, version 2. */
class Pack implements Disposable {
  readonly #index: number;
  readonly #pack: number;
  readonly #size: number;
  /** Numbers of objects up to each first byte of an id. */
  readonly #fanout: Buffer;
  readonly #count: number;

  constructor(path: string) {
    this.#index = openPlain(`${path}.idx`, "followed");
    try {
      const head = readRange(this.#index, 0, 8 + 1024);
      if (head.length < 1032 || head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2)
        throw new Error("the index of a pack is of another version");
      this.#fanout = head.subarray(8);
      this.#count = this.#fanout.readUInt32BE(255 * 4);
      this.#pack = openPlain(`${path}.pack`, "followed");
    } catch (thrown) {
      closeSync(this.#index);
      throw thrown;
    }
    this.#size = fstatSync(this.#pack).size;
  }

  /** The offset of an object. */
  find(id: string): number | undefined {
    const wanted = Buffer.from(id, "hex");
    const first = wanted[0] ?? 0;
    let low = first === 0 ? 0 : this.#fanout.readUInt32BE((first - 1) * 4);
    let high = this.#fanout.readUInt32BE(first * 4);
    const idsAt = (from: number, to: number) => readRange(this.#index, idsFrom + from * 20, idsFrom + to * 20);
    while ((high - low) * 20 > searched) {
      const middle = (low + high) >> 1;
      if (wanted.compare(idsAt(middle, middle + 1)) < 0) high = middle;
      else low = middle;
    }
    const ids = idsAt(low, high);
    for (let at = 0; at < ids.length; at += 20)
      if (wanted.compare(ids, at, at + 20) === 0) return this.#offset(low + at / 20);
    return undefined;
  }

  ids(): string[] {
    const ids = readRange(this.#index, idsFrom, idsFrom + this.#count * 20);
    return Array.from({ length: this.#count }, (_, n) => ids.toString("hex", n * 20, n * 20 + 20));
  }

  /** The object at an offset; `base` finds one that a difference counts from. */
  read(offset: number, base: (id: string) => GitObject | undefined, depth = 0): GitObject {
    if (depth > maxDepth) throw new Error("an object of a pack has too many bases");
    const { type, size, at } = this.#head(offset);
    const plain = types[type];
    if (plain !== undefined) return { type: plain, body: this.#inflated(at, size) };
    if (type === 7) {
      const from = base(readRange(this.#pack, at, at + 20).toString("hex"));
      if (!from) throw new Error("an object of a pack lacks its base");
      return { type: from.type, body: patched(from.body, this.#inflated(at + 20, size)) };
    }
    if (type !== 6) throw new Error("an object of a pack is of no known type");
    const back = readRange(this.#pack, at, at + 10);
    let [distance, length] = [(back[0] ?? 0) & 127, 1];
    for (; (back[length - 1] ?? 0) & 128; length++) distance = (distance + 1) * 128 + ((back[length] ?? 0) & 127);
    const from = this.read(offset - distance, base, depth + 1);
    return { type: from.type, body: patched(from.body, this.#inflated(at + length, size)) };
  }

  [Symbol.dispose](): void {
    closeSync(this.#index);
    closeSync(this.#pack);
  }

  #offset(n: number): number {
    const offsets = idsFrom + this.#count * 24;
    const short = readRange(this.#index, offsets + n * 4, offsets + n * 4 + 4).readUInt32BE(0);
    if (short < 0x80000000) return short;
    const long = offsets + this.#count * 4 + (short - 0x80000000) * 8;
    return Number(readRange(this.#index, long, long + 8).readBigUInt64BE(0));
  }

  #head(offset: number): { type: number; size: number; at: number } {
    const head = readRange(this.#pack, offset, offset + 12);
    const type = ((head[0] ?? 0) >> 4) & 7;
    let size = (head[0] ?? 0) & 15;
    let length = 1;
    for (let scale = 16; (head[length - 1] ?? 0) & 128; length++, scale *= 128)
      size += ((head[length] ?? 0) & 127) * scale;
    if (size > maxObject) throw new Error("an object of a pack is too large");
    return { type, size, at: offset + length };
  }

  #inflated(at: number, size: number): Buffer {
    // Deflated data is hardly ever longer than what it stands for, and then by little.
    const raw = readRange(this.#pack, at, Math.min(this.#size, at + size + (size >> 9) + 128));
    const body = zlib().inflateSync(raw, { maxOutputLength: Math.max(1, size) });
    if (body.length !== size) throw new Error("an object of a pack is damaged");
    return body;
  }
}

const idsFrom = 8 + 1024;
const maxDepth = 5000;

/** Applies a difference: pieces of the old content, and new bytes between them. */
function patched(old: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const size = () => {
    let [value, scale] = [0, 1];
    for (let byte = 128; byte & 128; scale *= 128) {
      byte = delta[at++] ?? 0;
      value += (byte & 127) * scale;
    }
    return value;
  };
  const wrong = () => new Error("an object of a pack is damaged");
  if (size() !== old.length) throw wrong();
  const length = size();
  if (length > maxObject) throw wrong();
  const body = Buffer.alloc(length);
  let done = 0;
  while (at < delta.length) {
    const command = delta[at++] ?? 0;
    if (command === 0) throw wrong();
    if (command & 128) {
      const number = (bits: number, from: number) => {
        let value = 0;
        for (let n = 0; n < bits; n++) if (command & (1 << (from + n))) value += (delta[at++] ?? 0) * 2 ** (n * 8);
        return value;
      };
      const offset = number(4, 0);
      const count = number(3, 4) || 0x10000;
      if (offset + count > old.length || done + count > length) throw wrong();
      done += old.copy(body, done, offset, offset + count);
    } else {
      if (at + command > delta.length || done + command > length) throw wrong();
      done += delta.copy(body, done, at, at + command);
      at += command;
    }
  }
  if (done !== length) throw wrong();
  return body;
}
