import type { Entry } from "@pith/agent";
import { type Canvas, linesOf, oneLine, rowOf, tail } from "./canvas.ts";
import { howItEnded } from "./run.ts";

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
export function userRunRows(run: UserRun, canvas: Canvas): string[] {
  const notes = [
    howItEnded(run),
    ...(run.truncated
      ? [`output cut${run.artifactId === undefined ? "" : `, all of it in artifact://${run.artifactId}`}`]
      : []),
    ...(run.excludeFromContext ? ["not shown to the model"] : []),
  ].join("; ");
  return [
    ...tail(linesOf(run.output ?? ""), canvas, "text", run.totalLines),
    rowOf(oneLine(notes), canvas, run.exitCode === 0 ? "dim" : "error"),
  ];
}
