import { pad, slice, width } from "../text/width.ts";
import { type CursorPosition, rowsOf, takeCursor, type View } from "./frame.ts";

export interface OverlayOptions {
  /** Where the box stands in the window; `end`: over the last rows of the frame, wherever these stand. */
  anchor?: "center" | "top" | "bottom" | "right" | "end";
  /** With `end`: how many of the last rows it covers at least. */
  covers?: () => number;
  /** Columns it wants; a share below 1 is of the window. */
  columns?: number;
  /** Whether it is shown at this size. */
  visible?: (columns: number, height: number) => boolean;
}

export interface Overlay {
  readonly view: View;
  readonly options: OverlayOptions;
  hidden: boolean;
}

/** Puts one overlay over the rows of a window. The rows handed in are not changed; what does not fit is cut. */
export function composite(
  window: readonly string[],
  overlay: Overlay,
  columns: number,
  height: number,
): { rows: readonly string[]; at?: CursorPosition } {
  const { anchor = "center", columns: wish = 0.8, covers } = overlay.options;
  const wide = Math.max(1, Math.min(columns, wish <= 1 ? Math.floor(columns * wish) : wish));
  const { rows: box, at: spot } = takeCursor(rowsOf(() => overlay.view.render(wide, height), wide).slice(0, height));
  const left = anchor === "right" ? columns - wide : Math.floor((columns - wide) / 2);
  const free = height - box.length;
  const end = Math.max(0, Math.min(free, window.length - (covers?.() ?? 0)));
  const first = { top: 0, bottom: free, end, center: Math.floor(free / 2), right: Math.floor(free / 2) }[anchor];
  const out = [...window];
  while (out.length < first + box.length) out.push("");
  for (const [at, row] of box.entries()) {
    const under = out[first + at] ?? "";
    out[first + at] =
      `${pad(slice(under, 0, left), left)}\x1b[0m${pad(row, wide, "end")}\x1b[0m${tail(under, left + wide)}`;
  }
  return { rows: out, at: spot && { row: first + spot.row, text: " ".repeat(left) + spot.text } };
}

// A wide character cut in half on the left edge leaves one column to fill.
function tail(under: string, from: number): string {
  const total = width(under);
  if (total <= from) return "";
  const rest = slice(under, from, total);
  return " ".repeat(total - from - width(rest)) + rest;
}

export const isVisible = (overlay: Overlay, columns: number, height: number): boolean =>
  !overlay.hidden && (overlay.options.visible?.(columns, height) ?? true);

export interface OverlayHandle {
  hide(): void;
  show(): void;
  close(): void;
}

/** Opens it; `changed` is called whenever it comes, goes, or is out of sight. */
export function openOverlay(
  focus: { open(overlay: Overlay): void; close(overlay: Overlay): void },
  overlay: Overlay,
  changed: () => void,
): OverlayHandle {
  const hide = (hidden: boolean) => () => {
    overlay.hidden = hidden;
    changed();
  };
  focus.open(overlay);
  changed();
  return {
    hide: hide(true),
    show: hide(false),
    close() {
      focus.close(overlay);
      changed();
    },
  };
}
