import { guardRow } from "../text/clean.ts";
import { fit, width } from "../text/width.ts";
import { rowChange } from "./row-change.ts";

export type PaintMode = "first" | "clear" | "append" | "diff" | "seam" | "place" | "cursor" | "none";

export interface PaintTarget {
  /** Rows that have to be scrolled into history, above the window. */
  readonly chunk: readonly string[];
  readonly window: readonly string[];
  /** True if the first rows on the grid are exactly the chunk. */
  readonly scrolls: boolean;
  readonly cursor?: { readonly row: number; readonly column: number };
}

export interface PaintOptions {
  columns: number;
  height: number;
  sync: boolean;
  cursor: "hardware" | "drawn";
  /** True if the terminal can colour a rectangle, by which the long coloured end of a row is sent. */
  rectangles?: boolean;
  /** Replaces the marks of pictures in a row. */
  graphics?: (row: string) => string;
  /** ED 22 pushes the screen into history here. */
  keepsScreen?: boolean;
}

/** Turns the rows on the grid and the rows that should be there into bytes; knows nothing of frames and history. */
export class Painter {
  /** Window rows as they stand on the grid, before guarding. */
  private painted: readonly string[] = [];
  private row = 0;
  private column = 0;
  private visible = true;
  /** Lines above the window that are not ours to touch: they leave the grid first. None before a whole new picture. */
  foreign = 0;
  private out = "";
  /** Something that is written may come to the right edge. */
  private edge = false;

  private readonly options: PaintOptions;

  constructor(options: PaintOptions) {
    this.options = options;
  }

  get room(): number {
    return this.options.height - this.foreign;
  }
  get contentBottom(): number {
    return this.foreign + Math.max(0, this.painted.length - 1);
  }
  get cursorRow(): number {
    return this.row;
  }
  get shown(): readonly string[] {
    return this.painted;
  }
  set sync(on: boolean) {
    this.options.sync = on;
  }
  resize(columns: number, height: number) {
    this.options.columns = columns;
    this.options.height = height;
  }

  /** Paints the next frame; `none` is an ordinary one, made of relative moves and changed rows. */
  paint(how: "first" | "clear" | "place" | "none", target: PaintTarget): { bytes: string; mode: PaintMode } {
    if (how === "first" || how === "clear") return { bytes: this.full(how, target), mode: how };
    if (how === "none") return this.update(target);
    // Placing knows no line of the grid, so history is written by an ordinary frame after it.
    const placed = this.place({ ...target, chunk: [] });
    const rest = target.chunk.length === 0 ? "" : this.update({ ...target, scrolls: false }).bytes;
    return { bytes: placed + rest, mode: "place" };
  }

  /** Paints a whole new screen. `clear` erases history, so only a gesture of the user may ask for it. */
  private full(how: "first" | "clear", target: PaintTarget): string {
    const { height, keepsScreen } = this.options;
    if (how === "clear") this.out = eraseAll;
    else this.out = `${keepsScreen ? pushScreen : "\r\n".repeat(height - 1)}\x1b[H\x1b[J`;
    this.row = 0;
    this.column = 0;
    this.write([...target.chunk, ...padded(target, height)], 0);
    this.painted = target.window;
    return this.finish(target);
  }

  /** Starts moves from the line that the cursor was found on; no line is ever counted from the top. */
  stand(row: number) {
    this.row = row;
    this.column = -1;
  }

  /** Paints the window on a grid that is not known line by line (a multiplexer changed its size); only its own lines. */
  place(target: PaintTarget): string {
    this.out = "";
    this.column = -1;
    // Erased, not written over: a multiplexer that had broken a line keeps it joined to the next one.
    for (let line = 0; line < this.room; line++) {
      this.moveTo(this.foreign + line, 0);
      this.out += `\x1b[2K${this.prepared(target.window[line] ?? "", false)}`;
      this.column = -1;
    }
    this.painted = target.window;
    return this.finish(target);
  }

