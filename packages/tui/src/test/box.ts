import type { View } from "../screen/frame.ts";
import { oneLine, printable } from "../text/clean.ts";
import { fit, pad, width } from "../text/width.ts";
import { wrap } from "../text/wrap.ts";
import type { StyleName, Theme } from "../theme/theme.ts";

/** A text of strangers, wrapped. */
export const textView = (text: () => string): View => ({ render: (columns) => wrap(printable(text()), columns) });

/** A frame around a view. */
export function boxView(theme: Theme, title: () => string, inner: View, token: StyleName = "border"): View {
  const { box } = theme.glyph;
  const view: View = {
    input: (event) => inner.input?.(event) ?? "passed",
    render(columns, height) {
      inner.focused = view.focused;
      const room = Math.max(1, columns - 4);
      const bar = theme.paint(token, box.v);
      const head = fit(oneLine(title()), Math.max(0, columns - 6));
      const label = head === "" ? "" : ` ${head} `;
      const top =
        theme.paint(token, `${box.tl}${box.h}`) +
        theme.paint("title", label) +
        theme.paint(token, box.h.repeat(Math.max(0, columns - 3 - width(label))) + box.tr);
      const rows = inner.render(room, Math.max(1, height - 2)).map((row) => `${bar} ${pad(row, room)} ${bar}`);
      return [top, ...rows, theme.paint(token, box.bl + box.h.repeat(Math.max(0, columns - 2)) + box.br)];
    },
  };
  return view;
}
