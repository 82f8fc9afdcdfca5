import { closeSync, openSync } from "node:fs";
import { formatBytes, tryOr, writeAll } from "@pith/kit";
import { asLines, cr, lf, lineEnd } from "./bytes.ts";
import { CleanStream } from "./clean.ts";
import { HeadTail } from "./head-tail.ts";
import { OverwrittenLines } from "./overwrite.ts";
import { RepeatedLines } from "./repeats.ts";

export interface SinkOptions {
  /** The limit of the text. */
  maxBytes: number;
  /** Bytes of the limit that go to the beginning of the output; the others go to its end. */
  headBytes?: number;
  /** Bytes that `tail` returns. */
  endBytes?: number;
  /** `fold` counts repeated and overwritten lines instead of keeping them. */
  repeats?: "fold" | "keep";
  /** Longer lines are cut, in the text only. */
  maxColumns?: number;
  /** The file for the complete output; called once, when something has to be left out. */
  openFile?: () => OutputFile | undefined;
  /** The path of another file, for when the first cannot be opened. */
  spareFile?: () => string | undefined;
  maxFileBytes?: number;
  /** Called with every clean chunk as it comes, before lines are cut. */
  onChunk?: (chunk: Uint8Array) => void;
}

export interface OutputFile {
  id: string;
  path: string;
}

export interface CollectedOutput {
  text: string;
  /** The complete output with nothing folded, if no file was needed for it. */
  whole?: string;
  totalLines: number;
  totalBytes: number;
  /** Present if the text is not the complete output. */
  truncation?: Truncation;
}

export interface Truncation {
  direction: "tail" | "middle";
  truncatedBy: "lines" | "bytes" | "columns" | "repeats";
  totalLines: number;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  shownRange?: { start: number; end: number };
  /** The lines between the beginning and the end. */
  leftOut?: { start: number; end: number };
  maxBytes: number;
  /** Set if the file for the complete output was opened. */
  artifactId?: string;
  /** Set if the complete output went into the spare file. */
  keptAt?: string;
  /** The complete output was kept nowhere. */
  lost?: true;
}

/**
 * Collects the output of anything that streams. Its end, and its beginning if wanted, stay in memory of a fixed size;
 * the complete output goes to a file once something has to be left out.
 */
export class OutputSink {
  readonly #options: SinkOptions;
  readonly #clean = new CleanStream();
  readonly #shown: HeadTail;
  #totalBytes = 0;
  #newlines = 0;
  #column = 0;
  #lastByte = lf;
  /** The complete output, until something has to be left out. */
  #raw: Uint8Array[] = [];
  /** Undefined until something has to be left out. */
  #file: CompleteOutput | undefined;
  readonly #repeats: RepeatedLines | undefined;
  readonly #overwritten: OverwrittenLines | undefined;
  readonly #tail: HeadTail | undefined;
  #columnsCut = false;

  constructor(options: SinkOptions) {
    this.#options = options;
    this.#shown = new HeadTail(options.maxBytes, options.headBytes ?? 0);
    this.#repeats = options.repeats === "fold" ? new RepeatedLines() : undefined;
    this.#overwritten = this.#repeats && new OverwrittenLines();
    this.#tail = options.endBytes === undefined ? undefined : new HeadTail(options.endBytes, 0);
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#clean.push(chunk));
  }

