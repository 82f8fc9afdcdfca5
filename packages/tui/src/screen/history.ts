import { hash32 } from "../platform.ts";
import { strip } from "../text/width.ts";
import type { ScreenFrame } from "./frame.ts";

// The one book about history. `committed` frame rows have been scrolled out of the grid and are out of reach for ever;
// `top` is the frame row that stands on the first line of the window. History holds every committed row once, in order.

export interface HistoryState {
  readonly committed: number;
  readonly top: number;
}

export interface HistoryStep {
  readonly next: HistoryState;
  /** First and end of the rows that enter history with this frame. */
  readonly chunk: readonly [from: number, to: number];
  readonly kind: "advance" | "shrink";
}

export function advance(
  ledger: HistoryState,
  frame: ScreenFrame,
  room: number,
  commits: "open" | "frozen",
): HistoryStep {
  const length = frame.base + frame.rows.length;
  const { committed } = ledger;
  if (length <= committed && committed > 0) {
    // The frame shrank into what is history: the old copy stays there, the window shows the end of what is left.
    const top = Math.max(frame.base, length - room, 0);
    return {
      next: { top, committed: Math.max(frame.base, Math.min(frame.boundary, top)) },
      chunk: [0, 0],
      kind: "shrink",
    };
  }
  const top = Math.max(committed, length - room);
  const reach = commits === "frozen" ? committed : Math.max(committed, Math.min(frame.boundary, top));
  return { next: { top, committed: reach }, chunk: [committed, reach], kind: "advance" };
}

/** Hashes of committed rows that the application still shows, so that a change behind our back is noticed. */
export class HistoryAudit {
  private from = 0;
  private hashes: number[] = [];

  record(rows: readonly string[]) {
    for (const row of rows) this.hashes.push(printOf(row));
  }

  /** Forgets what lies before `base` (out of everybody's reach) and from `committed` on. */
  keep(base: number, committed: number) {
    if (committed < this.from || committed > this.from + this.hashes.length) this.reset(committed);
    else this.hashes.length = Math.min(this.hashes.length, committed - this.from);
    // Cut in large pieces: shifting an array on every frame would cost its length each time.
    const gone = Math.min(base, committed) - this.from;
    if (gone > slack || gone === this.hashes.length) {
      this.hashes.splice(0, gone);
      this.from += gone;
    }
  }

  reset(from = 0) {
    this.from = from;
    this.hashes = [];
  }

  /**
   * The first committed row that changed, if rows were moved. One changed row alone is a restyle: a stale copy in
   * history is accepted.
   */
  firstChange(frame: ScreenFrame, committed: number): number | undefined {
    const low = Math.max(frame.base, this.from);
    const high = Math.min(committed, this.from + this.hashes.length);
    let sampled = 0;
    let wrong = 0;
    for (let row = high - 1; row >= Math.max(low, high - reach) && sampled < samples; row--) {
      const text = frame.rows[row - frame.base];
      if (text !== undefined && text.trim() === "") continue;
      sampled++;
      if (this.differs(text, row)) wrong++;
    }
    if (wrong <= 1) return undefined;
    for (let row = low; row < high; row++) if (this.differs(frame.rows[row - frame.base], row)) return row;
    return undefined;
  }

  private differs(text: string | undefined, row: number): boolean {
    return text !== undefined && printOf(text) !== this.hashes[row - this.from];
  }
}

const samples = 8;
const reach = 24;
const slack = 1024;
const printOf = (row: string) => hash32(strip(row).trimEnd());
