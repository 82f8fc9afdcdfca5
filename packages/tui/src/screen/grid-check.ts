import { width } from "../text/width.ts";

// A multiplexer changes its grid first and tells the new size up to 250 ms later: what is written in between is written
// on lines that are not where they were. So before every frame that scrolls, the cursor's row is asked for. What comes
// back says on what that frame was written, and nothing has to be guessed.

/** How our lines stood before a frame. */
export interface GridState {
  /** Where the cursor was left. */
  readonly cursor: number;
  /** Lines above ours. */
  readonly foreign: number;
  readonly shown: readonly string[];
  /** Frame rows before this one were final. */
  readonly boundary: number;
  readonly committed: number;
}

/** A frame was written on lines that had moved: where its cursor was found before it, and after it. */
export interface MovedGrid extends GridState {
  readonly found: number;
  readonly left: number;
}

/** Where nobody answers, a size is taken to be told this late. */
const lateness = 20;
const memory = 2000;

export class GridCheck {
  readonly #ask: () => Promise<number | undefined>;
  readonly #told: () => void;
  readonly #asked = new Set<Promise<void>>();
  #shaken: MovedGrid | undefined;
  /** Frames about which the terminal said nothing. */
  #unheard: { at: number; committed: number }[] = [];

  constructor(ask: () => Promise<number | undefined>, told: () => void) {
    this.#ask = ask;
    this.#told = told;
  }

  /** A frame follows that scrolls. */
  before(stand: GridState, at: number): void {
    if (this.#shaken) return;
    this.#unheard = this.#unheard.filter((each) => each.at > at - memory);
    this.#unheard.push({ at, committed: stand.committed });
    const asked = this.#hear(stand, this.#ask(), at).finally(() => this.#asked.delete(asked));
    this.#asked.add(asked);
  }

  async #hear(stand: GridState, answer: Promise<number | undefined>, at: number): Promise<void> {
    const found = await answer;
    if (found !== undefined) this.#unheard = this.#unheard.filter((each) => each.at !== at);
    if (found === undefined || found === stand.cursor || this.#shaken) return;
    this.#shaken = { ...stand, found, left: found };
    this.#told();
    this.#shaken = { ...this.#shaken, left: (await this.#ask()) ?? found };
  }

  /** What is known of all frames up to now, and which row of history is the first that nobody vouches for. */
  async take(resized: number): Promise<{ shaken: MovedGrid | undefined; doubtful: number }> {
    await Promise.all(this.#asked);
    const shaken = this.#shaken;
    const late = this.#unheard.filter(({ at }) => at >= resized - lateness).map(({ committed }) => committed);
    this.#shaken = undefined;
    this.#unheard = [];
    return { shaken, doubtful: Math.min(...late) };
  }
}

/** How many lines came on top of ours (below 0: how many of ours went up) when the cursor is found on this line. */
export function movedBy({ cursor, foreign, shown }: GridState, found: number, columns: number): number {
  const above = shown.slice(0, Math.max(0, cursor - foreign));
  const broken = above.reduce((sum, row) => sum + linesOf(row, columns) - 1, 0);
  return found - cursor - broken;
}

/** How many of the first rows are gone when this many lines are, and how many lines are left of one that was broken. */
export function rowsIn(shown: readonly string[], lines: number, columns: number): { rows: number; rest: number } {
  let rows = 0;
  for (let left = lines; left > 0 && rows < shown.length; ) {
    left -= linesOf(shown[rows++] ?? "", columns);
    if (left < 0) return { rows, rest: -left };
  }
  return { rows, rest: 0 };
}

/** How many lines none, one, two … of these rows take, as far as there is room. */
export function linesBehind(rows: readonly string[], columns: number, room: number): number[] {
  const lines = [0];
  for (const row of rows) {
    const all = (lines.at(-1) ?? 0) + linesOf(row, columns);
    if (all > room) break;
    lines.push(all);
  }
  return lines;
}

const linesOf = (row: string, columns: number): number => Math.max(1, Math.ceil(width(row) / columns));
