import type { TextBuffer } from "./buffer.ts";

export type ChangeKind = "type" | "delete" | "other";

const maxSteps = 500;

/** Steps back and forth. Letters typed in one go are one step; a space, a motion or another kind of change ends it. */
export class UndoHistory {
  #past: TextBuffer[] = [];
  #future: TextBuffer[] = [];
  #open: ChangeKind | undefined;

  /** Number of steps that can be taken back. */
  get depth(): number {
    return this.#past.length;
  }

  /** Records the buffer before a change. */
  record(before: TextBuffer, kind: ChangeKind, text = ""): void {
    this.#future = [];
    if (this.#open !== kind || kind === "other") this.#past.push(before);
    if (this.#past.length > maxSteps) this.#past.shift();
    this.#open = kind === "type" && /\s$/.test(text) ? undefined : kind;
  }

  /** Makes all steps beyond `depth` one step. */
  join(depth: number): void {
    if (this.#past.length > depth + 1) this.#past.length = depth + 1;
    this.#open = undefined;
  }

  /** Makes the next change a step of its own. */
  close(): void {
    this.#open = undefined;
  }

  undo(now: TextBuffer): TextBuffer | undefined {
    return this.#swap(this.#past, this.#future, now);
  }

  redo(now: TextBuffer): TextBuffer | undefined {
    return this.#swap(this.#future, this.#past, now);
  }

  clear(): void {
    this.#past = [];
    this.#future = [];
    this.#open = undefined;
  }

  #swap(from: TextBuffer[], to: TextBuffer[], now: TextBuffer): TextBuffer | undefined {
    const next = from.pop();
    if (next) to.push(now);
    this.#open = undefined;
    return next;
  }
}

const maxPieces = 60;

/** Cut texts, the newest first; cuts in a row are one piece. */
export class KillRing {
  readonly #pieces: string[] = [];
  #open = false;
  #at = 0;

  kill(text: string, side: "before" | "after"): void {
    if (text === "") return;
    const [newest] = this.#pieces;
    if (this.#open && newest !== undefined) this.#pieces[0] = side === "before" ? text + newest : newest + text;
    else this.#pieces.unshift(text);
    if (this.#pieces.length > maxPieces) this.#pieces.pop();
    this.#open = true;
    this.#at = 0;
  }

  /** Makes the next cut a new piece. */
  close(): void {
    this.#open = false;
  }

  yank(): string {
    this.#at = 0;
    return this.#pieces[0] ?? "";
  }

  /** The piece before the one that was yanked last. */
  older(): string {
    this.#at = (this.#at + 1) % Math.max(1, this.#pieces.length);
    return this.#pieces[this.#at] ?? "";
  }
}
