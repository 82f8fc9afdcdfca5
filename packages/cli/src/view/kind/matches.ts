import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { briefed, head, linesOf } from "../canvas.ts";

export const matches = briefed<Data["matches"]>(
  ({ matchCount, fileCount }) =>
    matchCount === 0 ? "no matches" : `${plural(matchCount, "match", "matches")} in ${plural(fileCount, "file")}`,
  ({ matchCount }, { text }, canvas) => (matchCount === 0 ? [] : head(linesOf(text), canvas)),
);
