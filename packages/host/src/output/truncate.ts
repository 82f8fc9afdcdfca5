import { closeSync, openSync, writeSync } from "node:fs";
import { formatBytes } from "@pith/kit";
import { CleanStream } from "./clean.ts";
import { HeadTail } from "./head-tail.ts";
import { asLines, lineEnd, OverwrittenLines } from "./overwrite.ts";
import { RepeatedLines } from "./repeats.ts";

export interface SinkOptions {
  /** Budget of the text that is handed on. */
  maxBytes: number;
  /** How much of the budget goes to the beginning; the rest goes to the end. */
  headBytes?: number;
  /** How much of the end can be asked for as it came. */
  endBytes?: number;
  /** What is done with a line that comes again and again, or is written over; it stays unless this says else. */
  repeats?: "fold" | "keep";
  /** Bytes of one line beyond this are left out of the text. */
  maxColumns?: number;
  /** Names the file for the complete output; asked once, and only when something has to be left out. */
  openFile?: () => OutputFile | undefined;
  /** Another file, when there is none by that name or it cannot be opened. */
  spareFile?: () => string | undefined;
  maxFileBytes?: number;
  /** Every clean chunk as it comes, before long lines are cut. */
  onChunk?: (chunk: Uint8Array) => void;
}

export interface OutputFile {
  id: string;
  path: string;
}

export interface CollectedOutput {
  text: string;
  /** All of it with nothing folded, when no file had to be made for that. */
  whole?: string;
  totalLines: number;
  totalBytes: number;
  /** Present when the text is not the whole output. */
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
  /** Set when the file for the complete output was really opened. */
  artifactId?: string;
  /** Set when it went into the other file. */
  keptAt?: string;
  /** The complete output is nowhere. */
  lost?: true;
}

/**
 * Takes the output of anything that streams; keeps the end (and the beginning if wanted) in flat memory and the rest
 * in a file.
 */
export class OutputSink {
  readonly #options: SinkOptions;
  readonly #plain = new CleanStream();
  readonly #window: HeadTail;
  #totalBytes = 0;
  #newlines = 0;
  #column = 0;
  #lastByte = lf;
  /** All that came, until something has to be left out. */
  #raw: Uint8Array[] = [];
  /** Exists from that moment on. */
  #mirror: Mirror | undefined;
  readonly #fold: RepeatedLines | undefined;
  readonly #over: OverwrittenLines | undefined;
  readonly #end: HeadTail | undefined;
  #cut: "columns" | undefined;

  constructor(options: SinkOptions) {
    this.#options = options;
    this.#window = new HeadTail(options.maxBytes, options.headBytes ?? 0);
    this.#fold = options.repeats === "fold" ? new RepeatedLines() : undefined;
    this.#over = this.#fold && new OverwrittenLines();
    this.#end = options.endBytes === undefined ? undefined : new HeadTail(options.endBytes, 0);
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#plain.push(chunk));
  }