  /** Lets lines that are not ours leave the grid at the top. */
  release(lines: number): string {
    if (lines <= 0) return "";
    this.out = "";
    this.scroll(lines);
    this.foreign -= lines;
    return this.bracket(this.take());
  }

  private update(target: PaintTarget): { bytes: string; mode: PaintMode } {
    this.out = "";
    let mode: PaintMode = "diff";
    if (target.chunk.length > 0 && !target.scrolls) {
      mode = "seam";
      this.seam(target);
    } else {
      if (target.chunk.length > 0) {
        mode = "append";
        this.scroll(target.chunk.length);
        this.painted = this.painted.slice(target.chunk.length);
      }
      this.difference(target.window);
    }
    this.painted = target.window;
    const body = this.out;
    const bytes = this.finish(target);
    return { bytes, mode: body !== "" ? mode : bytes !== "" ? "cursor" : "none" };
  }

  /** Takes the window off the grid; history stays, and an empty line behind it. */
  erase(): string {
    this.out = "";
    this.clearBelow(0);
    this.moveTo(this.foreign, 0);
    this.painted = [];
    return this.bracket(this.take()) + this.show();
  }

  /** Leaves the window where it is and the cursor on the line below it. */
  leave(): string {
    this.out = "";
    this.moveTo(this.contentBottom, 0);
    return `${this.take()}\r\n${this.show()}`;
  }

  private show(): string {
    if (this.visible) return "";
    this.visible = true;
    return "\x1b[?25h";
  }

  private seam(target: PaintTarget) {
    this.moveTo(this.foreign, 0);
    this.write([...target.chunk, ...padded(target, this.room)], this.room);
  }

  /** Writes rows from the present line on; the first `dirty` lines are not empty. */
  private write(rows: readonly string[], dirty: number) {
    const last = this.options.height - 1;
    for (const [at, row] of rows.entries()) {
      if (at > 0) {
        this.out += "\r\n";
        this.row = Math.min(last, this.row + 1);
      }
      this.out += this.prepared(row, at < dirty);
    }
    this.column = -1;
  }

  private scroll(lines: number) {
    this.moveTo(this.options.height - 1, 0);
    this.out += "\r\n".repeat(lines);
  }

  private difference(next: readonly string[]) {
    const old = this.painted;
    let head = 0;
    while (head < old.length && head < next.length && old[head] === next[head]) head++;
    let tail = 0;
    while (
      tail < Math.min(old.length, next.length) - head &&
      old[old.length - 1 - tail] === next[next.length - 1 - tail]
    )
      tail++;
    const grown = next.length - old.length;
    const present = grown !== 0 && tail > 0 ? this.shift(old, tail, grown) : old;
    for (let row = head; row < next.length - tail; row++) {
      const was = present[row];
      const text = next[row] ?? "";
      if (was !== text) this.change(row, was ?? "", text);
    }
    if (next.length < present.length) this.clearBelow(next.length);
  }

  /** Erases the lines from a row on. The very first line goes alone: a multiplexer would push all into its history. */
  private clearBelow(row: number) {
    const line = this.foreign + row;
    this.moveTo(line, 0);
    if (line > 0) {
      this.out += "\x1b[J";
      return;
    }
    this.out += "\x1b[2K";
    if (this.options.height === 1) return;
    this.moveTo(1, 0);
    this.out += "\x1b[J";
  }

  /** Moves the rows at the end that stay the same, by inserting or deleting lines above them. */
  private shift(old: readonly string[], tail: number, grown: number): readonly string[] {
    const seam = old.length - tail;
    if (grown > 0) {
      this.moveTo(this.foreign + seam, 0);
      this.out += `\x1b[${grown === 1 ? "" : grown}L`;
      return [...old.slice(0, seam), ...new Array<string>(grown).fill(""), ...old.slice(seam)];
    }
    this.moveTo(this.foreign + seam + grown, 0);
    this.out += `\x1b[${grown === -1 ? "" : -grown}M`;
    return [...old.slice(0, seam + grown), ...old.slice(seam)];
  }

