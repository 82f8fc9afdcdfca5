import { hash32 } from "../platform.ts";
import { strip } from "../text/width.ts";
import type { ScreenFrame } from "./frame.ts";

// History holds every committed frame row once, in order. Committed rows have scrolled out of the grid: nothing can
// change them any more.

export interface HistoryState {
  /** Frame rows before this one are in history. */
  readonly committed: number;
  /** The frame row on the first line of the window. */
  readonly top: number;
}

/** The one owner of how much of the frame is in history. */
export class History {
  state: HistoryState = { committed: 0, top: 0 };
  readonly #audit = new Audit();

  get committed(): number {
    return this.state.committed;
  }

  /** Begins again with so many committed rows. */
  restart(committed = 0): void {
    this.state = { committed, top: committed };
    this.#audit.reset(committed);
  }

  /** Takes rows back: those from `committed` on are written again. */
  reopen(committed: number): void {
    if (committed < this.committed) this.state = { ...this.state, committed };
  }

  /** Counts rows as committed that the terminal itself pushed up; `rows` are those since the last count. */
  pushed(committed: number, rows: readonly string[]): void {
    this.#audit.record(rows);
    this.state = { committed, top: Math.max(this.state.top, committed) };
  }

  /** Reopens from the first row that changed after it was committed. A row twice is bad, a missing one is worse. */
  reanchor(frame: ScreenFrame): void {
    const changed = this.#audit.firstChange(frame, this.committed);
    if (changed !== undefined) this.reopen(changed);
  }

  /** Moves on to the frame; returns the rows that enter history with it. */
  advance(frame: ScreenFrame, room: number, commits: "open" | "frozen"): readonly string[] {
    const { committed } = this;
    const length = frame.base + frame.rows.length;
    if (length <= committed && committed > 0) {
      // The frame shrank into its history: the old copy stays there, the window shows the end of what is left.
      const top = Math.max(frame.base, length - room, 0);
      this.state = { top, committed: Math.max(frame.base, Math.min(frame.boundary, top)) };
      this.#audit.keep(frame.base, this.committed);
      return [];
    }
    const top = Math.max(committed, length - room);
    const reached = commits === "frozen" ? committed : Math.max(committed, Math.min(frame.boundary, top));
    const chunk = frame.rows.slice(committed - frame.base, reached - frame.base);
    this.state = { top, committed: reached };
    this.#audit.keep(frame.base, committed);
    this.#audit.record(chunk);
    return chunk;
  }
}

const samples = 8;
const reach = 24;
const slack = 1024;

/** Hashes of committed rows that the application still draws, to notice rows that changed after they were final. */
class Audit {
  #from = 0;
  #hashes: number[] = [];

  record(rows: readonly string[]): void {
    for (const row of rows) this.#hashes.push(hashOf(row));
  }

  /** Forgets rows before `base`, which nobody draws any more, and rows from `committed` on. */
  keep(base: number, committed: number): void {
    if (committed < this.#from || committed > this.#from + this.#hashes.length) this.reset(committed);
    else this.#hashes.length = Math.min(this.#hashes.length, committed - this.#from);
    // Cut in large portions: shifting an array on every frame would cost its length each time.
    const gone = Math.min(base, committed) - this.#from;
    if (gone > slack || gone === this.#hashes.length) {
      this.#hashes.splice(0, gone);
      this.#from += gone;
    }
  }

  reset(from: number): void {
    this.#from = from;
    this.#hashes = [];
  }

  /** The first committed row that changed, if rows moved. One changed row alone is a restyle and is left alone. */
  firstChange(frame: ScreenFrame, committed: number): number | undefined {
    const low = Math.max(frame.base, this.#from);
    const high = Math.min(committed, this.#from + this.#hashes.length);
    let sampled = 0;
    let wrong = 0;
    for (let row = high - 1; row >= Math.max(low, high - reach) && sampled < samples; row--) {
      const text = frame.rows[row - frame.base];
      if (text !== undefined && text.trim() === "") continue;
      sampled++;
      if (this.#differs(text, row)) wrong++;
    }
    if (wrong <= 1) return undefined;
    for (let row = low; row < high; row++) if (this.#differs(frame.rows[row - frame.base], row)) return row;
    return undefined;
  }

  #differs(text: string | undefined, row: number): boolean {
    return text !== undefined && hashOf(text) !== this.#hashes[row - this.#from];
  }
}

const hashOf = (row: string) => hash32(strip(row).trimEnd());
