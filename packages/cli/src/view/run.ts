import type { Data } from "@pith/agent";
import { linesOf, tail, type View } from "./draw.ts";

/** The end of the output is where the news is. */
export const run: View<Data["run"]> = (data, { text, failed }, draw) => {
  if (data.job !== undefined) return tail(linesOf(text, draw), draw);
  const end = `${howItEnded(data)} after ${(data.durationMs / 1000).toFixed(1)} s`;
  return [...tail(linesOf(text, draw), draw), failed ? draw.theme.bad(end) : draw.theme.dim(end)];
};

function howItEnded({ exitCode, signal, timedOut, cancelled }: Data["run"]): string {
  if (timedOut) return "out of time";
  if (cancelled) return "cancelled";
  if (signal) return `ended by ${signal}`;
  return exitCode === undefined ? "ended" : `exit ${exitCode}`;
}
