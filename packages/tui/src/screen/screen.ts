import type { InputEvent } from "../input/event.ts";
import { width } from "../text/width.ts";
import { FrameComposer } from "./compose.ts";
import { type Focus, ScreenFocus } from "./focus.ts";
import { type CursorPosition, type Pane, type ScreenFrame, takeCursor, type View } from "./frame.ts";
import { Grid, sizeOf, type Tty } from "./grid.ts";
import type { HistoryState } from "./history.ts";
import { MultiplexerResize } from "./multiplexer.ts";
import { composite, type Overlay, type OverlayHandle, type OverlayOptions } from "./overlay.ts";
import { FrameScheduler, type Timers } from "./scheduler.ts";
import type { FrameTrace } from "./trace.ts";

export interface ScreenOptions {
  tty: Tty;
  panes: readonly Pane[];
  timers: Timers;
  multiplexer?: boolean;
  sync?: boolean;
  /** ED 22 pushes the screen into history here. */
  keepsScreen?: boolean;
  rectangles?: boolean;
  cursor?: "hardware" | "drawn";
  /** Called for Shift+Ctrl+D, before any view hears of it. */
  debug?: () => void;
  graphics?: (row: string) => string;
  /** Called per frame: its mode, and how much is in history. */
  trace?: (frame: FrameTrace) => void;
}

export interface Screen {
  /** Asks for a frame within 50 ms. */
  request(): void;
  /** Asks for a frame in which only this pane changed: the others are not drawn again. */
  requestPane(pane: Pane): void;
  /** Paints a frame at once. */
  now(): void;
  /** Erases history and writes it again: another session is shown. */
  replace(): void;
  /** Paints a fresh screen for a user who asked for one. */
  redraw(): void;
  resized(): void;
  /** Takes all events of one read; one frame answers them. */
  input(...events: readonly InputEvent[]): void;
  overlay(view: View, options?: OverlayOptions): OverlayHandle;
  readonly focus: Focus;
  /** Says a text at once, on a screen for a screen reader; undefined on one that is seen. */
  announce?(text: string): void;
  setSync(on: boolean): void;
  start(): void;
  /**
   * Gives the terminal away: `exit` leaves the whole transcript and nothing that was only live, `suspend` takes the
   * window off the screen.
   */
  stop(why: "exit" | "suspend"): void;
  /** Takes the window off and leaves the terminal to a program until the result is disposed of. */
  lend(): Disposable;
  readonly history: HistoryState;
}

export const createScreen = (options: ScreenOptions): Screen => new PaintedScreen(options);

class PaintedScreen implements Screen {
  readonly focus: ScreenFocus;
  readonly #options: ScreenOptions;
  readonly #grid: Grid;
  readonly #composer: FrameComposer;
  readonly #scheduler: FrameScheduler;
  readonly #multiplexer: MultiplexerResize | undefined;
  #running = false;