  private change(row: number, was: string, text: string) {
    const change = rowChange(was, text, this.options.columns);
    this.moveTo(this.foreign + row, change.column);
    this.out += this.prepared(change.text, change.erase, change.column);
    this.column = -1;
  }

  // Erasing comes before a row that fills its line, and before pixels: behind them, it would take their last cells.
  private prepared(row: string, erase: boolean, from = 0): string {
    const { columns, graphics } = this.options;
    const safe = fit(guardRow(row), columns - from);
    // A terminal may take a sign for wider than we do: where that could reach its edge, it must not go on below.
    const ends = from + safe.length;
    this.edge ||= graphics !== undefined || (ends + safe.length >= columns && (ends >= columns || !narrow.test(safe)));
    const filled = this.options.rectangles ? this.filled(safe, from) : undefined;
    if (filled !== undefined) return filled;
    const drawn = graphics ? graphics(safe) : safe;
    const text = drawn.includes("\x1b") ? `${drawn}${drawn.includes("\x1b]8;") ? closeLink : ""}\x1b[0m` : drawn;
    if (!erase) return text;
    return drawn === safe && width(safe) + from < columns ? `${text}\x1b[K` : `\x1b[K${text}`;
  }

  /** A row whose end is only background, with that end as one rectangle. */
  private filled(row: string, from: number): string | undefined {
    const end = coloured.exec(row);
    if (!end) return undefined;
    const [, colour = "", spaces = ""] = end;
    const text = row.slice(0, end.index);
    const left = from + width(text) + 1;
    return `${text}\x1b[0m\x1b[K\x1b[${this.row + 1};${left};${this.row + 1};${left + spaces.length - 1};${colour}$r`;
  }

  private moveTo(row: number, column: number) {
    if (row < this.row) this.out += `\x1b[${this.row - row === 1 ? "" : this.row - row}A`;
    else if (row > this.row) this.out += `\x1b[${row - this.row === 1 ? "" : row - this.row}B`;
    if (column !== this.column) this.out += column === 0 ? "\r" : `\x1b[${column + 1}G`;
    this.row = row;
    this.column = column;
  }

  // The cursor is part of the frame: moved inside its brackets, at the end.
  private finish(target: PaintTarget): string {
    const drewRows = this.out !== "";
    const wanted = target.cursor;
    if (wanted)
      this.moveTo(
        this.foreign + Math.min(wanted.row, this.room - 1),
        Math.min(wanted.column, this.options.columns - 1),
      );
    else if (drewRows || this.row !== this.contentBottom) this.moveTo(this.contentBottom, 0);
    const show = wanted !== undefined && this.options.cursor === "hardware";
    if (show !== this.visible) {
      this.out += show ? "\x1b[?25h" : "\x1b[?25l";
      this.visible = show;
    }
    const body = this.take();
    return body === "" ? "" : this.bracket(body);
  }

  private bracket(body: string): string {
    const edged = this.edge ? `\x1b[?7l${body}\x1b[?7h` : body;
    this.edge = false;
    if (this.options.sync) return `\x1b[?2026h${edged}\x1b[?2026l`;
    // Without frames of its own the terminal would show the cursor running over the rows.
    return this.visible && body.length > 16 ? `\x1b[?25l${edged}\x1b[?25h` : edged;
  }

  private take(): string {
    const bytes = this.out;
    this.out = "";
    return bytes;
  }
}

const eraseAll = "\x1b[2J\x1b[H\x1b[3J";
const pushScreen = "\x1b[22J";
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const coloured = /\x1b\[(4[0-7]|10[0-7]|48;5;\d+|48;2;\d+;\d+;\d+)m( {24,})\x1b\[(?:49|0)?m$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const narrow = /^[\x1b\x20-\x7e]*$/;
const closeLink = "\x1b]8;;\x1b\\";

/** The window with empty rows below, so that scrolling pushes out the chunk and nothing else. */
function padded(target: PaintTarget, room: number): readonly string[] {
  const missing = room - target.window.length;
  return target.chunk.length > 0 && missing > 0
    ? [...target.window, ...new Array<string>(missing).fill("")]
    : target.window;
}
