import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { linesOf, oneLine, rowOf, tail, type View } from "../canvas.ts";
import { secondsOf } from "./run.ts";

/** One line per job, then what was said of them. */
export const jobs: View<Data["jobs"]> = {
  brief({ jobs: all }) {
    const running = all.filter(({ status }) => status === "running").length;
    return `${plural(all.length, "job")}${running > 0 ? `, ${running} running` : ""}`;
  },
  rows: ({ jobs: all }, { text }, canvas) => [
    ...all.map(({ id, status, label, durationMs }) =>
      rowOf(oneLine(`${id} ${status} after ${secondsOf(durationMs)}: ${label}`), canvas),
    ),
    ...tail(linesOf(text), canvas, "dim"),
  ],
};
