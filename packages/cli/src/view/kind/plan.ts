import type { Data } from "@pith/agent";
import { head, linesOf, type View } from "../canvas.ts";

/** A plan that was handed in: its lines, as far as there is room. */
export const plan: View<Data["plan"]> = {
  rows: ({ plan }, _, canvas) => head(linesOf(plan), canvas),
};
