import type { Timers } from "../../screen/scheduler.ts";

export interface Completion {
  readonly label: string;
  readonly detail?: string;
  /** What stands in the place of `[from, to)` when chosen. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
}

export type Completer = (
  text: string,
  cursor: number,
  signal: AbortSignal,
) => readonly Completion[] | Promise<readonly Completion[]>;

/** Suggestions for what is being typed: asked for when the keys pause, thrown away when they are late. */
export interface Completions {
  typed(text: string, cursor: number): void;
  now(text: string, cursor: number): void;
  close(): void;
  move(by: number): void;
  readonly open: boolean;
  /** Whether they were made for this text: others would be put into the wrong place of it. */
  fit(text: string): boolean;
  readonly items: readonly Completion[];
  readonly chosen: number;
}

const pause = 80;

export function createCompletions(completer: Completer | undefined, timers: Timers, changed: () => void): Completions {
  let items: readonly Completion[] = [];
  let chosen = 0;
  let of = "";
  let cancel: (() => void) | undefined;
  let asking: AbortController | undefined;
  function close() {
    cancel?.();
    cancel = undefined;
    asking?.abort();
    asking = undefined;
    items = [];
    chosen = 0;
  }
  function ask(text: string, cursor: number) {
    if (!completer) return;
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    const take = (completions: readonly Completion[]) => {
      if (mine.signal.aborted) return;
      items = completions;
      of = text;
      chosen = 0;
      changed();
    };
    const answer = completer(text, cursor, mine.signal);
    if (answer instanceof Promise) answer.then(take, () => take([]));
    else take(answer);
  }
  return {
    typed(text, cursor) {
      if (!completer) return;
      cancel?.();
      cancel = timers.after(pause, () => ask(text, cursor));
    },
    now(text, cursor) {
      cancel?.();
      ask(text, cursor);
    },
    close,
    move(by) {
      if (items.length > 0) chosen = (chosen + by + items.length) % items.length;
    },
    get open() {
      return items.length > 0;
    },
    fit: (text) => text === of,
    get items() {
      return items;
    },
    get chosen() {
      return chosen;
    },
  };
}
