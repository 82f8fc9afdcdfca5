import type { Data } from "@pith/agent";
import { fit, head, linesOf, type View } from "./draw.ts";

export const table: View<Data["table"]> = ({ columns, rows }, _, draw) => {
  const clean = [columns, ...rows].map((row) => row.map((cell) => linesOf(cell, draw).join(" ")));
  const widths = columns.map((_, i) => Math.max(...clean.map((row) => Bun.stringWidth(row[i] ?? ""))));
  const [title = "", ...body] = clean.map((row) =>
    fit(
      row
        .map((cell, i) => pad(cell, widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
      draw.width,
    ),
  );
  return [draw.theme.strong(title), ...head(body, draw)];
};

const pad = (cell: string, width: number) => cell + " ".repeat(Math.max(0, width - Bun.stringWidth(cell)));
