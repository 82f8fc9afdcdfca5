import type { Data } from "@pith/agent";
import { linesOf, tail, type View } from "./draw.ts";

/** One line per job, then what was said of them. */
export const jobs: View<Data["jobs"]> = ({ jobs: all }, { text }, draw) => {
  const rows = all.map(
    ({ id, status, label, durationMs }) =>
      linesOf(`${id} ${status} after ${(durationMs / 1000).toFixed(1)} s: ${label}`, draw)[0] ?? "",
  );
  return [...rows, ...tail(linesOf(text, draw), draw).map((line) => draw.theme.dim(line))];
};
