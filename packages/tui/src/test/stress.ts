import { createScreen } from "../screen/screen.ts";
import { graphemes } from "../text/width.ts";
import { type Operation, randomTrace, type Shape } from "./operation.ts";
import type { SecondTerminal } from "./second-terminal.ts";
import { type SeenFrame, Shadow } from "./shadow.ts";
import { createFakeTimers } from "./timers.ts";
import { createVirtualTerminal } from "./virtual-terminal.ts";
import { createWorld } from "./world.ts";

export interface Difference {
  readonly step: number;
  readonly operation: Operation;
  readonly what: string;
}

export interface StressOptions {
  readonly second?: (columns: number, rows: number) => SecondTerminal;
  /** Spoils the bytes on their way, to see that it is noticed. */
  readonly sabotage?: (bytes: string) => string;
}

/** Plays a trace and compares every line of the terminal with the shadow after every operation. */
export async function play(
  shape: Shape,
  seed: number,
  trace: readonly Operation[],
  options: StressOptions = {},
): Promise<Difference | undefined> {
  const run = createRun(shape, seed, options);
  run.start();
  for (const [step, operation] of trace.entries()) {
    const what = await run.perform(operation);
    if (what !== undefined) return { step, operation, what };
  }
  const what = run.crossCheck();
  return what === undefined ? undefined : { step: trace.length, operation: { op: "idle" }, what };
}

/** The same failure with as few operations as can be found by leaving some out. */
export async function shorten(
  shape: Shape,
  seed: number,
  trace: readonly Operation[],
  options: StressOptions = {},
): Promise<{ trace: readonly Operation[]; difference: Difference } | undefined> {
  let difference = await play(shape, seed, trace, options);
  if (!difference) return undefined;
  let best = trace.slice(0, difference.step + 1);
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length; ) {
      const shorter = [...best.slice(0, at), ...best.slice(at + size)];
      const still = await play(shape, seed, shorter, options);
      if (still) {
        best = shorter.slice(0, still.step + 1);
        difference = still;
      } else at += size;
    }
  }
  return { trace: best, difference };
}

/** All shapes with all seeds; stops at the first difference and hands it back shortened. */
export async function stress(
  shapes: readonly Shape[],
  seeds: readonly number[],
  length: number,
  options: StressOptions = {},
) {
  let operations = 0;
  for (const shape of shapes)
    for (const seed of seeds) {
      const trace = randomTrace(shape, seed, length);
      const difference = await play(shape, seed, trace, options);
      operations += length;
      if (difference) return { operations, shape, seed, failure: await shorten(shape, seed, trace, options) };
    }
  return { operations };
}

const before = ["$ ls", "README.md", "$ pith"];
const stopped = ["st", "fg"];

