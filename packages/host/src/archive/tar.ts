import { formatBytes } from "@pith/kit";
import { type Bytes, openBytes } from "./bytes.ts";
import { type ArchiveEntry, ArchiveFault, type Format, type NewFile, tidyName } from "./entry.ts";

/** tar as POSIX (pax, ustar) and GNU write it, read as a stream. */
export const tar = (packing: "plain" | "gzip"): Format => ({
  async list(path, signal) {
    const entries = new Map<string, ArchiveEntry>();
    await using bytes = openBytes(path, packing, signal);
    for await (const { name, type, size } of walk(bytes, signal)) {
      if (name !== "") entries.set(name, { name, type, size });
      await bytes.skip(padded(size));
    }
    return { entries: [...entries.values()], cut: bytes.absurd() ? "cut" : "complete" };
  },
  async read(path, wanted, max, signal) {
    await using bytes = openBytes(path, packing, signal);
    let found: Buffer | undefined;
    // A later member of the same name replaces an earlier one.
    for await (const { name, type, size } of walk(bytes, signal)) {
      if (name !== wanted || type !== "file") {
        await bytes.skip(padded(size));
        continue;
      }
      if (size > max) throw new ArchiveFault("large", `${name} is ${formatBytes(size)}, more than ${formatBytes(max)}`);
      found = Buffer.from(await whole(bytes, size));
      await bytes.skip(padded(size) - size);
    }
    if (!found) throw new ArchiveFault("no-member", `there is no ${wanted} in it`);
    return found;
  },
  async copy(old, file, put) {
    using sink: Sink = packing === "gzip" ? await gzipSink(put) : { put, end: async () => {}, [Symbol.dispose]() {} };
    const placed = old !== undefined && (await copyAll(old, packing, file, sink.put));
    if (!placed) for (const block of pack(file, "0000644")) await sink.put(block);
    await sink.put(Buffer.alloc(1024));
    await sink.end();
  },
});

const never = new AbortController().signal;
const padded = (size: number): number => Math.ceil(size / 512) * 512;

interface TarEntry extends ArchiveEntry {
  mode: string;
  /** Its headers as they stand, those that say more about the next one included. */
  blocks: Buffer[];
}

/** Hands everything on, the file in the place of the one it replaces; tells whether there was one. */
async function copyAll(old: string, packing: "plain" | "gzip", file: NewFile, put: Sink["put"]): Promise<boolean> {
  let placed = false;
  await using bytes = openBytes(old, packing, never);
  for await (const entry of walk(bytes, never)) {
    if (entry.name === file.name && entry.type === "file") {
      await bytes.skip(padded(entry.size));
      if (!placed) for (const block of pack(file, entry.mode)) await put(block);
      placed = true;
      continue;
    }
    for (const block of entry.blocks) await put(block);
    for (let left = padded(entry.size); left > 0; left -= Math.min(left, step)) await put(await whole(bytes, Math.min(left, step)));
  }
  if (bytes.absurd()) throw absurd();
  return placed;
}

const step = 1024 * 1024;

/** What headers of their own say about the entry after them. */
interface Said {
  name?: string;
  size?: number;
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
      yield entryOf(head, kind, said, blocks);
      said = {};
      blocks = [];
      continue;
    }
    const size = number(head, 124, 12);
    if (size > maxExtra) throw broken("a header is too long");
    const extra = Buffer.from(await whole(bytes, padded(size)));
    blocks.push(extra);
    said = { ...said, ...(kind === "x" && pax(extra.subarray(0, size))), ...(kind === "L" && { name: text(extra.subarray(0, size)) }) };
  }
}

function entryOf(head: Buffer, kind: string, said: Said, blocks: Buffer[]): TarEntry {
  // GNU uses the place of the prefix for other things.
  const prefix = head.toString("latin1", 257, 263) === "ustar\0" && head[345] !== 0 ? `${text(head.subarray(345, 500))}/` : "";
  const name = said.name ?? prefix + text(head.subarray(0, 100));
  const type = kind === "5" || name.endsWith("/") ? "directory" : /[07\0]/.test(kind) ? "file" : "other";
  // Links and devices have no content, whatever their header says.
  const size = /[1-6]/.test(kind) ? 0 : (said.size ?? number(head, 124, 12));
  return { name: tidyName(name), type, size, mode: head.toString("latin1", 100, 107), blocks };
}

const maxExtra = 1024 * 1024;

async function whole(bytes: Bytes, count: number): Promise<Buffer> {
  const got = await bytes.take(count);
  if (got.length < count) throw bytes.absurd() ? absurd() : broken("it ends too early");
  return got;
}

const text = (bytes: Buffer): string => bytes.toString("utf8", 0, bytes.indexOf(0) === -1 ? bytes.length : bytes.indexOf(0));

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

/** Records of the form `length key=value\n`. */
function pax(bytes: Buffer): Said {
  const said: Said = {};
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 12), 10);
    if (!(length > 0)) break;
    const [, key, value = ""] = /^\d+ ([^=]+)=(.*)\n$/s.exec(bytes.toString("utf8", at, at + length)) ?? [];
    if (key === "path") said.name = value;
    if (key === "size") said.size = Number(value);
    at += length;
  }
  return said;
}

function pack({ name, bytes, changed }: NewFile, mode: string): Buffer[] {
  const short = Buffer.byteLength(name) <= 100;
  const record = short ? "" : paxRecord("path", name);
  const extra = short ? [] : [header("PaxHeader", Buffer.byteLength(record), "0000644", "x", changed), pad(Buffer.from(record))];
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
