import type { Log } from "@pith/kit";
import { width } from "../text/width.ts";
import { Screen, type ScreenBaseOptions } from "./base.ts";
import { type CursorPosition, type ScreenFrame, takeCursor } from "./frame.ts";
import { Grid, sizeOf } from "./grid.ts";
import type { HistoryState } from "./history.ts";
import { MultiplexerResize } from "./multiplexer.ts";
import { composite, type Overlay } from "./overlay.ts";
import type { PaintMode } from "./paint.ts";

export interface ScreenOptions extends ScreenBaseOptions {
  multiplexer?: boolean;
  sync?: boolean;
  /** ED 22 pushes the screen into history here. */
  keepsScreen?: boolean;
  rectangles?: boolean;
  cursor?: "hardware" | "drawn";
  graphics?: (row: string) => string;
  /** Called per frame: its mode, and how much is in history. */
  trace?: (frame: FrameTrace) => void;
}

export interface FrameTrace {
  readonly mode: PaintMode;
  readonly history: HistoryState;
  readonly length: number;
  readonly boundary: number;
  readonly chunk: number;
  readonly bytes: number;
}

/** A trace that writes a line per frame into a log: what was chosen, and where the ledger stands. */
export const frameLog =
  (log: Log) =>
  ({ mode, ...rest }: FrameTrace): void =>
    log.write("debug", `frame ${mode}`, rest);

export const createScreen = (options: ScreenOptions): Screen => new PaintedScreen(options);

class PaintedScreen extends Screen {
  readonly #trace: ScreenOptions["trace"];
  readonly #grid: Grid;
  readonly #multiplexer: MultiplexerResize | undefined;

