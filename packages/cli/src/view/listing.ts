import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { head, linesOf, type View } from "./draw.ts";

export const listing: View<Data["listing"]> = ({ path, count }, { text }, draw) => [
  ...linesOf(`${plural(count, "name")} in ${path}`, draw).map(draw.theme.dim),
  ...head(linesOf(text, draw), draw),
];
