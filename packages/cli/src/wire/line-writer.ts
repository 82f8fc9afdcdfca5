import { sleep } from "@pith/kit";
import type { Line } from "./frame.ts";

/** Characters that may wait before whoever writes is asked to wait too. */
const roomy = 8 * 1024 * 1024;
/** Characters that are handed over at once. */
const portion = 1024 * 1024;

/** What waits: written out, or still open because more of the same may come. */
type Waiting = string | Pieces | Latest;
interface Pieces {
  line: Extract<Line, { type: "message_update" | "bash_execution_update" }>;
  key: string;
}
interface Latest {
  line: Line;
  latest: string;
}

/**
 * Lines on their way to a reader. One that keeps up gets each as it comes. While it does not, pieces of one block are
 * joined and of what only shows how far something is the last is kept; everything else waits in its place. Nothing is
 * dropped: whoever makes more asks for `room` first.
 */
export class LineWriter {
  readonly #write: (text: string) => Promise<unknown>;
  readonly #text: (line: Line) => string;
  #waiting: (Waiting | undefined)[] = [];
  readonly #latest = new Map<string, number>();
  /** What commands of the person's have written, each in one piece whatever was told in between. */
  readonly #written = new Map<string, Pieces>();
  #size = 0;
  #writing: Promise<void> | undefined;
  #freed: PromiseWithResolvers<void> | undefined;
  #fault: Error | undefined;
  /** When something was last taken; who takes nothing at all is not waited for at the end. */
  #taken = 0;
  /** Called once, when the reader is gone. */
  onFault: ((fault: Error) => void) | undefined;

  constructor(write: (text: string) => Promise<unknown>, text: (line: Line) => string) {
    this.#write = write;
    this.#text = text;
  }

  push(line: Line): void {
    if (this.#fault) return;
    const key = pieceOf(line);
    const last = line.type === "bash_execution_update" ? this.#written.get(key ?? "") : this.#waiting.at(-1);
    if (key !== undefined && typeof last === "object" && "key" in last && last.key === key) this.#join(last, line);
    else if (key !== undefined) this.#putPiece({ line: line as Pieces["line"], key });
    else this.#putWhole(line);
    this.#writing ??= this.#drain();
  }

  /** Characters that wait. */
  get size(): number {
    return this.#size;
  }

  /** Resolves when there is room for more: at once, unless the reader stands still. */
  async room(much = roomy, signal?: AbortSignal): Promise<void> {
    while (this.#size > much && !this.#fault && !signal?.aborted) {
      this.#freed ??= Promise.withResolvers();
      const stop = new AbortController();
      const gone = new Promise<void>((done) =>
        signal?.addEventListener("abort", () => done(), { signal: stop.signal }),
      );
      await Promise.race([this.#freed.promise, gone]);
      stop.abort();
    }
  }

  /** Resolves when everything is out, or never will be: the reader is gone, or takes nothing for this long. */
  async flush(patienceMs = Number.POSITIVE_INFINITY): Promise<"out" | "stuck"> {
    this.#taken = performance.now();
    while (this.#writing) {
      const done = await Promise.race([this.#writing.then(() => "out" as const), sleep(50)]);
      if (done !== "out" && performance.now() - this.#taken > patienceMs) return "stuck";
    }
    return "out";
  }

  #join(last: Pieces, line: Line): void {
    if (line.type === "bash_execution_update" && last.line.type === "bash_execution_update") {
      const before = last.line.delta.length;
      // A command writes on whether anybody reads or not; all of it is where the answer says.
      last.line = { ...last.line, delta: endOf(last.line.delta + line.delta) };
      this.#size += last.line.delta.length - before;
    } else if (line.type === "message_update" && last.line.type === "message_update") {
      const { assistantMessageEvent: before } = last.line;
      const { assistantMessageEvent: now, usage } = line;
      if (!("delta" in before) || !("delta" in now)) return;
      this.#size += now.delta.length;
      last.line = {
        type: "message_update",
        usage,
        assistantMessageEvent: { ...before, delta: before.delta + now.delta },
      };
    }
  }

  #putPiece(piece: Pieces): void {
    if (piece.line.type === "bash_execution_update") this.#written.set(piece.key, piece);
    this.#put(piece, 200);
  }

  #putWhole(line: Line): void {
    const latest = latestOf(line);
    if (latest === undefined) {
      const text = this.#text(line);
      this.#put(text, text.length);
      return;
    }
    const before = this.#latest.get(latest);
    if (before !== undefined) this.#waiting[before] = undefined;
    else this.#size += 200;
    this.#latest.set(latest, this.#waiting.length);
    this.#put({ line, latest }, 0);
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
        this.#written.clear();
        // What is under way counts as waiting: a reader that stands still has not taken it.
        const size = this.#size;
        let text = "";
        let left = waiting.length;
        for (const item of waiting) {
          left--;
          if (item !== undefined) text += typeof item === "string" ? item : this.#text(item.line);
          if (text.length < portion && left > 0) continue;
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

/** As much as may wait of what one command has written: the end of it, and that there was more. */
function endOf(text: string): string {
  if (text.length <= roomy) return text;
  return leftOut + text.slice(-roomy / 2);
}
const leftOut = "[what was not read in time is left out here]\n";

/** What pieces are joined by; undefined for what is no piece. */
function pieceOf(line: Line): string | undefined {
  if (line.type === "bash_execution_update") return `bash ${line.id}`;
  if (line.type !== "message_update") return undefined;
  const { assistantMessageEvent: piece } = line;
  return "delta" in piece ? `${piece.type} ${piece.contentIndex}` : undefined;
}

/** What a line takes the place of an earlier one by, where only the last is of use. */
function latestOf(line: Line): string | undefined {
  switch (line.type) {
    case "tool_execution_update":
    case "edit_preview":
      return `${line.type} ${line.toolCallId}`;
    case "output":
      return line.text === undefined ? undefined : `output ${line.id}`;
    case "status":
    case "panel":
      return `${line.type} ${line.key}`;
    case "queue_update":
      return line.type;
    case "files_changed":
      return line.final ? undefined : line.type;
    default:
      return undefined;
  }
}
