import { isUtf8 } from "node:buffer";
import { closeSync, read, readSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { type FsKind, fsFailure } from "./failure.ts";
import { openFile } from "./open.ts";
import { incompleteTail } from "./utf8.ts";

export interface PageRequest {
  /** The first line, counted from 1. */
  from: number;
  /** The last line; the end of the file if absent. */
  to?: number;
  /** Bytes of the first line that are passed over. */
  after?: number;
  maxLines: number;
  maxBytes: number;
  /** Bytes that are taken of a longer line, and of the `lead` lines at the start, which are there for their place only. */
  maxLine?: number;
  lead?: { lines: number; maxLine: number };
  signal?: AbortSignal;
}

export interface Page {
  lines: string[];
  /** The lines of the file; a lower bound when `counted` is "at least". */
  totalLines: number;
  counted: "exactly" | "at least";
  totalBytes: number;
  /** Bytes of the file that `lines` stand for. */
  shownBytes: number;
  /** The limit that ended the page early. */
  cut?: "lines" | "bytes";
  /** Numbers of the lines that were cut. */
  long: number[];
  /** True if the last line of the file has an end; only known when all was read. */
  ended: boolean;
  /** Set if some bytes are not UTF-8 and are shown as U+FFFD. */
  damaged?: true;
}

/** Reads some lines of a text file, streaming: memory stays at the size of the page, whatever the size of the file. */
export async function readPage(path: string, request: PageRequest): Promise<Result<Page, FsKind>> {
  const opened = openFile(path);
  if (!opened.ok) return opened;
  const { fd, stat } = opened.value;
  try {
    // Most files fit into the first read, which is worth no trip to another thread.
    const first = Buffer.allocUnsafe(firstRead);
    const head = first.subarray(0, readSync(fd, first, 0, first.length, null));
    return await takePage(path, pieces(fd, head, stat.size), stat.size, request);
  } catch (thrown) {
    return fsFailure(path, thrown);
  } finally {
    closeSync(fd);
  }
}

/** Reads a page of a text that comes in pieces, each valid until the next one; its size may not be known. */
export async function takePage(
  path: string,
  pieces: AsyncIterable<Buffer>,
  size: number | undefined,
  request: PageRequest,
): Promise<Result<Page, FsKind>> {
  const taker = new Taker(request);
  let counted: Page["counted"] = "exactly";
  let seen = 0;
  for await (const piece of pieces) {
    if (request.signal?.aborted) return fail("aborted", `${path}: reading was stopped`);
    if (seen === 0 && looksBinary(piece.subarray(0, sampleBytes))) return fail("binary", `${path}: is not a text file`);
    taker.push(piece);
    seen += piece.length;
    if (taker.countedBytes <= countBudget || seen === size) continue;
    counted = "at least";
    break;
  }
  return ok({ ...taker.page(), counted, totalBytes: size ?? seen });
}

/** A file in pieces, each valid until the next one, which is read ahead. */
async function* pieces(fd: number, head: Buffer, size: number): AsyncGenerator<Buffer> {
  const buffers: Buffer[] = [];
  let ahead: Promise<number> | undefined;
  let position = 0;
  try {
    for (let piece = head, turn = 0; piece.length > 0; turn ^= 1) {
      position += piece.length;
      // A size of 0 may be a lie (/proc): only reading finds the end.
      const last = size > 0 && position >= size;
      const into = buffers[turn] ?? Buffer.allocUnsafe(last ? 0 : laterRead);
      buffers[turn] = into;
      ahead = last ? undefined : readMore(fd, into);
      yield piece;
      piece = into.subarray(0, await (ahead ?? 0));
    }
  } finally {
    // The file may not be closed before the read has ended.
    await ahead?.catch(() => {});
  }
}

const firstRead = 64 * 1024;
const laterRead = 2 * 1024 * 1024;
const sampleBytes = 8 * 1024;
/** Bytes that are read beyond the page only to count lines. */
const countBudget = 16 * 1024 * 1024;
const lf = 10;
const decoder = new TextDecoder("utf-8");

class Taker {
  readonly #request: PageRequest;
  readonly #page: Buffer;
  /** Bytes taken, and how many of them are whole lines. */
  #used = 0;
  #whole = 0;
  #taken = 0;
  /** The line of the next byte, whether it has begun, and how many of its bytes may still be taken or passed over. */
  #line = 1;
  #begun = false;
  #left = 0;
  #pass = 0;
  #long: number[] = [];
  #state: "skip" | "take" | "count" = "skip";
  #cut: Page["cut"];
  countedBytes = 0;

  constructor(request: PageRequest) {
    this.#request = request;
    this.#page = Buffer.allocUnsafe(request.maxBytes);
  }

  push(chunk: Buffer): void {
    for (let at = this.#state === "skip" ? this.#skip(chunk) : 0; at < chunk.length; ) {
      if (this.#state === "take" && !this.#begun) this.#begin();
      const newline = chunk.indexOf(lf, at);
      const end = newline === -1 ? chunk.length : newline;
      if (this.#state === "take") this.#take(chunk.subarray(at, end));
      if (this.#state === "take" && newline !== -1) this.#end();
      if (this.#state === "count") this.countedBytes += end + 1 - at;
      this.#begun = newline === -1;
      if (newline !== -1) this.#line++;
      at = end + 1;
    }
  }

  /** Passes over the lines before the page, of which there may be millions. */
  #skip(chunk: Buffer): number {
    let [at, line] = [0, this.#line];
    for (; line < this.#request.from; line++) {
      const newline = chunk.indexOf(lf, at);
      if (newline === -1) break;
      at = newline + 1;
    }
    this.#line = line;
    const reached = line >= this.#request.from;
    if (reached) this.#state = "take";
    this.#begun = !reached && at < chunk.length;
    return reached ? at : chunk.length;
  }

  page() {
    if (this.#state === "take" && this.#begun) this.#close();
    const bytes = this.#page.subarray(0, this.#whole);
    const lines = decoder.decode(bytes).split("\n");
    if (lines.length > this.#taken) lines.pop();
    const damaged = !isUtf8(bytes);
    return {
      lines,
      totalLines: this.#begun ? this.#line : this.#line - 1,
      shownBytes: bytes.length,
      long: this.#long,
      ended: !this.#begun,
      cut: this.#cut,
      damaged: damaged || undefined,
    };
  }

  #begin(): void {
    const { from, to, maxLines, maxBytes, maxLine = maxBytes, lead, after = 0 } = this.#request;
    this.#pass = this.#line === from ? after : 0;
    if (to !== undefined && this.#line > to) this.#state = "count";
    else if (this.#taken >= maxLines) this.#stop("lines");
    else if (this.#used === this.#page.length) this.#stop("bytes");
    this.#left = Math.min(maxBytes, lead && this.#line < from + lead.lines ? lead.maxLine : maxLine);
  }

  #take(whole: Buffer): void {
    const passed = Math.min(this.#pass, whole.length);
    this.#pass -= passed;
    let start = passed;
    // The rest of a character that was cut is passed over too.
    if (passed > 0 && this.#pass === 0) while (((whole[start] ?? 0) & 0xc0) === 0x80) start++;
    const piece = whole.subarray(start);
    const wanted = Math.min(piece.length, this.#left);
    if (wanted > this.#page.length - this.#used) {
      this.#stop("bytes");
      return;
    }
    piece.copy(this.#page, this.#used, 0, wanted);
    this.#used += wanted;
    this.#left -= wanted;
    if (wanted < piece.length && this.#long.at(-1) !== this.#line) this.#long.push(this.#line);
  }

  /** Ends a line that is whole; its LF is taken as well, unless the page is full. */
  #end(): void {
    this.#close();
    if (this.#used === this.#page.length) return;
    this.#page[this.#used++] = lf;
    this.#whole = this.#used;
  }

  #close(): void {
    if (this.#long.at(-1) === this.#line) this.#used -= incompleteTail(this.#page.subarray(this.#whole, this.#used));
    this.#whole = this.#used;
    this.#taken++;
  }

  #stop(cut: NonNullable<Page["cut"]>): void {
    this.#state = "count";
    this.#cut = cut;
  }
}

function readMore(fd: number, into: Buffer): Promise<number> {
  return new Promise((done, failed) =>
    read(fd, into, 0, into.length, null, (error, count) => (error ? failed(error) : done(count))),
  );
}

/** True for a NUL, or more than a tenth of unreadable characters: nothing to show or to edit as text. */
function looksBinary(sample: Buffer): boolean {
  if (sample.indexOf(0) !== -1) return true;
  const whole = sample.subarray(0, sample.length - incompleteTail(sample));
  if (isUtf8(whole)) return false;
  const text = decoder.decode(whole);
  return text.split("\ufffd").length - 1 > text.length / 10;
}
