import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { type BriefedText, type Canvas, head, linesOf, plainLine, rowOf, type View } from "../canvas.ts";

export const listing: View<Data["listing"]> = {
  brief: ({ path, count }) => `${plural(count, "name")} in ${path}`,
  rows: (_, shown, canvas) => [rowOf(plainLine(shown.brief), canvas, "dim"), ...listed(shown, canvas)],
  rest: (_, shown, canvas) => listed(shown, canvas),
};

const listed = ({ text }: BriefedText, canvas: Canvas): string[] => head(linesOf(text), canvas);
