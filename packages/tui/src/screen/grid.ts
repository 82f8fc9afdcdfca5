import type { Pane } from "./frame.ts";
import { History } from "./history.ts";
import { Painter, type PaintOptions } from "./paint.ts";

/** The terminal as the engine sees it. */
export interface Tty {
  readonly columns: number;
  readonly rows: number;
  write(bytes: string): void;
  /** True while bytes wait: the terminal is slower than we are. */
  readonly busy?: boolean;
  /** The row the cursor is on, if the terminal answers in time. Asked in a multiplexer only. */
  cursorRow?(): Promise<number | undefined>;
}

export interface Size {
  columns: number;
  height: number;
}

export const sizeOf = ({ columns, rows }: Tty): Size => ({
  columns: Math.max(1, columns),
  height: Math.max(1, rows),
});

/** The lines of our window at one moment. */
export interface GridState {
  /** The line that the cursor was left on. */
  readonly cursor: number;
  /** Number of lines above the window that belong to others. */
  readonly foreign: number;
  readonly shown: readonly string[];
  /** Frame rows before this one were final. */
  readonly boundary: number;
  readonly committed: number;
}

/** The window of a screen: its size, the painter that owns its lines, and how much of the frame is in history. */
export class Grid {
  readonly size: Size;
  readonly painter: Painter;
  readonly history = new History();
  /** The way in which the next frame is painted. */
  next: "first" | "clear" | "place" | "none" = "first";
  /** Frame rows before this one were final in the last frame. */
  boundary = 0;
  /** Number of the window's first rows that no overlay covers. */
  uncovered = Number.POSITIVE_INFINITY;

  constructor(size: Size, options: Omit<PaintOptions, keyof Size>) {
    this.size = size;
    this.painter = new Painter({ ...size, ...options });
  }

  get state(): GridState {
    const { cursorRow: cursor, foreign, shown } = this.painter;
    return { cursor, foreign, shown, boundary: this.boundary, committed: this.history.committed };
  }

  resize(size: Size): void {
    Object.assign(this.size, size);
    this.painter.resize(size.columns, size.height);
  }

  /** Counts history in rows of another width; returns how many of the `spare` rows behind it count too. */
  remap(pane: Pane | undefined, columns: number, spare = 0): number {
    const { rows, also } = pane?.remap?.(this.history.committed, columns, spare) ?? { rows: 0, also: 0 };
    this.history.restart(rows);
    return also;
  }
}
