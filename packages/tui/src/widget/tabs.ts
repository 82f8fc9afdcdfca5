import type { View } from "../screen/frame.ts";
import { oneLine } from "../text/clean.ts";
import { fit } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";

export interface Tab {
  readonly label: string;
  readonly view: View;
}

/** Views behind each other; Tab and Shift+Tab change between them, other events go to the one in front. */
export function createTabs(theme: Theme, tabs: readonly Tab[]): View & { index: number } {
  const turn = (by: number) => {
    const was = tabs[view.index];
    if (was) was.view.focused = false;
    view.index = (view.index + by + tabs.length) % Math.max(1, tabs.length);
  };
  const view: View & { index: number } = {
    index: 0,
    input(event) {
      const front = tabs[view.index]?.view;
      if (event.type === "key" && (event.combo === "tab" || event.combo === "shift+tab") && tabs.length > 1) {
        turn(event.combo === "tab" ? 1 : -1);
        return "used";
      }
      return front?.input?.(event) ?? "passed";
    },
    render(columns, height) {
      const front = tabs[view.index]?.view;
      if (front) front.focused = view.focused;
      const heads = tabs.map((tab, at) =>
        theme.paint(at === view.index ? "selected" : "dim", ` ${oneLine(tab.label)} `),
      );
      return [
        fit(heads.join(" "), columns),
        theme.paint("border", theme.glyph.box.h.repeat(columns)),
        ...(front?.render(columns, Math.max(1, height - 2)) ?? []),
      ];
    },
  };
  return view;
}
