import type { InputEvent } from "../input/event.ts";
import { width } from "../text/width.ts";
import { createComposer } from "./compose.ts";
import { createFocus, type Focus } from "./focus.ts";
import { type CursorPosition, type Pane, type ScreenFrame, takeCursor, type View } from "./frame.ts";
import { GridCheck, type GridState, linesBehind, movedBy, rowsIn } from "./grid-check.ts";
import { advance, HistoryAudit, type HistoryState } from "./history.ts";
import { composite, type Overlay, type OverlayHandle, type OverlayOptions, openOverlay } from "./overlay.ts";
import { Painter, type PaintMode, type PaintTarget } from "./paint.ts";
import { type Cadence, createCadence, type Timers } from "./scheduler.ts";
import type { FrameTrace } from "./trace.ts";

/** The terminal as the engine sees it. */
export interface Tty {
  readonly columns: number;
  readonly rows: number;
  write(bytes: string): void;
  /** Bytes are waiting: the terminal is slower than we are. */
  readonly busy?: boolean;
  /** The row the cursor is on, if the terminal says so in time. Only asked after a multiplexer changed its size. */
  cursorRow?(): Promise<number | undefined>;
}

export interface ScreenOptions {
  tty: Tty;
  panes: readonly Pane[];
  timers: Timers;
  multiplexer?: boolean;
  sync?: boolean;
  /** Whether ED 22 pushes the screen into history here. */
  keepsScreen?: boolean;
  rectangles?: boolean;
  cursor?: "hardware" | "drawn";
  /** Called for Shift+Ctrl+D, before any view hears of it. */
  debug?: () => void;
  graphics?: (row: string) => string;
  /** Told per frame what was chosen and where the ledger stands. */
  trace?: (frame: FrameTrace) => void;
}

export interface Screen {
  /** Something changed: a frame within 50 ms. */
  request(): void;
  /** Only this pane changed: the others are not drawn again if nothing else happened. */
  requestPane(pane: Pane): void;
  /** A frame at once: the answer to a key. */
  now(): void;
  /** The session was replaced: history is erased and written again. */
  replace(): void;
  /** The user asked for a fresh screen. */
  redraw(): void;
  resized(): void;
  /** All events of one read; they are answered by one frame. */
  input(...events: readonly InputEvent[]): void;
  overlay(view: View, options?: OverlayOptions): OverlayHandle;
  readonly focus: Focus;
  /** For those who listen: says something at once, wherever the rows stand. Undefined where rows are seen. */
  announce?(text: string): void;
  setSync(on: boolean): void;
  start(): void;
  /**
   * Gives the terminal away: `exit` leaves the whole transcript and nothing that was only live, `suspend` takes the
   * window off the screen.
   */
  stop(why: "exit" | "suspend"): void;
  /** A program has the terminal until this is disposed of; the window is taken off for it, and no line stands twice. */
  lend(): Disposable;
  readonly history: HistoryState;
}

/** tmux holds a second new size back for 250 ms: after this long without one, the grid is what we were told. */
const muxSettle = 300;

