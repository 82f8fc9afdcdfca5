import type { Entry } from "@pith/agent";
import { plainText } from "@pith/kit";
import { printable, wrap } from "@pith/tui/theme";
import { type Canvas, plainLine, rowOf, tail } from "./canvas.ts";
import { howItEnded } from "./kind/run.ts";

/** A shell command of a person, of pith's record or a relative's. */
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

/** The output of a command that runs. */
export interface Streamed {
  /** The end of it. */
  text: string;
  /** The number of whole lines so far. */
  lines: number;
}

/**
 * The rows that are new since `told` lines were shown: whole lines, of a flood the last ones. They are wrapped: nothing
 * that a person asked for themselves is cut.
 */
export function streamedRows({ text, lines }: Streamed, told: number, canvas: Canvas): string[] {
  const whole = text.split("\n").slice(0, -1);
  return lastRows(whole.slice(Math.max(0, whole.length - (lines - told))), lines - told, canvas);
}

/** The end of the output, and the end of the command. */
export function userRunRows(run: UserRun, canvas: Canvas): string[] {
  const output = (run.output ?? "").replace(/\n+$/, "");
  const lines = output === "" ? [] : output.split("\n");
  return [...lastRows(lines, run.totalLines ?? lines.length, canvas), ...endRows(run, canvas)];
}

/** The end of a command, and notes on its output. */
function endRows(run: UserRun, canvas: Canvas): string[] {
  const notes = [
    howItEnded(run),
    ...(run.truncated
      ? [`output cut${run.artifactId === undefined ? "" : `, all of it in artifact://${run.artifactId}`}`]
      : []),
    ...(run.excludeFromContext ? ["not shown to the model"] : []),
  ].join("; ");
  const token = run.exitCode === 0 ? "dim" : "error";
  return wrap(plainLine(notes), canvas.columns).map((row) => rowOf(row, canvas, token));
}

const lastRows = (lines: readonly string[], all: number, canvas: Canvas): string[] =>
  tail(lines, canvas, "text", all, (line) =>
    wrap(printable(plainText(line)), canvas.columns).map((row) => canvas.theme.paint("text", row)),
  );
