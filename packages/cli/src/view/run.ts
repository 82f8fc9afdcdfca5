import type { Data } from "@pith/agent";
import { linesOf, oneLine, rowOf, tail, type View } from "./canvas.ts";

/** The end of the output is where the news is. */
export const run: View<Data["run"]> = {
  brief(data) {
    if (data.job !== undefined) return `goes on as ${data.job}`;
    const end = howItEnded({ ...data, limit: data.limit && `${data.limit} limit` });
    // Another program's record may not say how long it took.
    return Number.isFinite(data.durationMs) ? `${end} after ${secondsOf(data.durationMs)}` : end;
  },
  rows(data, shown, canvas) {
    const output = tail(linesOf(shown.text), canvas);
    // What goes on in the background says so in its text.
    if (data.job !== undefined) return output;
    return [...output, rowOf(oneLine(run.brief(data, shown)), canvas, shown.failed ? "error" : "dim")];
  },
};

export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The ways in which a command ends, a person's too. */
interface End {
  exitCode?: number | undefined;
  signal?: string | undefined;
  timedOut?: boolean | undefined;
  cancelled?: boolean | undefined;
  /** The limit that ended it, in words. */
  limit?: string | undefined;
}

export function howItEnded({ exitCode, signal, timedOut, cancelled, limit }: End): string {
  if (cancelled) return "cancelled";
  if (timedOut) return "out of time";
  if (limit !== undefined) return `ended: ${limit}`;
  if (signal) return `ended by ${signal}`;
  return exitCode === undefined ? "ended" : `exit ${exitCode}`;
}
