import { guardRow } from "../text/clean.ts";
import { fit, width } from "../text/width.ts";
import { Screen, type ScreenBaseOptions } from "./base.ts";
import { type CursorPosition, rowsOf, takeCursor } from "./frame.ts";
import { History, type HistoryState } from "./history.ts";

/** The rows that are drawn below history, and the place of the cursor in them. */
interface LiveRows {
  readonly rows: readonly string[];
  readonly row: number;
  /** The column of the cursor; undefined behind the last row. */
  readonly column: number | undefined;
}
const nothing: LiveRows = { rows: [], row: 0, column: undefined };

/**
 * The same application on a terminal that is only written on: it begins at the cursor, final rows are never touched
 * again, and what may still change stands below them and is erased before the next rows.
 */
export const createScrollScreen = (options: ScreenBaseOptions): ScrollScreen => new ScrollScreen(options);

class ScrollScreen extends Screen {
  readonly #history = new History();
  #columns: number;
  #live = nothing;

  constructor(options: ScreenBaseOptions) {
    super(options);
    this.#columns = options.tty.columns;
  }

  get history(): HistoryState {
    return this.#history.state;
  }

  replace(): void {
    this.#history.restart();
    for (const pane of this.panes) pane.restart?.(this.#columns);
    this.now();
  }

  start(): void {
    this.isRunning = true;
    this.resized();
    this.now();
  }

  stop(why: "exit" | "suspend"): void {
    if (!this.isRunning) return;
    this.scheduler.stop();
    const { committed } = this.#history;
    const { rows, base } = this.composer.compose(this.#columns, this.tty.rows, "lasting");
    this.#paint(why === "exit" ? takeCursor(rows.slice(Math.max(0, committed - base))).rows : [], nothing);
    this.isRunning = false;
  }

  override redraw(): void {
    this.#live = nothing;
    this.now();
  }

  override resized(): void {
    const { columns } = this.tty;
    if (columns !== this.#columns && this.isRunning) {
      // The terminal has broken the rows anew already.
      const { rows, row, column } = this.#live;
      const broken = rows.slice(0, row).reduce((sum, each) => sum + linesOf(each, columns), 0);
      this.#live = { rows, row: broken + Math.floor((column ?? 0) / columns), column };
      const { rows: committed } = this.panes[0]?.remap?.(this.#history.committed, columns, 0) ?? { rows: 0 };
      this.#history.restart(committed);
    }
    this.#columns = columns;
    this.request();
  }

  /** Writes bytes of their own, such as a picture, as if they were a final row. */
  override insert(bytes: string): void {
    this.#paint([], nothing);
    this.tty.write(`${bytes}\r\n`);
    this.now();
  }

  protected frame(): void {
    if (!this.isRunning) return;
    if (this.tty.busy) {
      this.scheduler.request();
      return;
    }
    const overlay = this.focus.overlays.at(-1)?.view;
    const frame = this.composer.compose(this.#columns, this.tty.rows, overlay ? "all" : "changed");
    this.#history.reanchor(frame);
    const final = this.#history.advance(frame, 0, overlay ? "frozen" : "open");
    const most = Math.max(1, this.tty.rows - 1);
    const live = overlay
      ? rowsOf(() => overlay.render(this.#columns, most), this.#columns)
      : frame.rows.slice(this.#history.committed - frame.base);
    // Rows that have scrolled out of the window cannot be erased again.
    const { rows, at } = takeCursor(live.slice(-most));
    this.#paint(final, placed(rows, at, this.#columns));
    this.panes[0]?.committed?.(this.#history.committed);
    if (frame.more && !overlay) this.scheduler.soon();
  }

  /** Erases the live rows that changed, and writes what follows. */
  #paint(final: readonly string[], next: LiveRows): void {
    const { rows, row } = this.#live;
    let same = 0;
    while (final.length === 0 && same < rows.length && rows[same] === next.rows[same]) same++;
    const written = [...final.map(takeMark), ...next.rows.slice(same)].map((each) => prepared(each, this.#columns));
    const isSame = same === rows.length && written.length === 0;
    if (isSame && row === next.row && this.#live.column === next.column) return;
    const up = rows.length === 0 ? "" : `${move(same - row)}\r${isSame ? "" : "\x1b[J"}`;
    this.#live = next;
    // Behind the last row stands no line end, so that nothing scrolls for an empty line.
    const body = written.join("\r\n") + (next.rows.length === 0 && written.length > 0 ? "\r\n" : "");
    const at = next.rows.length === 0 ? "" : back(next, isSame ? same : next.rows.length - 1);
    if (up + body + at !== "") this.tty.write(up + body + at);
  }
}

const takeMark = (row: string): string => takeCursor([row]).rows[0] ?? "";
const linesOf = (row: string, columns: number): number => Math.max(1, Math.ceil(width(row) / columns));
const move = (by: number): string => (by === 0 ? "" : `\x1b[${Math.abs(by)}${by < 0 ? "A" : "B"}`);

/** The moves from a row to the cursor. */
const back = ({ row, column }: LiveRows, from: number): string =>
  column === undefined ? "" : `${move(row - from)}\x1b[${column + 1}G`;

const placed = (rows: readonly string[], at: CursorPosition | undefined, columns: number): LiveRows =>
  at
    ? { rows, row: at.row, column: Math.min(width(at.text), columns - 1) }
    : { rows, row: Math.max(0, rows.length - 1), column: undefined };

function prepared(row: string, columns: number): string {
  const safe = fit(guardRow(row), columns);
  return safe.includes("\x1b") ? `${safe}${safe.includes("\x1b]8;") ? "\x1b]8;;\x1b\\" : ""}\x1b[0m` : safe;
}
