import type { Data } from "@pith/agent";
import { head, linesOf, type View } from "./draw.ts";

export const prose: View<Data["prose"]> = (_, { text, failed }, draw) =>
  head(
    linesOf(text, draw).map((line) => (failed ? draw.theme.bad(line) : line)),
    draw,
  );
