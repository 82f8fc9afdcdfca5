import { width } from "../text/width.ts";
import type { GridState } from "./grid.ts";

// A multiplexer changes its grid first and tells the new size up to 250 ms later: frames in between are written on
// lines that have moved. So the cursor's row is asked for before every frame that scrolls; the answers say on which
// lines each frame was written, and nothing has to be guessed.

/** The grid before a frame that was written on lines that had moved. */
export interface MovedGrid extends GridState {
  /** The cursor's line before that frame. */
  readonly found: number;
  /** The cursor's line after it. */
  readonly left: number;
}

/** Without an answer, a new size is taken to be told this late. */
const lateMs = 20;
const memoryMs = 2000;

export class GridCheck {
  readonly #ask: () => Promise<number | undefined>;
  readonly #moved: () => void;
  readonly #asked = new Set<Promise<void>>();
  #grid: MovedGrid | undefined;
  /** Frames without an answer. */
  #unanswered: { at: number; committed: number }[] = [];

  /** `moved` is called when a frame was written on lines that had moved. */
  constructor(ask: () => Promise<number | undefined>, moved: () => void) {
    this.#ask = ask;
    this.#moved = moved;
  }

  /** Asks for the cursor's row before a frame that scrolls. */
  before(state: GridState, at: number): void {
    if (this.#grid) return;
    this.#unanswered = this.#unanswered.filter((frame) => frame.at > at - memoryMs);
    this.#unanswered.push({ at, committed: state.committed });
    const asked = this.#compare(state, this.#ask(), at).finally(() => this.#asked.delete(asked));
    this.#asked.add(asked);
  }

  async #compare(state: GridState, answer: Promise<number | undefined>, at: number): Promise<void> {
    const found = await answer;
    if (found !== undefined) this.#unanswered = this.#unanswered.filter((frame) => frame.at !== at);
    if (found === undefined || found === state.cursor || this.#grid) return;
    this.#grid = { ...state, found, left: found };
    this.#moved();
    this.#grid = { ...this.#grid, left: (await this.#ask()) ?? found };
  }

  /** Waits for all answers; `doubtful` is the first row of history that was written without one, after `resized`. */
  async take(resized: number): Promise<{ moved: MovedGrid | undefined; doubtful: number }> {
    await Promise.all(this.#asked);
    const moved = this.#grid;
    const late = this.#unanswered.filter(({ at }) => at >= resized - lateMs).map(({ committed }) => committed);
    this.#grid = undefined;
    this.#unanswered = [];
    return { moved, doubtful: Math.min(...late) };
  }
}

/** Number of lines that came on top of ours (below 0: of ours that went up) when the cursor is found on this line. */
export function movedBy({ cursor, foreign, shown }: GridState, found: number, columns: number): number {
  const above = shown.slice(0, Math.max(0, cursor - foreign));
  return found - cursor - above.reduce((broken, row) => broken + lineCount(row, columns) - 1, 0);
}

/** Number of first rows that are gone when this many lines are; `rest` is what is left of a broken one, in lines. */
export function rowsIn(shown: readonly string[], lines: number, columns: number): { rows: number; rest: number } {
  let rows = 0;
  for (let left = lines; left > 0 && rows < shown.length; ) {
    left -= lineCount(shown[rows++] ?? "", columns);
    if (left < 0) return { rows, rest: -left };
  }
  return { rows, rest: 0 };
}

/** Number of lines that none, one, two … of these rows take, up to `room` lines. */
export function linesBehind(rows: readonly string[], columns: number, room: number): number[] {
  const lines = [0];
  for (const row of rows) {
    const total = (lines.at(-1) ?? 0) + lineCount(row, columns);
    if (total > room) break;
    lines.push(total);
  }
  return lines;
}

const lineCount = (row: string, columns: number): number => Math.max(1, Math.ceil(width(row) / columns));
