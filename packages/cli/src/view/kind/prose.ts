import type { Data } from "@pith/agent";
import { wrap } from "@pith/tui/theme";
import { type Canvas, head, linesOf, type View } from "../canvas.ts";

export const prose: View<Data["prose"]> = {
  brief: (_, { text }) => text.trimStart().split("\n", 1)[0] ?? "",
  rows: (_, { text, failed }, canvas) =>
    failed ? head(wrapped(linesOf(text), canvas), canvas, "error") : head(linesOf(text), canvas, "text"),
};

/** Lines whose end must be read too: the reason of a refusal names the way at its end. */
const wrapped = (lines: readonly string[], { columns }: Canvas): string[] =>
  lines.flatMap((line) => wrap(line, columns));
