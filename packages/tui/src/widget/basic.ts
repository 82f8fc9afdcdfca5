import type { Pane, View } from "../screen/frame.ts";
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

/** Views below each other; input is for the one that has it. */
export const stackView = (views: readonly View[], front: () => View | undefined): View => {
  const stack: View = {
    input: (event) => front()?.input?.(event) ?? "passed",
    render: (columns, height) =>
      views.flatMap((view) => {
        view.focused = stack.focused === true && front() === view;
        return [...view.render(columns, height)];
      }),
  };
  return stack;
};

/** A part of a status line; parts with the lowest weight go first when there is no room. */
export interface StatusPart {
  readonly text: string;
  readonly side: "left" | "right";
  readonly weight: number;
  readonly token?: StyleName;
}

export function statusRow(theme: Theme, parts: readonly StatusPart[], columns: number): string {
  const left = parts.filter((part) => part.text !== "");
  const between = "  ";
  const total = (list: readonly StatusPart[]) =>
    list.reduce((sum, part) => sum + width(oneLine(part.text)) + between.length, -between.length);
  const kept = [...left];
  while (kept.length > 1 && total(kept) > columns)
    kept.splice(kept.indexOf(kept.reduce((low, part) => (part.weight < low.weight ? part : low))), 1);
  const draw = (side: "left" | "right") =>
    kept
      .filter((part) => part.side === side)
      .map((part) => theme.paint(part.token ?? "status", oneLine(part.text)))
      .join(between);
  const [start, end] = [draw("left"), draw("right")];
  const gap = Math.max(start && end ? between.length : 0, columns - width(start) - width(end));
  return fit(end ? start + " ".repeat(gap) + end : start, columns);
}

export const statusLine = (theme: Theme, parts: () => readonly StatusPart[]): Pane => ({
  render: (columns) => [statusRow(theme, parts(), columns)],
  bounds: () => ({ live: 0 }),
});

/** A bar that says how far something is; without a share, only that it goes on. */
export function progressRow(theme: Theme, share: number | undefined, label: string, columns: number): string {
  const text = share === undefined ? "" : ` ${String(Math.round(Math.max(0, Math.min(1, share)) * 100)).padStart(3)}%`;
  const name = label === "" ? "" : ` ${oneLine(label)}`;
  const room = Math.max(4, Math.min(40, columns - width(text) - width(name)));
  const full = share === undefined ? 0 : Math.round(Math.max(0, Math.min(1, share)) * room);
  return fit(
    theme.paint("accent", theme.glyph.bar.repeat(full)) +
      theme.paint("border", theme.glyph.track.repeat(room - full)) +
      text +
      name,
    columns,
  );
}
