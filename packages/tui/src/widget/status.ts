import { oneLine } from "../text/clean.ts";
import { fit, width } from "../text/width.ts";
import type { StyleName, Theme } from "../theme/theme.ts";

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