  constructor(options: ScreenOptions) {
    super(options);
    const { tty, sync = false, cursor = "hardware", keepsScreen, rectangles, graphics, trace } = options;
    this.#trace = trace;
    this.#grid = new Grid(sizeOf(tty), { sync, cursor, keepsScreen, rectangles, graphics });
    if (!options.multiplexer) return;
    this.#multiplexer = new MultiplexerResize(options, this.#grid, {
      moved: () => this.isRunning && this.#multiplexer?.begin(),
      settled: () => this.now(),
    });
  }

  get history(): HistoryState {
    return this.#grid.history.state;
  }

  replace(when: "now" | "request" = "now"): void {
    const { history, painter, next, size } = this.#grid;
    // History cannot be erased in a multiplexer: there the new rows follow the old ones.
    if (next !== "first" && this.#multiplexer) this.tty.write(painter.erase());
    this.#grid.next = next === "first" || this.#multiplexer ? "first" : "clear";
    history.restart();
    for (const pane of this.panes) pane.restart?.(size.columns);
    this[when]();
  }

  override redraw() {
    if (!this.#multiplexer) return this.replace();
    const { painter, next } = this.#grid;
    // The shown rows once more; new rows come with the next frame and by its rules.
    if (next === "none" && this.isRunning && !this.#multiplexer.pending)
      this.tty.write(painter.place({ chunk: [], window: painter.shown, scrolls: false }));
    this.now();
  }

  override resized() {
    const size = sizeOf(this.tty);
    const { columns, height } = this.#grid.size;
    if (columns === size.columns && height === size.height) return;
    if (this.#multiplexer && this.isRunning && this.#grid.next !== "first") return this.#multiplexer.begin();
    this.#grid.resize(size);
    this.composer.changed();
    if (this.isRunning) this.replace("request");
  }

  override setSync(on: boolean): void {
    this.#grid.painter.sync = on;
  }

  start(): void {
    const { history, size } = this.#grid;
    const old = size.columns;
    this.isRunning = true;
    this.#grid.resize(sizeOf(this.tty));
    // The width changed while the screen was off: what is in history stays there, counted in rows of the new width.
    if (size.columns !== old && history.committed > 0) this.#grid.remap(this.panes[0], size.columns);
    this.#grid.next = "first";
    this.now();
  }

  stop(why: "exit" | "suspend"): void {
    if (!this.isRunning) return;
    const { painter, history, next } = this.#grid;
    this.#multiplexer?.cancel();
    this.scheduler.stop();
    if (why === "exit" && next !== "first") {
      this.focus.overlays.length = 0;
      this.#paintLasting();
      this.tty.write(painter.leave());
    } else if (next === "none") {
      this.tty.write(painter.erase());
      history.state = { ...history.state, top: history.committed };
    }
    this.isRunning = false;
  }

  #compose(scope: "all" | "changed" | "lasting"): ScreenFrame {
    return this.composer.compose(this.#grid.size.columns, this.#grid.size.height, scope);
  }

  protected frame() {
    if (!this.isRunning || this.#multiplexer?.pending) return;
    // A terminal that has not taken the last frame gets no other one: what it missed comes with the next.
    if (this.tty.busy) return this.scheduler.request();
    const frame = this.#compose(this.focus.overlays.length > 0 ? "all" : "changed");
    const { rows, at } = takeCursor(frame.rows);
    this.#paint({ ...frame, rows }, at);
    // Behind an overlay nothing enters history, so there is no room for more.
    if (frame.more && this.focus.overlays.length === 0) this.scheduler.soon();
  }

  /** Brings all rows that outlive the program into the window or history, also those that are not final. */
  #paintLasting(): void {
    for (let left = 100_000; left > 0; left--) {
      const frame = this.#compose("lasting");
      const boundary = frame.more ? frame.boundary : frame.base + frame.rows.length;
      this.#paint({ ...frame, boundary, rows: takeCursor(frame.rows).rows }, undefined);
      if (!frame.more) return;
    }
  }

  #paint(frame: ScreenFrame, cursor: CursorPosition | undefined): void {
    const { history, painter, next } = this.#grid;
    this.#grid.next = "none";
    if (next === "none") history.reanchor(frame);
    else if (next !== "place") painter.foreign = 0;
    if (frame.base > history.committed) history.pushed(frame.base, []);
    const length = frame.base + frame.rows.length;
    const check = this.#multiplexer?.watch();
    // Lines of others leave the top of the grid as soon as our own need their place.
    const released = painter.release(Math.min(painter.foreign, length - history.committed - painter.room));
    if (released !== "") {
      check?.();
      this.tty.write(released);
    }
    const { overlays } = this.focus;
    const before = history.state;
    // After a new size of a multiplexer held back rows enter history too: what it pushes up next has to follow them.
    const chunk = history.advance(frame, painter.room, overlays.length > 0 && next !== "place" ? "frozen" : "open");
    const scrolls =
      before.committed === before.top &&
      history.state.top === before.top + chunk.length &&
      chunk.every((row, at) => row === painter.shown[at]);
    const { bytes, mode } = painter.paint(next, { chunk, scrolls, ...this.#window(frame, cursor, overlays) });
    if (next === "none" && chunk.length > 0) check?.();
    this.#grid.boundary = frame.boundary;
    if (bytes !== "") this.tty.write(bytes);
    const { boundary } = frame;
    this.#trace?.({ mode, history: history.state, length, boundary, chunk: chunk.length, bytes: bytes.length });
    this.panes[0]?.committed?.(history.committed);
  }

  /** The rows of the window and its cursor: overlays lie over the window and never touch the frame. */
  #window(frame: ScreenFrame, cursor: CursorPosition | undefined, overlays: readonly Overlay[]) {
    const { history, painter, size } = this.#grid;
    const from = history.state.top - frame.base;
    const own = frame.rows.slice(from, from + painter.room);
    let window: readonly string[] = own;
    let at = cursor && overlays.length === 0 ? { row: cursor.row - from, text: cursor.text } : undefined;
    for (const overlay of overlays) {
      const over = composite(window, overlay, size.columns, painter.room);
      window = over.rows;
      at = over.at ?? at;
    }
    const covered = overlays.length === 0 ? -1 : own.findIndex((row, line) => row !== window[line]);
    this.#grid.uncovered = covered === -1 ? Number.POSITIVE_INFINITY : covered;
    const column = at && Math.min(width(at.text), size.columns - 1);
    return { window, cursor: at && column !== undefined && at.row >= 0 ? { row: at.row, column } : undefined };
  }
}
