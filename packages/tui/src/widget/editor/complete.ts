import type { Timers } from "../../screen/scheduler.ts";

export interface Completion {
  readonly label: string;
  readonly detail?: string;
  /** Replaces `[from, to)` of the text when chosen. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
}

export type Completer = (
  text: string,
  cursor: number,
  signal: AbortSignal,
) => readonly Completion[] | Promise<readonly Completion[]>;

const pauseMs = 80;

/** Suggestions for the typed text: asked for when the keys pause, dropped when they are late. */
export class Completions {
  items: readonly Completion[] = [];
  chosen = 0;
  readonly #completer: Completer | undefined;
  readonly #timers: Timers;
  readonly #changed: () => void;
  /** The text that the items were made for. */
  #text = "";
  #cancel: (() => void) | undefined;
  #asking: AbortController | undefined;

  /** `changed` is called when items have arrived. */
  constructor(completer: Completer | undefined, timers: Timers, changed: () => void) {
    this.#completer = completer;
    this.#timers = timers;
    this.#changed = changed;
  }

  get open(): boolean {
    return this.items.length > 0;
  }
  get current(): Completion | undefined {
    return this.items[this.chosen];
  }

  /** Asks when the keys pause. */
  typed(text: string, cursor: number): void {
    if (!this.#completer) return;
    this.#cancel?.();
    this.#cancel = this.#timers.after(pauseMs, () => this.#ask(text, cursor));
  }

  now(text: string, cursor: number): void {
    this.#cancel?.();
    this.#ask(text, cursor);
  }

  close(): void {
    this.#cancel?.();
    this.#asking?.abort();
    this.items = [];
    this.chosen = 0;
  }

  move(by: number): void {
    if (this.open) this.chosen = (this.chosen + by + this.items.length) % this.items.length;
  }

  /** True if the items were made for this text; in another one they would replace the wrong range. */
  fit(text: string): boolean {
    return text === this.#text;
  }

  #ask(text: string, cursor: number): void {
    if (!this.#completer) return;
    this.#asking?.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const take = (items: readonly Completion[]) => {
      if (signal.aborted) return;
      this.items = items;
      this.chosen = 0;
      this.#text = text;
      this.#changed();
    };
    const answer = this.#completer(text, cursor, signal);
    if (answer instanceof Promise) answer.then(take, () => take([]));
    else take(answer);
  }
}
