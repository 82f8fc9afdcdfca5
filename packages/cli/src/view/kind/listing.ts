import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { type Canvas, head, linesOf, oneLine, rowOf, type Shown, type View } from "../canvas.ts";

export const listing: View<Data["listing"]> = {
  brief: ({ path, count }) => `${plural(count, "name")} in ${path}`,
  rows: (_, shown, canvas) => [rowOf(oneLine(shown.brief), canvas, "dim"), ...listed(shown, canvas)],
  rest: (_, shown, canvas) => listed(shown, canvas),
};

const listed = ({ text }: Shown, canvas: Canvas): string[] => head(linesOf(text), canvas);
