import type { Data } from "@pith/agent";
import { head, linesOf, type View } from "../canvas.ts";

export const prose: View<Data["prose"]> = {
  brief: (_, { text }) => text.trimStart().split("\n", 1)[0] ?? "",
  rows: (_, { text, failed }, canvas) => head(linesOf(text), canvas, failed ? "error" : "text"),
};
