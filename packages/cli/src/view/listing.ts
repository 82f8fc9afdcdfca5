import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { head, linesOf, oneLine, rowOf, type View } from "./canvas.ts";

export const listing: View<Data["listing"]> = {
  brief: ({ path, count }) => `${plural(count, "name")} in ${path}`,
  rows: (data, shown, canvas) => [
    rowOf(oneLine(listing.brief(data, shown)), canvas, "dim"),
    ...head(linesOf(shown.text), canvas),
  ],
};
