import type { Data } from "@pith/agent";
import { linesOf, plainLine, rowOf, tail, type View } from "../canvas.ts";
import { secondsOf } from "./run.ts";

/** A row per job, then the text of the result. */
export const jobs: View<Data["jobs"]> = {
  rows: ({ jobs: all }, { text }, canvas) => [
    ...all.map(({ id, status, label, durationMs }) =>
      rowOf(plainLine(`${id} ${status} after ${secondsOf(durationMs)}: ${label}`), canvas),
    ),
    ...tail(linesOf(text), canvas, "dim"),
  ],
};
