import { sleep } from "@pith/kit";
import type { Line } from "./frame.ts";

/** Characters that may wait before whoever writes is asked to wait too. */
const maxWaiting = 8 * 1024 * 1024;
/** Characters that are handed over at once. */
const chunkSize = 1024 * 1024;
/** Characters that a line counts as while more may be joined to it, or a newer one may take its place. */
const openSize = 200;

/** A line that waits: written out, or still open because more of the same may come. */
type Waiting = string | Joined | Latest;
interface Joined {
  line: Extract<Line, { type: "message_update" | "bash_execution_update" }>;
  key: string;
}
interface Latest {
  line: Line;
  latest: string;
}

/**
 * Lines on their way to a reader. One that keeps up gets each as it comes. For one that does not, pieces of one block
 * are joined, of lines that only show progress the last is kept, and everything else waits in its place. Nothing is
 * dropped: whoever makes more waits for `room` first.
 */
export class LineWriter {
  readonly #write: (text: string) => Promise<unknown>;
  readonly #encode: (line: Line) => string;
  #waiting: (Waiting | undefined)[] = [];
  readonly #latest = new Map<string, number>();
  /** Output of commands of the person, each in one piece whatever was told in between. */
  readonly #output = new Map<string, Joined>();
  #size = 0;
  #writing: Promise<void> | undefined;
  #freed: PromiseWithResolvers<void> | undefined;
  #fault: Error | undefined;
  /** Time at which the reader last took something; one that takes nothing at all is not waited for at the end. */
  #taken = 0;
  /** Called once, when the reader is gone. */
  onFault: ((fault: Error) => void) | undefined;

  constructor(write: (text: string) => Promise<unknown>, encode: (line: Line) => string) {
    this.#write = write;
    this.#encode = encode;
  }

  push(line: Line): void {
    if (this.#fault) return;
    const key = joinKey(line);
    const last = line.type === "bash_execution_update" ? this.#output.get(key ?? "") : this.#waiting.at(-1);
    if (key === undefined) this.#putWhole(line);
    else if (typeof last === "object" && "key" in last && last.key === key) this.#join(last, line);
    else {
      const joined = { line: line as Joined["line"], key };
      if (line.type === "bash_execution_update") this.#output.set(key, joined);
      this.#put(joined, openSize);
    }
    this.#writing ??= this.#drain();
  }

  /** Characters that wait. */
  get size(): number {
    return this.#size;
  }

  /** Resolves when there is room for more: at once, unless the reader stands still. */
  async room(limit = maxWaiting, signal?: AbortSignal): Promise<void> {
    if (this.#size <= limit) return;
    const aborted = new Promise<void>((done) => signal?.addEventListener("abort", () => done(), { once: true }));
    while (this.#size > limit && !this.#fault && !signal?.aborted) {
      this.#freed ??= Promise.withResolvers();
      await Promise.race([this.#freed.promise, aborted]);
    }
  }

  /** Resolves when everything is out, or never will be: the reader is gone, or takes nothing for this long. */
  async flush(timeoutMs = Number.POSITIVE_INFINITY): Promise<"out" | "stuck"> {
    this.#taken = performance.now();
    while (this.#writing) {
      const done = await Promise.race([this.#writing.then(() => "out" as const), sleep(50)]);
      if (done !== "out" && performance.now() - this.#taken > timeoutMs) return "stuck";
    }
    return "out";
  }

  #join(last: Joined, line: Line): void {
    if (line.type === "bash_execution_update" && last.line.type === "bash_execution_update") {
      const before = last.line.delta.length;
      // A command writes on whether anybody reads or not; the answer names the file that has all of it.
      last.line = { ...last.line, delta: endOf(last.line.delta + line.delta) };
      this.#size += last.line.delta.length - before;
    } else if (line.type === "message_update" && last.line.type === "message_update") {
      const { assistantMessageEvent: before } = last.line;
      const { type, usage, assistantMessageEvent: now } = line;
      if (!("delta" in before) || !("delta" in now)) return;
      this.#size += now.delta.length;
      last.line = { type, usage, assistantMessageEvent: { ...before, delta: before.delta + now.delta } };
    }
  }

  #putWhole(line: Line): void {
    const latest = latestKey(line);
    if (latest === undefined) {
      const text = this.#encode(line);
      this.#put(text, text.length);
      return;
    }
    const before = this.#latest.get(latest);
    if (before !== undefined) this.#waiting[before] = undefined;
    this.#latest.set(latest, this.#waiting.length);
    this.#put({ line, latest }, before === undefined ? openSize : 0);
  }

  #put(waiting: Waiting, size: number): void {
    this.#waiting.push(waiting);
    this.#size += size;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const waiting = this.#waiting;
        this.#waiting = [];
        this.#latest.clear();
        this.#output.clear();
        // Lines that are being written count as waiting: a reader that stands still has not taken them.
        const size = this.#size;
        let text = "";
        let left = waiting.length;
        for (const item of waiting) {
          left--;
          if (item !== undefined) text += typeof item === "string" ? item : this.#encode(item.line);
          if (text.length < chunkSize && left > 0) continue;
          await this.#write(text);
          this.#taken = performance.now();
          text = "";
        }
        this.#size -= size;
        this.#freed?.resolve();
        this.#freed = undefined;
      }
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
      this.#waiting = [];
      this.#size = 0;
      this.#freed?.resolve();
      this.onFault?.(this.#fault);
    } finally {
      this.#writing = undefined;
    }
  }
}

/** The end of what one command has written, as much of it as may wait; it says that there was more. */
const endOf = (text: string): string =>
  text.length <= maxWaiting ? text : `[what was not read in time is left out here]\n${text.slice(-maxWaiting / 2)}`;

/** Key of lines that are joined into one; undefined for other lines. */
function joinKey(line: Line): string | undefined {
  if (line.type === "bash_execution_update") return `bash ${line.id}`;
  if (line.type !== "message_update") return undefined;
  const { assistantMessageEvent: piece } = line;
  return "delta" in piece ? `${piece.type} ${piece.contentIndex}` : undefined;
}

/** Keys of lines of which only the last is of use, by their types; undefined for a line that is kept. */
const latestKeys: { readonly [T in Line["type"]]?: (line: Line & { type: T }) => string | undefined } = {
  tool_execution_update: ({ type, toolCallId }) => `${type} ${toolCallId}`,
  edit_preview: ({ type, toolCallId }) => `${type} ${toolCallId}`,
  output: ({ text, id }) => (text === undefined ? undefined : `output ${id}`),
  status: ({ type, key }) => `${type} ${key}`,
  panel: ({ type, key }) => `${type} ${key}`,
  queue_update: ({ type }) => type,
  files_changed: ({ type, final }) => (final ? undefined : type),
};

const latestKey = (line: Line): string | undefined =>
  (latestKeys[line.type] as ((line: Line) => string | undefined) | undefined)?.(line);
