import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { head, linesOf, type View } from "./draw.ts";

export const matches: View<Data["matches"]> = ({ matchCount, fileCount }, { text }, draw) => [
  draw.theme.dim(
    matchCount === 0 ? "no matches" : `${plural(matchCount, "match", "matches")} in ${plural(fileCount, "file")}`,
  ),
  ...(matchCount === 0 ? [] : head(linesOf(text, draw), draw)),
];
