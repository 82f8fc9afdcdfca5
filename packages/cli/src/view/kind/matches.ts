import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { type BriefedText, type Canvas, head, linesOf, plainLine, rowOf, type View } from "../canvas.ts";

export const matches: View<Data["matches"]> = {
  brief: ({ matchCount, fileCount }) =>
    matchCount === 0 ? "no matches" : `${plural(matchCount, "match", "matches")} in ${plural(fileCount, "file")}`,
  rows: (data, shown, canvas) => [rowOf(plainLine(shown.brief), canvas, "dim"), ...found(data, shown, canvas)],
  rest: (data, shown, canvas) => found(data, shown, canvas),
};

const found = ({ matchCount }: Data["matches"], { text }: BriefedText, canvas: Canvas): string[] =>
  matchCount === 0 ? [] : head(linesOf(text), canvas);
