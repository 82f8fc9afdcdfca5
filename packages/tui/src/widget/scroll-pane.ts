import type { View } from "../screen/frame.ts";
import { fit } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";

/** The first row to show so that row `at` is in sight, moved as little as possible. */
export const scrollTo = (at: number, first: number, height: number, length: number): number =>
  Math.max(0, Math.min(Math.max(Math.min(first, at), at - height + 1), length - height));

/** A window onto rows that are too many, moved by keys. */
export function createScrollPane(
  theme: Theme,
  rows: (columns: number) => readonly string[],
  height: () => number,
): View & { top: number; end: boolean } {
  let length = 0;
  const last = () => Math.max(0, length - height());
  const move = (by: number) => {
    pane.top = Math.max(0, Math.min(last(), pane.top + by));
    pane.end = by > 0 ? pane.top === last() : by === 0 && pane.end;
  };
  const keys: Record<string, () => void> = {
    up: () => move(-1),
    k: () => move(-1),
    down: () => move(1),
    j: () => move(1),
    pageup: () => move(-height()),
    pagedown: () => move(height()),
    space: () => move(height()),
    home: () => move(-length),
    g: () => move(-length),
    end: () => move(length),
    "shift+g": () => move(length),
  };
  const pane: View & { top: number; end: boolean } = {
    top: 0,
    /** Keeps the end in sight, whatever the size becomes. */
    end: false,
    input(event) {
      const act = event.type === "key" ? keys[event.combo] : undefined;
      act?.();
      return act ? "used" : "passed";
    },
    render(columns) {
      const all = rows(columns);
      length = all.length;
      if (pane.end) pane.top = last();
      move(0);
      const shown = all.slice(pane.top, pane.top + height());
      if (all.length <= height()) return shown;
      const end = Math.min(all.length, pane.top + height());
      return [...shown, theme.paint("dim", fit(`${pane.top + 1}-${end} of ${all.length}`, columns))];
    },
  };
  return pane;
}