export function createScreen(options: ScreenOptions): Screen {
  const { tty, panes, multiplexer = false, keepsScreen = false, trace } = options;
  const size = { columns: Math.max(1, tty.columns), height: Math.max(1, tty.rows) };
  const painter = new Painter({
    ...size,
    sync: options.sync ?? false,
    cursor: options.cursor ?? "hardware",
    rectangles: options.rectangles,
    graphics: options.graphics,
  });
  const audit = new HistoryAudit();
  const overlays: Overlay[] = [];
  const focus = createFocus(overlays, () => size, options.debug);
  const composer = createComposer(panes);
  let ledger: HistoryState = { committed: 0, top: 0 };
  let pending: "first" | "clear" | "place" | "none" = "first";
  let running = false;
  let settling: (() => void) | undefined;
  /** Rows before it were final when the last frame was written. */
  let final = 0;
  /** So many of the window's first rows are the frame's own: no overlay lies over them. */
  let bare = Number.POSITIVE_INFINITY;
  const witness = new GridCheck(
    async () => tty.cursorRow?.(),
    () => running && settle(),
  );
  const cadence: Cadence = createCadence(options.timers, frame);

  const compose = () => composer.compose(size.columns, size.height, overlays.length > 0 ? "all" : "changed");

  function frame() {
    if (!running || settling) return;
    // A terminal that has not taken the last frame gets no other one: what it missed comes with the next.
    if (tty.busy) return cadence.request();
    focus.settle();
    const composed = compose();
    const cursor = takeCursor(composed.rows);
    paint({ ...composed, rows: cursor.rows }, cursor.at, "open");
    // Behind an overlay nothing enters history, so there is no room for more.
    if (composed.more && focus.visible().length === 0) cadence.soon();
  }

  function paint(frame: ScreenFrame, at: CursorPosition | undefined, end: "open" | "final") {
    const how = pending;
    pending = "none";
    if (how === "none") reanchor(frame);
    else if (how !== "place") painter.foreign = 0;
    if (frame.base > ledger.committed) ledger = { committed: frame.base, top: Math.max(frame.base, ledger.top) };
    const length = frame.base + frame.rows.length;
    const stand = standing();
    let vouch = multiplexer ? () => witness.before(stand, options.timers.now()) : undefined;
    if (release(length, vouch) === "wrote") vouch = undefined;
    const visible = focus.visible();
    const before = ledger;
    const boundary = end === "final" ? length : frame.boundary;
    const step = advance(before, { ...frame, boundary }, painter.room, commits(how, visible));
    ledger = step.next;
    const chunk = frame.rows.slice(step.chunk[0] - frame.base, step.chunk[1] - frame.base);
    audit.keep(frame.base, step.kind === "shrink" ? ledger.committed : before.committed);
    audit.record(chunk);
    const scrolls =
      before.committed === before.top && ledger.top === before.top + chunk.length && same(chunk, painter.shown);
    const { bytes, mode } = emit(how, { chunk, scrolls, ...windowOf(frame, at, visible) });
    if (how === "none" && chunk.length > 0) vouch?.();
    final = boundary;
    if (bytes !== "") tty.write(bytes);
    trace?.({ mode, history: ledger, length, boundary, chunk: chunk.length, bytes: bytes.length });
    panes[0]?.committed?.(ledger.committed);
  }

  // After a new size of a multiplexer held back rows enter history too: what it pushes up next has to follow them.
  const commits = (how: typeof pending, visible: readonly Overlay[]) =>
    visible.length > 0 && how !== "place" ? "frozen" : "open";

  // The window as it should be: overlays lie over its rows and never touch the frame.
  function windowOf(frame: ScreenFrame, at: CursorPosition | undefined, visible: readonly Overlay[]): Content {
    const from = ledger.top - frame.base;
    let window = frame.rows.slice(from, from + painter.room);
    let spot = at && visible.length === 0 ? { row: at.row - from, text: at.text } : undefined;
    const own = window;
    for (const overlay of visible) {
      const { rows, at: inside } = composite(window, overlay, size.columns, painter.room);
      window = [...rows];
      spot = inside ?? spot;
    }
    const covered = own.findIndex((row, line) => row !== window[line]);
    bare = covered === -1 ? Number.POSITIVE_INFINITY : covered;
    return {
      window,
      cursor:
        spot && spot.row >= 0 ? { row: spot.row, column: Math.min(width(spot.text), size.columns - 1) } : undefined,
    };
  }

  function emit(how: typeof pending, target: PaintTarget): { bytes: string; mode: PaintMode } {
    if (how === "first" || how === "clear") return { bytes: painter.full(how, target, keepsScreen), mode: how };
    if (how !== "place") return painter.update(target);
    // Placing knows no line of the grid, so history is written by an ordinary frame after it.
    const placed = painter.place({ ...target, chunk: [] });
    return target.chunk.length === 0
      ? { bytes: placed, mode: "place" }
      : { bytes: placed + painter.update({ ...target, scrolls: false }).bytes, mode: "place" };
  }

  // Rows of history changed behind our back: they are written again from the first changed one on. Twice is bad, never
  // is worse.
  function reanchor(frame: ScreenFrame) {
    const changed = audit.firstChange(frame, ledger.committed);
    if (changed !== undefined) ledger = { ...ledger, committed: changed };
  }

  // Lines of others leave the top of the grid as soon as our own need their place.
  function release(length: number, vouch?: () => void): "wrote" | "nothing" {
    const lines = Math.min(painter.foreign, Math.max(0, length - ledger.committed - painter.room));
    const bytes = painter.release(lines);
    if (bytes === "") return "nothing";
    vouch?.();
    tty.write(bytes);
    return "wrote";
  }

  // History cannot be erased in a multiplexer: there the new rows follow the old ones.
  function replace(when: "now" | "request" = "now") {
    if (pending !== "first" && multiplexer) {
      tty.write(painter.erase());
      pending = "first";
    } else if (pending !== "first") pending = "clear";
    ledger = { committed: 0, top: 0 };
    audit.reset();
    for (const pane of panes) pane.restart?.(size.columns);
    composer.changed();
    cadence[when]();
  }

  function redraw() {
    if (!multiplexer) return replace();
    // What is shown, once more; what is new comes with the frame behind it and by its rules.
    if (pending === "none" && running && !settling)
      tty.write(painter.place({ chunk: [], window: painter.shown, scrolls: false }));
    composer.changed();
    cadence.now();
  }

  function resized() {
    const columns = Math.max(1, tty.columns);
    const height = Math.max(1, tty.rows);
    if (columns === size.columns && height === size.height) return;
    if (multiplexer && running && pending !== "first") {
      settle();
      return;
    }
    adopt(columns, height);
    if (running) replace("request");
  }

  // Nothing is written before the grid is known again.
  function settle() {
    settling?.();
    const since = options.timers.now();
    settling = options.timers.after(muxSettle, () => void settleMultiplexer(since));
  }

  const standing = (): GridState => ({
    cursor: painter.cursorRow,
    foreign: painter.foreign,
    shown: painter.shown,
    boundary: final,
    committed: ledger.committed,
  });

  function adopt(columns: number, height: number) {
    size.columns = columns;
    size.height = height;
    painter.resize(columns, height);
    composer.changed();
  }

  // A multiplexer keeps its own history and moves lines between it and the grid as it likes. The cursor stood on a
  // line we know, so where it stands now tells how many lines came back on top (not ours to touch) or went up (in
  // history already).
  async function settleMultiplexer(since: number) {
    const was = { ...size };
    const { shaken, doubtful } = await witness.take(since);
    const row = await tty.cursorRow?.();
    settling = undefined;
    const columns = Math.max(1, tty.columns);
    const height = Math.max(1, tty.rows);
    const stand = shaken ?? standing();
    const moved =
      row === undefined
        ? Math.max(0, height - was.height)
        : movedBy(stand, shaken?.found ?? row, columns) + (shaken ? row - shaken.left : 0);
    const foreign = painter.foreign + moved;
    if (doubtful < ledger.committed) ledger = { ...ledger, committed: doubtful };
    let above = linesAbove(stand, foreign, columns);
    // Where history ends inside of a row of the new width, what follows of it on the grid stays there too.
    const behind = shaken || row === undefined ? [] : finalRows(stand);
    const spare = linesBehind(behind, columns, height - 1 - above);
    if (columns !== was.columns) above += spare[remap(columns, Math.max(0, spare.length - 1))] ?? 0;
    painter.foreign = Math.min(above, height - 1);
    // Where nobody says where the cursor is, it is put where the window should be.
    if (row === undefined) tty.write(`\x1b[${painter.foreign + 1};1H`);
    painter.stand(Math.min(row ?? painter.foreign, height - 1));
    adopt(columns, height);
    pending = "place";
    cadence.now();
  }

  // Lines that stand above ours, now that so many came there (below 0: so many of ours went up).
  function linesAbove(stand: GridState, foreign: number, columns: number): number {
    if (foreign >= 0 || ledger.committed !== ledger.top) return Math.max(0, foreign);
    const gone = rowsIn(stand.shown, ledger.committed - stand.committed - foreign, columns);
    pushed(stand, Math.min(bare, gone.rows));
    // The end of a row whose beginning is in history stays where it is, and follows it.
    return ledger.committed === stand.committed + gone.rows ? gone.rest : 0;
  }

  // Lines that the terminal itself moved up count as history if they were final; the others come again later.
  function pushed(stand: GridState, rows: number) {
    const last = Math.max(stand.boundary, ledger.committed);
    const committed = Math.max(stand.committed, Math.min(stand.committed + rows, last));
    audit.record(painter.shown.slice(0, Math.max(0, committed - ledger.committed)));
    ledger = { committed, top: Math.max(ledger.top, committed) };
  }

  // Rows of the window next to history that will not change.
  function finalRows({ shown, boundary, committed }: GridState): readonly string[] {
    const end = ledger.committed === ledger.top ? Math.min(bare, boundary - committed) : 0;
    return shown.slice(ledger.committed - committed, Math.max(0, end));
  }

  function remap(columns: number, spare = 0): number {
    const { rows, also } = panes[0]?.remap?.(ledger.committed, columns, spare) ?? { rows: 0, also: 0 };
    ledger = { committed: rows, top: rows };
    audit.reset(rows);
    return also;
  }

  function start() {
    const was = size.columns;
    running = true;
    adopt(Math.max(1, tty.columns), Math.max(1, tty.rows));
    // Another width while nobody looked: what is in history stays there, and counts in rows of the new width.
    if (size.columns !== was && ledger.committed > 0) remap(size.columns);
    pending = "first";
    cadence.now();
  }

  const screen: Screen = {
    request() {
      composer.changed();
      cadence.request();
    },
    requestPane(pane) {
      composer.changed(pane);
      cadence.request();
    },
    now() {
      composer.changed();
      cadence.now();
    },
    replace: () => replace(),
    redraw,
    resized,
    input(...events) {
      const used = events.map((event) => focus.dispatch(event));
      if (!used.includes("used")) return;
      composer.changed();
      cadence.answer();
    },
    overlay(view, overlayOptions = {}) {
      return openOverlay(focus, { view, options: overlayOptions, hidden: false }, () => {
        focus.settle();
        composer.changed();
        cadence.now();
      });
    },
    focus,
    setSync(on) {
      painter.sync = on;
    },
    start,
    lend() {
      if (!running) return { [Symbol.dispose]() {} };
      screen.stop("suspend");
      return { [Symbol.dispose]: () => running || start() };
    },
    stop(why) {
      if (!running) return;
      settling?.();
      settling = undefined;
      cadence.stop();
      if (why === "exit" && pending !== "first") {
        overlays.length = 0;
        for (let left = 100_000; left > 0; left--) {
          const composed = composer.compose(size.columns, size.height, "lasting");
          paint({ ...composed, rows: takeCursor(composed.rows).rows }, undefined, composed.more ? "open" : "final");
          if (!composed.more) break;
        }
        tty.write(painter.leave());
      } else if (pending === "none") {
        tty.write(painter.erase());
        ledger = { ...ledger, top: ledger.committed };
      }
      running = false;
    },
    get history() {
      return ledger;
    },
  };
  return screen;
}

type Content = Pick<PaintTarget, "window" | "cursor">;
const same = (chunk: readonly string[], shown: readonly string[]): boolean =>
  chunk.length <= shown.length && chunk.every((row, at) => row === shown[at]);