  /** What a dump would hand on now. */
  snapshot(): string {
    const waits = [this.#fold, this.#over].map((stage) => (stage ? decode(stage.rest()) : ""));
    return this.#shown().text + waits.join("");
  }

  /** The end as it came, nothing counted or left out of it. */
  end(): string {
    const { head, tail } = this.#end?.kept() ?? this.#window.kept();
    return decode(head) + decode(tail);
  }

  /** Ends the stream and closes the file. */
  dump(): CollectedOutput {
    this.#take(this.#plain.end());
    if (this.#fold && this.#over)
      for (const rest of [this.#fold.push(this.#over.end()), this.#fold.end()]) this.#window.push(rest);
    this.#mirror?.close();
    const { text, lines, bytes, elided, leftOut } = this.#shown();
    const { totalLines } = this;
    const totals = { totalLines, totalBytes: this.#totalBytes };
    if (!this.#mirror) return { text, ...totals, ...(this.#folded && { whole: decode(Buffer.concat(this.#raw)) }) };
    const { id, keptAt, whole } = this.#mirror;
    const direction = this.#options.headBytes && elided ? "middle" : "tail";
    const ranged = direction === "tail" && !this.#folded;
    return {
      text,
      ...totals,
      truncation: {
        direction,
        truncatedBy: elided ? "bytes" : (this.#cut ?? "repeats"),
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
    return this.#fold?.folded === true || this.#over?.folded === true;
  }

  #shown(): { text: string; lines: number; bytes: number; elided: boolean; leftOut?: Truncation["leftOut"] } {
    const { head, tail, cut } = this.#window.kept();
    const lines = countLines(head) + countLines(tail);
    const bytes = head.length + tail.length;
    if (cut === "nowhere" || head.length === 0)
      return { text: decode(head) + decode(tail), lines, bytes, elided: cut !== "nowhere" };
    const known = cut === "between lines" && !this.#folded;
    const leftOut = known ? { start: countLines(head) + 1, end: this.totalLines - countLines(tail) } : undefined;
    const what = leftOut ? `lines ${leftOut.start}-${leftOut.end}` : formatBytes(this.#totalBytes - bytes);
    const border = head[head.length - 1] === lf ? "" : "\n";
    return {
      text: `${decode(head)}${border}[… ${what} left out …]\n${decode(tail)}`,
      lines,
      bytes,
      elided: true,
      ...(leftOut && { leftOut }),
    };
  }

  #take(states: Uint8Array): void {
    if (states.length === 0) return;
    const clean = asLines(states);
    this.#options.onChunk?.(clean);
    const shown = this.#count(states);
    if (shown !== states) this.#cut = "columns";
    const last = this.#over?.push(shown) ?? asLines(shown);
    if (this.#mirror) this.#mirror.write(clean);
    // How often a line came is told; what it was before it was written over is only in the file.
    else if (this.#cut || this.#over?.folded || this.#totalBytes > this.#options.maxBytes) {
      this.#mirror = new Mirror(this.#options, this.#options.maxFileBytes ?? 256 * 1024 * 1024);
      for (const part of [...this.#raw, clean]) this.#mirror.write(part);
      this.#raw = [];
    } else this.#raw.push(clean.slice());
    this.#end?.push(asLines(shown));
    this.#window.push(this.#fold?.push(last) ?? last);
  }

  /** Counts, and cuts long lines; hands back the chunk itself when there is none. */
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
class Mirror {
  readonly id: string | undefined;
  readonly keptAt: string | undefined;
  whole: boolean;
  #fd: number | undefined;
  #room: number;

  constructor({ openFile: keep, spareFile: spare }: Pick<SinkOptions, "openFile" | "spareFile">, room: number) {
    this.#room = room;
    const kept = attempt(() => keep?.());
    this.#fd = kept && attempt(() => openSync(kept.path, "wx", 0o600));
    if (this.#fd !== undefined) this.id = kept?.id;
    else {
      const path = attempt(() => spare?.());
      this.#fd = path === undefined ? undefined : attempt(() => openSync(path, "wx", 0o600));
      if (this.#fd !== undefined) this.keptAt = path;
    }
    // Nowhere at all is reported as lost.
    this.whole = this.#fd !== undefined;
  }

  write(bytes: Uint8Array): void {
    if (!this.whole || this.#fd === undefined) return;
    try {
      const count = Math.min(bytes.length, this.#room);
      for (let at = 0; at < count; ) at += writeSync(this.#fd, bytes, at, count - at);
      this.#room -= count;
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

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

const lf = 10;
const cr = 13;
const decode = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
const mark = Buffer.from("…");

/**
 * Drops what stands beyond `max` bytes of a line and marks the place; `column` is where the chunk begins in its line.
 */
function cutLines(chunk: Uint8Array, column: number, max: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < chunk.length; column = 0) {
    const next = lineEnd(chunk, at);
    const whole = chunk[next - 1] === lf || chunk[next - 1] === cr;
    const end = whole ? next - 1 : next;
    let cut = Math.min(end, at + Math.max(0, max - column));
    // Not inside a character: step back over continuation bytes.
    if (cut < end) while (cut > at && ((chunk[cut] ?? 0) & 0xc0) === 0x80) cut--;
    pieces.push(chunk.subarray(at, cut));
    if (cut < end && column <= max) pieces.push(mark);
    if (whole) pieces.push(chunk.subarray(end, next));
    at = next;
  }
  return Buffer.concat(pieces);
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? lines + 1 : lines;
}