function createRun(shape: Shape, seed: number, { second, sabotage = (bytes) => bytes }: StressOptions) {
  const terminal = createVirtualTerminal(shape.columns, shape.rows);
  const other = second?.(shape.columns, shape.rows);
  const timers = createFakeTimers();
  const world = createWorld(shape, seed);
  const shadow = new Shadow();
  const tty = {
    get columns() {
      return terminal.columns;
    },
    get rows() {
      return terminal.rows;
    },
    write(data: string) {
      const bytes = sabotage(data);
      terminal.write(bytes);
      other?.write(bytes);
    },
    cursorRow: shape.silent ? () => Promise.resolve(undefined) : terminal.cursorRow,
  };
  const screen = createScreen({
    tty,
    timers,
    panes: world.panes,
    multiplexer: shape.multiplexer,
    sync: shape.sync,
    keepsScreen: shape.keepsScreen,
    cursor: shape.drawnCursor ? "drawn" : "hardware",
    trace: (frame) => {
      chunk = frame.chunk;
    },
  });
  let chunk = 0;
  /** True after scrolling up; a resize brings the reader back. */
  let reading = false;
  let overlay: { close(): void } | undefined;
  let grid: string[] = [];
  let cursor: { row: number } | undefined;
  let pinned: { first: number; rows: string[] } | undefined;

  function watch(audit: "audit" | "trust") {
    for (const [at, frame] of world.frames().entries()) {
      grid = shadow.see(frame, at === 0 ? audit : "audit");
      cursor = frame.cursor && !frame.box ? { row: shadow.cursorLine(frame.cursor.row) } : undefined;
    }
  }

  function check(kind: "ordinary" | "gesture"): string | undefined {
    const bytes = terminal.take();
    return (
      compare(shadow.history(), terminal.history(), "history") ??
      compare(grid, terminal.grid(), "grid") ??
      checkBytes(bytes, kind, shape) ??
      checkCursor() ??
      checkReader(kind)
    );
  }

  function checkCursor(): string | undefined {
    const real = terminal.cursor();
    const wanted = cursor && cursor.row >= 0;
    if (wanted && real.row !== Math.min(cursor?.row ?? 0, terminal.rows - 1))
      return `cursor on line ${real.row}, belongs on ${cursor?.row}`;
    if (real.visible !== (Boolean(wanted) && !shape.drawnCursor))
      return `cursor is ${real.visible ? "visible" : "hidden"}`;
    const bottom = grid.findLastIndex((row) => row !== "");
    return !wanted && real.row > Math.max(shadow.onGrid, bottom) && !world.box
      ? `cursor parked on line ${real.row}, content ends on ${bottom}`
      : undefined;
  }

  function checkReader(kind: "ordinary" | "gesture"): string | undefined {
    const was = pinned;
    pinned = undefined;
    if (!was || kind === "gesture") return undefined;
    const now = terminal.viewport();
    if (now.first !== was.first) return `the reader was moved from line ${was.first} to ${now.first}`;
    return compare(was.rows, now.rows.slice(0, was.rows.length), "what the reader sees");
  }

  function pin() {
    const view = terminal.viewport();
    const history = terminal.history().length;
    if (reading && view.first < history) pinned = { first: view.first, rows: view.rows.slice(0, history - view.first) };
  }

  // After a multiplexer moved lines the shadow cannot know how; nothing may be lost, and the window has to stand
  // somewhere in full.
  async function muxResize(columns: number, rows: number): Promise<string | undefined> {
    const said = new Set(terminal.tape().join(" ").match(/#\d+/g) ?? []);
    const turned = columns !== terminal.columns;
    terminal.resize(columns, rows);
    reading = false;
    pinned = undefined;
    screen.resized();
    timers.advance(300);
    // Questions are answered one after the other.
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
    const drawn = world.frames();
    const frame = drawn.at(-1);
    if (!frame) return undefined;
    terminal.take();
    const now = terminal.tape().join("").replaceAll(" ", "");
    const lost = world
      .finalWords()
      .find((word) => said.has(word) && !now.includes(word) && !frame.rows.join(" ").includes(word));
    if (lost) return `${lost} was lost in a resize`;
    const window = windowOf(frame.rows.slice(screen.history.top - frame.base), frame);
    // An empty window can be anywhere; its cursor says where.
    for (let offset = window.length === 0 ? terminal.cursor().row : 0; offset < rows; offset++) {
      const expected = [
        ...window.slice(0, rows - offset),
        ...new Array<string>(Math.max(0, rows - offset - window.length)).fill(""),
      ];
      if (compare(expected, terminal.grid().slice(offset), "") !== undefined) continue;
      shadow.adopt(
        terminal.tape().slice(0, terminal.history().length + offset),
        offset,
        screen.history.committed,
        frame,
        turned ? chunk : "all",
      );
      return undefined;
    }
    return `the window is not on the grid: ${JSON.stringify({ window, grid: terminal.grid() })}`;
  }

  const windowOf = (rows: readonly string[], frame: SeenFrame) => {
    const probe = new Shadow();
    return probe
      .see(
        {
          base: 0,
          rows: rows.slice(0, frame.height),
          columns: frame.columns,
          height: frame.height,
          live: 0,
          box: undefined,
        },
        "trust",
      )
      .slice(0, rows.length);
  };

  async function perform(operation: Operation): Promise<string | undefined> {
    if (operation.op === "scroll") {
      terminal.scroll(operation.lines);
      reading = terminal.viewport().first < terminal.history().length;
      return undefined;
    }
    pin();
    switch (operation.op) {
      case "resize":
        if (shape.multiplexer) {
          closeOverlay();
          watch("audit");
          return muxResize(operation.columns, operation.rows);
        }
        if (operation.columns === terminal.columns && operation.rows === terminal.rows) return undefined;
        terminal.resize(operation.columns, operation.rows);
        other?.resize(operation.columns, operation.rows);
        return gesture(() => screen.resized());
      case "replace":
        world.replace();
        return shape.multiplexer ? below(() => screen.replace()) : gesture(() => screen.replace());
      case "redraw":
        if (!shape.multiplexer) return gesture(() => screen.redraw());
        screen.redraw();
        watch("audit");
        return check("gesture");
      case "suspend":
        return suspend();
      case "overlay":
        toggleOverlay();
        break;
      default:
        world.apply(operation);
    }
    if (operation.op !== "overlay") screen.now();
    timers.advance(0);
    watch("audit");
    return check("ordinary");
  }

  function gesture(act: () => void): string | undefined {
    shadow.restart("erase");
    act();
    timers.advance(60);
    watch("trust");
    return check("gesture");
  }

  function below(act: () => void): string | undefined {
    shadow.restart("below");
    act();
    timers.advance(1);
    watch("trust");
    return check("gesture");
  }

  function suspend(): string | undefined {
    closeOverlay();
    watch("audit");
    screen.stop("suspend");
    for (const line of stopped) tty.write(`${line}\r\n`);
    shadow.wrote(stopped);
    screen.start();
    timers.advance(1);
    watch("trust");
    return check("gesture");
  }

  function toggleOverlay() {
    if (overlay) return closeOverlay();
    world.box = ["+--box--+", "| inside of it |", "+-------+"];
    overlay = screen.overlay({ render: () => world.box ?? [] }, { columns: 0.5 });
  }

  function closeOverlay() {
    if (!overlay) return;
    world.box = undefined;
    overlay.close();
    overlay = undefined;
  }

  return {
    start() {
      for (const line of before) tty.write(`${line}\r\n`);
      screen.start();
      timers.advance(1);
      watch("trust");
      shadow.above = terminal.history();
      terminal.take();
    },
    perform,
    crossCheck: () =>
      other && !shape.multiplexer && !shape.keepsScreen
        ? compare(terminal.tape().map(unmarked), other.tape().map(unmarked), "second emulator")
        : undefined,
  };
}

// Emulators disagree about which cell keeps the rest of a joined character at the edge, not about where the characters
// are.
const unmarked = (row: string) =>
  graphemes(row.normalize("NFD"))
    .map((each) => String.fromCodePoint(each.codePointAt(0) ?? 32))
    .join("");

function compare(expected: readonly string[], real: readonly string[], where: string): string | undefined {
  const at = expected.findIndex((row, index) => row !== real[index]);
  if (expected.length !== real.length)
    return `${where}: ${expected.length} lines expected, ${real.length} there; first difference at ${at}`;
  return at === -1
    ? undefined
    : `${where} line ${at}: expected ${JSON.stringify(expected[at])}, found ${JSON.stringify(real[at])}`;
}

function checkBytes(bytes: string, kind: "ordinary" | "gesture", shape: Shape): string | undefined {
  if (shape.multiplexer && bytes.includes("\x1b[3J")) return "history erased in a multiplexer";
  const bad =
    kind === "ordinary"
      ? ["\x1b[2J", "\x1b[3J", "\x1b[H", "\x1b[1;1H"].find((each) => bytes.includes(each))
      : undefined;
  if (bad) return `an ordinary frame sent ${JSON.stringify(bad)}`;
  const count = (each: string) => bytes.split(each).length - 1;
  if (count("\x1b[?7l") !== count("\x1b[?7h")) return "autowrap brackets do not match";
  if (count("\x1b[?2026h") !== count("\x1b[?2026l")) return "frame brackets do not match";
  if (
    shape.sync &&
    kind === "ordinary" &&
    bytes !== "" &&
    !(bytes.startsWith("\x1b[?2026h") && bytes.endsWith("\x1b[?2026l"))
  )
    return "bytes outside of a frame";
  return undefined;
}
