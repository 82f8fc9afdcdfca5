import { closeSync, createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { closing, readRange } from "@pith/kit";
import { type Unpacked, unpack, unpackers } from "../exec/unpack.ts";
import { type Opened, openFile } from "../fs/open.ts";
import { ArchiveFault, fault } from "./entry.ts";

export function openArchive(path: string): Opened {
  const opened = openFile(path);
  if (!opened.ok) throw new ArchiveFault(opened.kind, opened.message);
  return opened.value;
}

/** Bytes in order, from a file or out of a compressed one; memory stays at the size of what is asked for. */
export interface Bytes extends AsyncDisposable {
  /** The next bytes; fewer only at the end. */
  take(count: number): Promise<Buffer>;
  skip(count: number): Promise<void>;
  /** True once going on would unpack absurdly much out of little. */
  absurd(): boolean;
}

/** The packing of the bytes of a file. */
export type Packing = "plain" | "gzip" | "zstd" | keyof typeof unpackers;

export function openBytes(path: string, packing: Packing, signal: AbortSignal): Bytes {
  const { fd, stat } = openArchive(path);
  return packing === "plain" ? plain(fd, stat.size) : packed(unpacking(fd, packing), stat.size, signal);
}

function unpacking(fd: number, packing: Exclude<Packing, "plain">): Unpacked {
  if (packing === "xz" || packing === "bzip2") {
    using _ = closing(fd);
    const unpacked = unpack(packing, fd);
    if (unpacked) return unpacked;
    throw fault.unsupported(`it is packed by ${packing}; install the program ${unpackers[packing]} to read it`);
  }
  const file = createReadStream("", { fd, highWaterMark: 256 * 1024 });
  const unpacker = packing === "gzip" ? createGunzip({ chunkSize: 256 * 1024 }) : createZstdDecompress();
  // Not `pipe`: in Bun that touches `process.stdout`, which makes the descriptor non-blocking for everybody.
  const stream = pipeline(file, unpacker, () => {});
  return {
    chunks: stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>,
    end() {
      stream.destroy();
      file.destroy();
    },
  };
}

function plain(fd: number, size: number): Bytes {
  let position = 0;
  return {
    async take(count) {
      if (position > size) throw fault.broken("it ends too early");
      const bytes = readRange(fd, position, position + count);
      position += bytes.length;
      return bytes;
    },
    async skip(count) {
      position += count;
    },
    absurd: () => false,
    [Symbol.asyncDispose]: async () => closeSync(fd),
  };
}

const muchBytes = 256 * 1024 * 1024;
const muchTimes = 100;

function packed({ chunks, end }: Unpacked, size: number, signal: AbortSignal): Bytes {
  let rest: Buffer = Buffer.alloc(0);
  let total = 0;
  const absurd = () => total > muchBytes && total > size * muchTimes;
  const more = async (): Promise<boolean> => {
    if (signal.aborted) throw fault.aborted();
    const next = await chunks.next().catch((thrown: unknown) => {
      throw fault.broken(`it cannot be unpacked (${(thrown as Error).message})`);
    });
    if (next.done) return false;
    rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
    total += rest.length;
    return true;
  };
  const each = async (count: number, use: (piece: Buffer) => void): Promise<void> => {
    for (let left = count; left > 0 && (rest.length > 0 || (await more())); ) {
      const piece = rest.subarray(0, left);
      use(piece);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      if (absurd()) return;
    }
  };
  return {
    async take(count) {
      const pieces: Buffer[] = [];
      await each(count, (piece) => pieces.push(piece));
      return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    },
    skip: (count) => each(count, () => {}),
    absurd,
    [Symbol.asyncDispose]: async () => end(),
  };
}
