import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { head, linesOf, type View } from "./draw.ts";

export const matches: View<Data["matches"]> = ({ count, files }, { text }, draw) => [
  draw.theme.dim(count === 0 ? "no matches" : `${plural(count, "match", "matches")} in ${plural(files, "file")}`),
  ...(count === 0 ? [] : head(linesOf(text, draw), draw)),
];
