import type { Data } from "@pith/agent";
import { head, linesOf, type View } from "../canvas.ts";

/** A plan that was handed in: its first heading in short, its lines whole as far as there is room. */
export const plan: View<Data["plan"]> = {
  brief: ({ plan, state }) => `${state}: ${titleOf(plan)}`,
  rows: ({ plan }, _, canvas) => head(linesOf(plan), canvas),
};

/** What a plan is about, by its first line. */
const titleOf = (plan: string): string => (linesOf(plan)[0] ?? "").replace(/^#+\s*/, "");
