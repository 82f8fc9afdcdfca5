import type { Entry } from "@pith/agent";
import { type Draw, linesOf, tail } from "./draw.ts";

/** A command that a person ran, of ours or of a relative's record. */
export interface UserRun {
  role: "bashExecution";
  command?: string;
  output?: string;
  exitCode?: number;
  signal?: string;
  limit?: string;
  totalLines?: number;
  cancelled?: boolean;
  timedOut?: boolean;
  truncated?: boolean;
  artifactId?: string;
  excludeFromContext?: boolean;
}

export const isUserRun = (entry: Entry): entry is Entry & { message: UserRun } =>
  entry.type === "message" && (entry.message as { role: string }).role === "bashExecution";

/** The end of the output, what was left out of it, and how it ended. */
export function userRunLines(run: UserRun, draw: Draw): string[] {
  const clamped = (run.output ?? "")
    .split("\n")
    .map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line))
    .join("\n");
  const notes = [
    howItEnded(run),
    ...(run.truncated
      ? [`output cut${run.artifactId === undefined ? "" : `, all of it in artifact://${run.artifactId}`}`]
      : []),
    ...(run.excludeFromContext ? ["not shown to the model"] : []),
  ].join("; ");
  return [
    ...tail(linesOf(clamped, draw), draw, run.totalLines),
    run.exitCode === 0 ? draw.theme.dim(notes) : draw.theme.bad(notes),
  ];
}

function howItEnded({ cancelled, timedOut, limit, signal, exitCode }: UserRun): string {
  if (cancelled) return "cancelled";
  if (timedOut) return "out of time";
  if (limit !== undefined) return `ended: ${limit}`;
  return signal === undefined ? `exit ${exitCode ?? "unknown"}` : `ended by ${signal}`;
}

const maxLine = 4000;
