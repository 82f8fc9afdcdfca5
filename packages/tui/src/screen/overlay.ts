import { pad, slice, width } from "../text/width.ts";
import { type CursorPosition, rowsOf, takeCursor, type View } from "./frame.ts";

export interface OverlayOptions {
  /** Position of the box in the window; `end` is over the last rows of the frame, wherever these are. */
  anchor?: "center" | "end";
  /** With `end`: how many of the last rows it covers at least. */
  covers?: () => number;
  /** Columns of the box; a number up to 1 is a share of the window. */
  columns?: number;
}

export interface Overlay {
  readonly view: View;
  readonly options: OverlayOptions;
}

/** Puts one overlay over a copy of the window's rows; a box that does not fit is cut. */
export function composite(
  window: readonly string[],
  overlay: Overlay,
  columns: number,
  height: number,
): { rows: readonly string[]; at?: CursorPosition } {
  const { anchor = "center", columns: wanted = 0.8, covers } = overlay.options;
  const wide = Math.max(1, Math.min(columns, wanted <= 1 ? Math.floor(columns * wanted) : wanted));
  const { rows: box, at: cursor } = takeCursor(rowsOf(() => overlay.view.render(wide, height), wide).slice(0, height));
  const left = Math.floor((columns - wide) / 2);
  const free = height - box.length;
  const end = Math.max(0, Math.min(free, window.length - (covers?.() ?? 0)));
  const first = anchor === "end" ? end : Math.floor(free / 2);
  const out = [...window];
  while (out.length < first + box.length) out.push("");
  for (const [at, row] of box.entries()) {
    const under = out[first + at] ?? "";
    out[first + at] =
      `${pad(slice(under, 0, left), left)}\x1b[0m${pad(row, wide, "end")}\x1b[0m${tail(under, left + wide)}`;
  }
  return { rows: out, at: cursor && { row: first + cursor.row, text: " ".repeat(left) + cursor.text } };
}

// The row behind the box. A wide character cut in half on its left edge leaves one column to fill.
function tail(under: string, from: number): string {
  const total = width(under);
  if (total <= from) return "";
  const rest = slice(under, from, total);
  return " ".repeat(total - from - width(rest)) + rest;
}

export interface OverlayHandle {
  close(): void;
}
