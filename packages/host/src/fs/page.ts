import { isUtf8 } from "node:buffer";
import { closeSync, read, readSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { type FsKind, fsFailure } from "./failure.ts";
import { openFile } from "./open.ts";
import { incompleteTail } from "./utf8.ts";

export interface PageRequest {
  /** 1-based. */
  from: number;
  /** Inclusive; absent means to the end. */
  to?: number;
  maxLines: number;
  maxBytes: number;
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
  /** Why the page ends before what was asked for; "line" when a single line is longer than the page. */
  cut?: "lines" | "bytes" | "line";
  /** Some bytes are not UTF-8 and are shown as U+FFFD. */
  damaged?: true;
}

/** Reads some lines of a text file, streaming: memory stays at the size of the page, whatever the size of the file. */
export async function readPage(path: string, request: PageRequest): Promise<Result<Page, FsKind>> {
  const opened = openFile(path);
  if (!opened.ok) return opened;
  const { fd, stat } = opened.value;
  const taker = new Taker(request);
  try {
    // Most files fit into the first read, which is worth no trip to another thread.
    let chunk = Buffer.allocUnsafe(firstRead);
    let count = readSync(fd, chunk, 0, chunk.length, null);
    let position = 0;
    if (looksBinary(chunk.subarray(0, Math.min(count, sampleBytes)))) return fail("binary", `${path}: is not a text file`);
    let counted: Page["counted"] = "exactly";
    while (count > 0) {
      taker.push(chunk.subarray(0, count));
      position += count;
      // A size of 0 may be a lie (/proc): only reading finds the end.
      if (stat.size > 0 && position >= stat.size) break;
      if (taker.countedBytes > countBudget) {
        counted = "at least";
        break;
      }
      if (chunk.length === firstRead) chunk = Buffer.allocUnsafe(laterRead);
      count = await readMore(fd, chunk);
      if (request.signal?.aborted) return fail("aborted", `${path}: reading was stopped`);
    }
    return ok({ ...taker.page(), counted, totalBytes: stat.size });
  } catch (thrown) {
    return fsFailure(path, thrown);
  } finally {
    closeSync(fd);
  }
}

const firstRead = 64 * 1024;
const laterRead = 512 * 1024;
const sampleBytes = 8 * 1024;
/** How much is read beyond the page only to tell the number of lines. */
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
  /** The line that the next byte belongs to, and whether it has one already. */
  #line = 1;
  #begun = false;
  #state: "skip" | "take" | "count" = "skip";
  #cut: Page["cut"];
  countedBytes = 0;

  constructor(request: PageRequest) {
    this.#request = request;
    this.#page = Buffer.allocUnsafe(request.maxBytes);
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === "skip" && this.#line >= this.#request.from) this.#state = "take";
      if (this.#state === "take" && this.#isFull()) this.#state = "count";
      const newline = chunk.indexOf(lf, at);
      const end = newline === -1 ? chunk.length : newline + 1;
      if (this.#state === "take") this.#take(chunk, at, end);
      if (this.#state === "count") this.countedBytes += end - at;
      this.#begun = newline === -1;
      if (newline !== -1) {
        this.#line++;
        if (this.#state === "take") {
          this.#taken++;
          this.#whole = this.#used;
        }
      }
      at = end;
    }
  }

  page() {
    if (this.#state === "take" && this.#begun) {
      this.#taken++;
      this.#whole = this.#used;
    }
    const bytes = this.#page.subarray(0, this.#whole);
    const lines = decoder.decode(bytes).split("\n");
    if (lines.length > this.#taken) lines.pop();
    for (let i = 0; i < lines.length; i++) if (lines[i]?.endsWith("\r")) lines[i] = (lines[i] as string).slice(0, -1);
    const totalLines = this.#begun ? this.#line : this.#line - 1;
    const damaged = !isUtf8(bytes);
    return { lines, totalLines, shownBytes: bytes.length, ...(this.#cut && { cut: this.#cut }), ...(damaged && { damaged: true as const }) };
  }

  #isFull(): boolean {
    if (this.#request.to !== undefined && this.#line > this.#request.to) return true;
    if (this.#taken < this.#request.maxLines) return false;
    this.#cut = "lines";
    return true;
  }

  #take(chunk: Buffer, at: number, end: number): void {
    const room = this.#page.length - this.#used;
    if (end - at <= room) {
      chunk.copy(this.#page, this.#used, at, end);
      this.#used += end - at;
      return;
    }
    this.#state = "count";
    this.#cut = this.#taken === 0 ? "line" : "bytes";
    if (this.#taken > 0) return;
    chunk.copy(this.#page, this.#used, at, at + room);
    this.#used += room;
    this.#whole = this.#used - incompleteTail(this.#page);
    this.#taken = 1;
  }
}

function readMore(fd: number, into: Buffer): Promise<number> {
  return new Promise((done, failed) => read(fd, into, 0, into.length, null, (error, count) => (error ? failed(error) : done(count))));
}

/** A NUL, or more than a tenth of the characters unreadable: not something to show or to edit as text. */
function looksBinary(sample: Buffer): boolean {
  if (sample.indexOf(0) !== -1) return true;
  const whole = sample.subarray(0, sample.length - incompleteTail(sample));
  if (isUtf8(whole)) return false;
  const text = decoder.decode(whole);
  return text.split("\ufffd").length - 1 > text.length / 10;
}
