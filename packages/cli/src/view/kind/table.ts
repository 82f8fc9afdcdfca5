import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { tableRows } from "@pith/tui/theme";
import { head, plainLine, type View } from "../canvas.ts";

export const table: View<Data["table"]> = {
  brief: ({ rows }) => plural(rows.length, "row"),
  rows({ columns, rows }, _, canvas) {
    const clean = (cells: readonly string[]) => cells.map((cell) => plainLine(cell));
    // A row of the table takes at least one of the canvas, so more than these would not be seen.
    const seen = rows.slice(0, canvas.height).map(clean);
    const drawn = tableRows({ header: clean(columns), rows: seen }, canvas.columns, canvas.theme);
    return head(drawn, canvas, "text", drawn.length + rows.length - seen.length);
  },
};
