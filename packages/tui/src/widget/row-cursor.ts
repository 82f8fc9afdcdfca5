import type { InputEvent } from "../input/event.ts";

/** The first row to show so that row `at` is in sight, moved as little as possible. */
export const scrollTo = (at: number, first: number, height: number, length: number): number =>
  Math.max(0, Math.min(Math.max(Math.min(first, at), at - height + 1), length - height));

/** The chosen row of a list that may be longer than its window. */
export class RowCursor {
  at = 0;
  /** Index of the first row in sight. */
  first = 0;
  height: number;
  readonly #maxHeight: number;
  readonly #length: () => number;

  constructor(maxHeight: number, length: () => number) {
    this.height = maxHeight;
    this.#maxHeight = maxHeight;
    this.#length = length;
  }

  move(to: number): void {
    this.at = Math.max(0, Math.min(this.#length() - 1, to));
  }

  /** Keys that move by pages and to the ends, through `move`. */
  keys(move: (to: number) => void): Record<string, () => void> {
    return {
      pageup: () => move(this.at - this.height),
      pagedown: () => move(this.at + this.height),
      home: () => move(0),
      end: () => move(this.#length() - 1),
    };
  }

  /** The rows in sight, in a window with room for so many. */
  visible<T>(rows: readonly T[], room: number): readonly T[] {
    this.height = Math.max(1, Math.min(this.#maxHeight, room));
    this.first = scrollTo(this.at, this.first, this.height, rows.length);
    return rows.slice(this.first, this.first + this.height);
  }

  /** `3/40`; undefined while all rows are in sight. */
  get position(): string | undefined {
    return this.#length() > this.height ? `${this.at + 1}/${this.#length()}` : undefined;
  }
}

/** Runs the action of a pressed key. */
export function pressKey(keys: Readonly<Record<string, () => void>>, event: InputEvent): "used" | "passed" {
  const act = event.type === "key" ? keys[event.combo] : undefined;
  act?.();
  return act ? "used" : "passed";
}
