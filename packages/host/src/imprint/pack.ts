import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closing, hasher, readRange, shortId, writeAll, zlib } from "@pith/kit";

export type ObjectType = "blob" | "tree" | "commit";

/** Larger objects are not compressed. */
const compressed = 1024 * 1024;
export const levelOf = (body: Uint8Array): number => (body.length > compressed ? 0 : 1);

const codes: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 };

/** Writes very many objects into one file, a pack as git has it. It counts as written when it is finished. */
export class PackWriter {
  readonly #dir: string;
  readonly #aside: string;
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #end = 12;
  readonly #rows: { id: string; at: number; sum: number }[] = [];

  constructor(dir: string) {
    this.#dir = dir;
    this.#aside = join(dir, `tmp-${shortId(() => false)}`);
    this.#fd = openSync(this.#aside, "wx+", 0o400);
    // The number of objects is known at the end.
    writeAll(this.#fd, Buffer.alloc(12));
  }

  add(id: string, type: ObjectType, body: Uint8Array): void {
    const packed = zlib().deflateSync(body, { level: levelOf(body) });
    const entry = Buffer.concat([headOf(codes[type], body.length), packed]);
    this.#rows.push({ id, at: this.#end, sum: zlib().crc32(entry) });
    this.#end += entry.length;
    this.#waiting.push(entry);
    this.#bytes += entry.length;
    if (this.#bytes > 1 << 20) this.#flush();
  }

  /** Leaves nothing of it behind. */
  drop(): void {
    closeSync(this.#fd);
    rmSync(this.#aside, { force: true });
  }

  finish(): void {
    if (this.#rows.length === 0) {
      this.drop();
      return;
    }
    this.#flush();
    const head = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
    head.writeUInt32BE(this.#rows.length, 8);
    using _ = closing(this.#fd);
    writeAll(this.#fd, head, 0);
    const sum = this.#sum();
    writeAll(this.#fd, sum, this.#end);
    fsyncSync(this.#fd);
    const path = join(this.#dir, `pack-${sum.toString("hex")}`);
    renameSync(this.#aside, `${path}.pack`);
    // With its index it is there, and not before.
    writeFileSync(`${this.#aside}.idx`, indexOf(this.#rows, sum), { mode: 0o400, flag: "wx" });
    renameSync(`${this.#aside}.idx`, `${path}.idx`);
  }

  #flush(): void {
    writeAll(this.#fd, Buffer.concat(this.#waiting));
    [this.#waiting, this.#bytes] = [[], 0];
  }

  #sum(): Buffer {
    const hash = hasher("sha1");
    const step = 1 << 20;
    for (let at = 0; at < this.#end; at += step) hash.update(readRange(this.#fd, at, Math.min(this.#end, at + step)));
    return Buffer.from(hash.digest("hex"), "hex");
  }
}

/** Type and length of an object: four bits of the length in the first byte, seven in each that follows. */
function headOf(code: number, length: number): Buffer {
  const bytes: number[] = [];
  let [byte, rest] = [(code << 4) | (length & 15), Math.floor(length / 16)];
  for (; rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 128);
    byte = rest & 127;
  }
  return Buffer.from([...bytes, byte]);
}

/** The index of a pack, version 2: how many ids begin with each byte or a lower one, ids, sums, and places. */
function indexOf(rows: { id: string; at: number; sum: number }[], pack: Buffer): Buffer {
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  const counts = new Map<number, number>();
  for (const { id } of rows) {
    const first = Number.parseInt(id.slice(0, 2), 16);
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const far = rows.filter(({ at }) => at >= 0x80000000);
  const numbers = (count: number, value: (n: number) => number) => {
    const bytes = Buffer.alloc(count * 4);
    for (let n = 0; n < count; n++) bytes.writeUInt32BE(value(n), n * 4);
    return bytes;
  };
  let [sum, met] = [0, 0];
  const long = Buffer.alloc(far.length * 8);
  for (const [n, { at }] of far.entries()) long.writeBigUInt64BE(BigInt(at), n * 8);
  const body = Buffer.concat([
    Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]),
    numbers(256, (n) => (sum += counts.get(n) ?? 0)),
    Buffer.from(rows.map(({ id }) => id).join(""), "hex"),
    numbers(rows.length, (n) => rows[n]?.sum ?? 0),
    numbers(rows.length, (n) => {
      const at = rows[n]?.at ?? 0;
      return at < 0x80000000 ? at : 0x80000000 + met++;
    }),
    long,
    pack,
  ]);
  return Buffer.concat([body, Buffer.from(hasher("sha1").update(body).digest("hex"), "hex")]);
}