  constructor(options: ScreenOptions) {
    const { tty, panes, timers, sync = false, cursor = "hardware", keepsScreen, rectangles, graphics } = options;
    this.#options = options;
    this.#grid = new Grid(sizeOf(tty), { sync, cursor, keepsScreen, rectangles, graphics });
    this.#composer = new FrameComposer(panes);
    this.#scheduler = new FrameScheduler(timers, () => this.#frame());
    this.focus = new ScreenFocus(() => this.#grid.size, options.debug);
    if (!options.multiplexer) return;
    this.#multiplexer = new MultiplexerResize(options, this.#grid, {
      moved: () => this.#running && this.#multiplexer?.begin(),
      settled: () => this.now(),
    });
  }

  get history(): HistoryState {
    return this.#grid.history.state;
  }

  request(): void {
    this.#composer.changed();
    this.#scheduler.request();
  }

  requestPane(pane: Pane): void {
    this.#composer.changed(pane);
    this.#scheduler.request();
  }

  now(): void {
    this.#composer.changed();
    this.#scheduler.now();
  }

  replace(when: "now" | "request" = "now"): void {
    const { history, painter, next, size } = this.#grid;
    // History cannot be erased in a multiplexer: there the new rows follow the old ones.
    if (next !== "first" && this.#multiplexer) this.#options.tty.write(painter.erase());
    this.#grid.next = next === "first" || this.#multiplexer ? "first" : "clear";
    history.restart();
    for (const pane of this.#options.panes) pane.restart?.(size.columns);
    this[when]();
  }

  redraw() {
    if (!this.#multiplexer) return this.replace();
    const { painter, next } = this.#grid;
    // The shown rows once more; new rows come with the next frame and by its rules.
    if (next === "none" && this.#running && !this.#multiplexer.pending)
      this.#options.tty.write(painter.place({ chunk: [], window: painter.shown, scrolls: false }));
    this.now();
  }

  resized() {
    const size = sizeOf(this.#options.tty);
    const { columns, height } = this.#grid.size;
    if (columns === size.columns && height === size.height) return;
    if (this.#multiplexer && this.#running && this.#grid.next !== "first") return this.#multiplexer.begin();
    this.#grid.resize(size);
    this.#composer.changed();
    if (this.#running) this.replace("request");
  }

  input(...events: readonly InputEvent[]): void {
    if (!events.map((event) => this.focus.dispatch(event)).includes("used")) return;
    this.#composer.changed();
    this.#scheduler.answer();
  }

  overlay(view: View, options: OverlayOptions = {}): OverlayHandle {
    return this.focus.open(view, options, () => {
      this.focus.settle();
      this.now();
    });
  }

  setSync(on: boolean): void {
    this.#grid.painter.sync = on;
  }

  start(): void {
    const { history, size } = this.#grid;
    const old = size.columns;
    this.#running = true;
    this.#grid.resize(sizeOf(this.#options.tty));
    // The width changed while the screen was off: what is in history stays there, counted in rows of the new width.
    if (size.columns !== old && history.committed > 0) this.#grid.remap(this.#options.panes[0], size.columns);
    this.#grid.next = "first";
    this.now();
  }

  lend(): Disposable {
    if (!this.#running) return { [Symbol.dispose]() {} };
    this.stop("suspend");
    return { [Symbol.dispose]: () => this.#running || this.start() };
  }

  stop(why: "exit" | "suspend"): void {
    if (!this.#running) return;
    const { painter, history, next } = this.#grid;
    this.#multiplexer?.cancel();
    this.#scheduler.stop();
    if (why === "exit" && next !== "first") {
      this.focus.overlays.length = 0;
      this.#paintLasting();
      this.#options.tty.write(painter.leave());
    } else if (next === "none") {
      this.#options.tty.write(painter.erase());
      history.state = { ...history.state, top: history.committed };
    }
    this.#running = false;
  }

  #compose(scope: "all" | "changed" | "lasting"): ScreenFrame {
    return this.#composer.compose(this.#grid.size.columns, this.#grid.size.height, scope);
  }

  #frame() {
    if (!this.#running || this.#multiplexer?.pending) return;
    // A terminal that has not taken the last frame gets no other one: what it missed comes with the next.
    if (this.#options.tty.busy) return this.#scheduler.request();
    this.focus.settle();
    const frame = this.#compose(this.focus.overlays.length > 0 ? "all" : "changed");
    const { rows, at } = takeCursor(frame.rows);
    this.#paint({ ...frame, rows }, at);
    // Behind an overlay nothing enters history, so there is no room for more.
    if (frame.more && this.focus.visible().length === 0) this.#scheduler.soon();
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
    const { tty, trace, panes } = this.#options;
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
      tty.write(released);
    }
    const overlays = this.focus.visible();
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
    if (bytes !== "") tty.write(bytes);
    const { boundary } = frame;
    trace?.({ mode, history: history.state, length, boundary, chunk: chunk.length, bytes: bytes.length });
    panes[0]?.committed?.(history.committed);
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
