import type { Pane } from "./frame.ts";
import { type Grid, type GridState, sizeOf, type Tty } from "./grid.ts";
import { GridCheck, linesBehind, type MovedGrid, movedBy, rowsIn } from "./grid-check.ts";
import type { Timers } from "./scheduler.ts";

/** tmux holds a second new size back for 250 ms: after this long without one, the grid has the size we were told. */
const settleMs = 300;

interface ResizeOptions {
  readonly tty: Tty;
  readonly timers: Timers;
  readonly panes: readonly Pane[];
}

/**
 * Follows a multiplexer through new sizes. It keeps its own history and moves lines between that and the grid; the
 * cursor was left on a known line, so its present line tells how many lines came back on top (not ours to touch) or
 * went up (in history already).
 */
export class MultiplexerResize {
  readonly #options: ResizeOptions;
  readonly #grid: Grid;
  readonly #settled: () => void;
  readonly #check: GridCheck;
  #cancel: (() => void) | undefined;

  constructor(options: ResizeOptions, grid: Grid, on: { moved(): void; settled(): void }) {
    this.#options = options;
    this.#grid = grid;
    this.#settled = on.settled;
    this.#check = new GridCheck(async () => options.tty.cursorRow?.(), on.moved);
  }

  /** True while the grid is not known: nothing may be written. */
  get pending(): boolean {
    return this.#cancel !== undefined;
  }

  begin(): void {
    this.cancel();
    const since = this.#options.timers.now();
    this.#cancel = this.#options.timers.after(settleMs, () => void this.#settle(since));
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Remembers the grid before a frame; the returned function checks it, once, as soon as the frame scrolls. */
  watch(): () => void {
    const { state } = this.#grid;
    let checked = false;
    return () => {
      if (!checked) this.#check.before(state, this.#options.timers.now());
      checked = true;
    };
  }

  async #settle(since: number): Promise<void> {
    const { tty, panes } = this.#options;
    const { painter, history } = this.#grid;
    const old = { ...this.#grid.size };
    const { moved, doubtful } = await this.#check.take(since);
    const row = await tty.cursorRow?.();
    this.#cancel = undefined;
    const { columns, height } = sizeOf(tty);
    const state = moved ?? this.#grid.state;
    const foreign =
      painter.foreign + (row === undefined ? Math.max(0, height - old.height) : shift(state, row, columns));
    history.reopen(doubtful);
    let above = this.#linesAbove(state, foreign, columns);
    // If history ends inside of a row of the new width, the rest of that row on the grid stays too.
    const behind = moved || row === undefined ? [] : this.#finalRows(state);
    const spare = linesBehind(behind, columns, height - 1 - above);
    if (columns !== old.columns)
      above += spare[this.#grid.remap(panes[0], columns, Math.max(0, spare.length - 1))] ?? 0;
    painter.foreign = Math.min(above, height - 1);
    // Without an answer the cursor is put where the window should be.
    if (row === undefined) tty.write(`\x1b[${painter.foreign + 1};1H`);
    painter.stand(Math.min(row ?? painter.foreign, height - 1));
    this.#grid.resize({ columns, height });
    this.#grid.next = "place";
    this.#settled();
  }

  /** Lines above ours, after `foreign` lines came there (below 0: after so many of ours went up). */
  #linesAbove(state: GridState, foreign: number, columns: number): number {
    const { history } = this.#grid;
    if (foreign >= 0 || history.committed !== history.state.top) return Math.max(0, foreign);
    const gone = rowsIn(state.shown, history.committed - state.committed - foreign, columns);
    this.#push(state, Math.min(this.#grid.uncovered, gone.rows));
    // The end of a row whose beginning is in history stays where it is, and follows it.
    return history.committed === state.committed + gone.rows ? gone.rest : 0;
  }

  /** Counts rows that the terminal moved up as history if they were final; the others come again later. */
  #push(state: GridState, rows: number): void {
    const { history, painter } = this.#grid;
    const last = Math.max(state.boundary, history.committed);
    const committed = Math.max(state.committed, Math.min(state.committed + rows, last));
    history.pushed(committed, painter.shown.slice(0, Math.max(0, committed - history.committed)));
  }

  /** Rows of the window next to history that will not change. */
  #finalRows({ shown, boundary, committed }: GridState): readonly string[] {
    const { history, uncovered } = this.#grid;
    const end = history.committed === history.state.top ? Math.min(uncovered, boundary - committed) : 0;
    return shown.slice(history.committed - committed, Math.max(0, end));
  }
}

const shift = (state: GridState | MovedGrid, row: number, columns: number): number =>
  "found" in state ? movedBy(state, state.found, columns) + row - state.left : movedBy(state, row, columns);
