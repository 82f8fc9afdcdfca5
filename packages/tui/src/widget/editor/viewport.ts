import { scrollTo } from "../scroll-pane.ts";
import { Layout, type LayoutLine, locate, offsetAt } from "./layout.ts";
import type { EditorState } from "./state.ts";

/** All rows of a text, and those in sight: `rows` of them, from `scroll` on. */
export interface EditorRows {
  readonly lines: readonly LayoutLine[];
  readonly at: { readonly row: number; readonly column: number };
  readonly scroll: number;
  readonly rows: number;
}

/** The part of a text that is shown: its rows, which of them are in sight, and moves from row to row. */
export class EditorViewport {
  page = 10;
  readonly #state: EditorState;
  readonly #layout = new Layout();
  #columns = 80;
  /** The first row in sight. */
  #scroll = 0;
  /** The column that moves up and down keep. */
  #column: number | undefined;

  constructor(state: EditorState) {
    this.#state = state;
  }

  /** Fits the rows into a window and scrolls to the cursor. */
  fit(columns: number, maxRows: number): EditorRows {
    this.#columns = columns;
    const { lines, at } = this.#locate();
    this.page = Math.max(1, Math.min(maxRows, lines.length));
    this.#scroll = scrollTo(at.row, this.#scroll, this.page, lines.length);
    return { lines, at, scroll: this.#scroll, rows: this.page };
  }

  /** Moves the cursor by rows, as near to its column as it can. */
  vertical(by: number, how: "move" | "select" = "move"): "moved" | "edge" {
    const { lines, at } = this.#locate();
    if ((by < 0 && at.row === 0) || (by > 0 && at.row === lines.length - 1)) return "edge";
    const column = this.#column ?? at.column;
    this.#state.move(offsetAt(lines, this.#state.text, at.row + by, column), how);
    this.#column = column;
    return "moved";
  }

  forgetColumn(): void {
    this.#column = undefined;
  }

  #locate() {
    const { text, cursor } = this.#state;
    const lines = this.#layout.lines(text, this.#columns);
    return { lines, at: locate(lines, text, cursor) };
  }
}
