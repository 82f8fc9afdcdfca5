import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { head, linesOf, oneLine, rowOf, type View } from "./canvas.ts";

export const matches: View<Data["matches"]> = {
  brief: ({ matchCount, fileCount }) =>
    matchCount === 0 ? "no matches" : `${plural(matchCount, "match", "matches")} in ${plural(fileCount, "file")}`,
  rows: (data, shown, canvas) => [
    rowOf(oneLine(matches.brief(data, shown)), canvas, "dim"),
    ...(data.matchCount === 0 ? [] : head(linesOf(shown.text), canvas)),
  ],
};