  /** The text that `finish` would return now. */
  snapshot(): string {
    const pending = [this.#repeats, this.#overwritten].map((stage) => (stage ? decode(stage.rest()) : ""));
    return this.#text().text + pending.join("");
  }

  /** The last bytes as they came: nothing folded or left out. */
  tail(): string {
    const { head, tail } = this.#tail?.parts() ?? this.#shown.parts();
    return decode(head) + decode(tail);
  }

  /** Ends the stream and closes the file. */
  finish(): CollectedOutput {
    this.#take(this.#clean.end());
    if (this.#repeats && this.#overwritten)
      for (const rest of [this.#repeats.push(this.#overwritten.end()), this.#repeats.end()]) this.#shown.push(rest);
    this.#file?.close();
    const { text, lines, bytes, elided, leftOut } = this.#text();
    const { totalLines } = this;
    const totals = { totalLines, totalBytes: this.#totalBytes };
    if (!this.#file) return { text, ...totals, ...(this.#folded && { whole: decode(Buffer.concat(this.#raw)) }) };
    const { id, keptAt, whole } = this.#file;
    const direction = this.#options.headBytes && elided ? "middle" : "tail";
    const ranged = direction === "tail" && !this.#folded;
    return {
      text,
      ...totals,
      truncation: {
        direction,
        truncatedBy: elided ? "bytes" : this.#columnsCut ? "columns" : "repeats",
        ...totals,
        outputLines: lines,
        outputBytes: bytes,
        shownRange: ranged ? { start: totalLines - lines + 1, end: totalLines } : undefined,
        leftOut,
        maxBytes: this.#options.maxBytes,
        artifactId: id,
        keptAt,
        lost: whole ? undefined : true,
      },
    };
  }

  get totalLines(): number {
    return this.#newlines + (this.#lastByte === lf ? 0 : 1);
  }

  get #folded(): boolean {
    return this.#repeats?.folded === true || this.#overwritten?.folded === true;
  }

  #text(): { text: string; lines: number; bytes: number; elided: boolean; leftOut?: Truncation["leftOut"] } {
    const { head, tail, cut } = this.#shown.parts();
    const lines = countLines(head) + countLines(tail);
    const bytes = head.length + tail.length;
    if (cut === "nowhere" || head.length === 0)
      return { text: decode(head) + decode(tail), lines, bytes, elided: cut !== "nowhere" };
    const countable = cut === "between lines" && !this.#folded;
    const leftOut = countable ? { start: countLines(head) + 1, end: this.totalLines - countLines(tail) } : undefined;
    const what = leftOut ? `lines ${leftOut.start}-${leftOut.end}` : formatBytes(this.#totalBytes - bytes);
    const border = head[head.length - 1] === lf ? "" : "\n";
    const text = `${decode(head)}${border}[… ${what} left out …]\n${decode(tail)}`;
    return { text, lines, bytes, elided: true, leftOut };
  }

  #take(clean: Uint8Array): void {
    if (clean.length === 0) return;
    const complete = asLines(clean);
    this.#options.onChunk?.(complete);
    const cut = this.#count(clean);
    if (cut !== clean) this.#columnsCut = true;
    const settled = this.#overwritten?.push(cut) ?? asLines(cut);
    if (this.#file) this.#file.write(complete);
    // A note says how often a line came; the earlier states of an overwritten line are in the file only.
    else if (this.#columnsCut || this.#overwritten?.folded || this.#totalBytes > this.#options.maxBytes) {
      this.#file = new CompleteOutput(this.#options);
      for (const part of [...this.#raw, complete]) this.#file.write(part);
      this.#raw = [];
    } else this.#raw.push(complete.slice());
    this.#tail?.push(asLines(cut));
    this.#shown.push(this.#repeats?.push(settled) ?? settled);
  }

  /** Counts bytes and lines, and cuts long lines; returns the chunk itself if none is too long. */
  #count(clean: Uint8Array): Uint8Array {
    const max = this.#options.maxColumns ?? Number.POSITIVE_INFINITY;
    const before = this.#column;
    let lineStart = -before;
    let newlines = 0;
    let tooLong = false;
    for (let i = 0; i < clean.length; i++) {
      if (clean[i] !== lf && clean[i] !== cr) continue;
      newlines++;
      if (i - lineStart > max) tooLong = true;
      lineStart = i + 1;
    }
    this.#column = clean.length - lineStart;
    this.#newlines += newlines;
    this.#totalBytes += clean.length;
    this.#lastByte = lineStart === clean.length ? lf : 0;
    if (!tooLong && this.#column <= max) return clean;
    return cutLines(clean, before, max);
  }
}

/** The complete output on disk. A failure is remembered and never stops the command that writes. */
class CompleteOutput {
  readonly id: string | undefined;
  readonly keptAt: string | undefined;
  whole: boolean;
  #fd: number | undefined;
  #bytesLeft: number;

  constructor({ openFile, spareFile, maxFileBytes = 256 * 1024 * 1024 }: SinkOptions) {
    this.#bytesLeft = maxFileBytes;
    const open = (path: string | undefined) =>
      path === undefined ? undefined : tryOr(() => openSync(path, "wx", 0o600));
    const file = tryOr(() => openFile?.());
    this.#fd = open(file?.path);
    if (this.#fd !== undefined) this.id = file?.id;
    else {
      const path = tryOr(() => spareFile?.());
      this.#fd = open(path);
      if (this.#fd !== undefined) this.keptAt = path;
    }
    this.whole = this.#fd !== undefined;
  }

  write(bytes: Uint8Array): void {
    if (!this.whole || this.#fd === undefined) return;
    try {
      const count = Math.min(bytes.length, this.#bytesLeft);
      writeAll(this.#fd, bytes.subarray(0, count));
      this.#bytesLeft -= count;
      this.whole = count === bytes.length;
    } catch {
      this.whole = false;
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

const decode = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
const mark = Buffer.from("…");

/** Drops the bytes of a line beyond `max` and marks the cut; `column` is the column at which the chunk begins. */
function cutLines(chunk: Uint8Array, column: number, max: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < chunk.length; column = 0) {
    const next = lineEnd(chunk, at);
    const whole = chunk[next - 1] === lf || chunk[next - 1] === cr;
    const end = whole ? next - 1 : next;
    let cut = Math.min(end, at + Math.max(0, max - column));
    // Not inside a character: step back over continuation bytes.
    if (cut < end) while (cut > at && ((chunk[cut] ?? 0) & 0xc0) === 0x80) cut--;
    parts.push(chunk.subarray(at, cut));
    if (cut < end && column <= max) parts.push(mark);
    if (whole) parts.push(chunk.subarray(end, next));
    at = next;
  }
  return Buffer.concat(parts);
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lf); at !== -1; at = bytes.indexOf(lf, at + 1)) lines++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== lf ? lines + 1 : lines;
}
