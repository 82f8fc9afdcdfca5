import { messageOf } from "@pith/kit";
import type { InputEvent } from "../input/event.ts";
import { oneLine } from "../text/clean.ts";
import { fit } from "../text/width.ts";

/** Rows to draw and events to take; a row is one line of text with colours and links in it. */
export interface View {
  render(columns: number, height: number): readonly string[];
  /** Returns `used` if the event did something. */
  input?(event: InputEvent): "used" | "passed";
  /** Set by the screen; a focused view puts `cursorMark` where its cursor is. */
  focused?: boolean;
  /** The text that a screen reader tells instead of the rows: for an editor, its text. */
  spoken?(): string;
}

/** A root view: panes stand below each other and together are the frame. */
export interface Pane extends View {
  bounds?(): PaneBounds;
  /** Called with the number of rows that are in history now. */
  committed?(rows: number): void;
  /** Called when history was erased: all rows are asked for again, at these columns. */
  restart?(columns: number): void;
  /**
   * Called when the width changed and history stays: returns how many rows at the new width are covered by the first
   * `rows` at the old one, and how many of the `spare` rows behind these (`also`) complete the last of them.
   */
  remap?(rows: number, columns: number, spare: number): { rows: number; also: number };
}

/** The rows of a pane that may still change, all counted from its first row ever. */
export interface PaneBounds {
  /** Rows before this one are gone from `render`: final, committed, forgotten. */
  readonly base?: number;
  /** First row that may still change; nothing from here on enters history. */
  readonly live?: number;
  /** The part of the live rows that only grows at its end. */
  readonly safe?: number;
  /** More rows wait to be drawn: another frame, as soon as input has been looked at. */
  readonly more?: boolean;
}

export interface ScreenFrame {
  readonly base: number;
  readonly rows: readonly string[];
  /** Rows before this one may enter history. */
  readonly boundary: number;
  readonly more: boolean;
}

/** The rows that a view draws; one that throws is replaced by a note, so that the others and the exit go on. */
export function rowsOf(draw: () => readonly string[], columns: number): readonly string[] {
  try {
    return draw();
  } catch (thrown) {
    return [fit(notDrawn(thrown), columns)];
  }
}

export const notDrawn = (thrown: unknown): string => `[not drawn: ${oneLine(messageOf(thrown))}]`;

/** Stands in a row where the cursor belongs; taken out before anything else looks at the row. */
export const cursorMark = "\x1b_pith:c\x1b\\";

export interface CursorPosition {
  readonly row: number;
  readonly text: string;
}

/** Takes the cursor mark out of the rows, of which only one has it; `at` is where it stood. */
export function takeCursor(rows: readonly string[]): { rows: readonly string[]; at?: CursorPosition } {
  for (let row = rows.length - 1; row >= 0; row--) {
    const raw = rows[row] ?? "";
    const column = raw.indexOf(cursorMark);
    if (column === -1) continue;
    const clean = rows.with(row, raw.replaceAll(cursorMark, ""));
    return { rows: clean, at: { row, text: raw.slice(0, column) } };
  }
  return { rows };
}
