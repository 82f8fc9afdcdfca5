import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { briefed, head, linesOf } from "../canvas.ts";

export const listing = briefed<Data["listing"]>(
  ({ path, count }) => `${plural(count, "name")} in ${path}`,
  (_, { text }, canvas) => head(linesOf(text), canvas),
);
