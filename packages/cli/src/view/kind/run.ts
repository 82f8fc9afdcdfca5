import type { Data } from "@pith/agent";
import { wrap } from "@pith/tui/theme";
import { type BriefedText, type Canvas, linesOf, plainLine, rowOf, tail, type View } from "../canvas.ts";

/** The end of the output of a command, and how the command ended. */
export const run: View<Data["run"]> = {
  brief(data) {
    if (data.job !== undefined) return `goes on as ${data.job}`;
    const end = howItEnded({ ...data, limit: data.limit && `${data.limit} limit` });
    // Another program's record may not say how long it took.
    return Number.isFinite(data.durationMs) ? `${end} after ${secondsOf(data.durationMs)}` : end;
  },
  rows(data, shown, canvas) {
    const output = outputOf(data, shown, canvas);
    // A command that goes on in the background says so in its text.
    if (data.job !== undefined) return output;
    return [...output, rowOf(plainLine(shown.brief), canvas, shown.failed ? "error" : "dim")];
  },
  rest: (data, shown, canvas) => outputOf(data, shown, canvas),
};

/** The output, without the line about the exit code that the model gets. */
function outputOf({ exitCode }: Data["run"], { text }: BriefedText, canvas: Canvas): string[] {
  const lines = linesOf(text);
  const told = lines.lastIndexOf(`Command exited with code ${exitCode}`);
  if (told >= 0) lines.splice(told > 0 && lines[told - 1] === "" ? told - 1 : told, 2);
  // What pith says at the end, to model and person, is read to its last word.
  const last = lines.at(-1);
  const note = last?.startsWith("[") && last.endsWith("]") ? last : undefined;
  return tail(lines, canvas, "text", lines.length, (line) =>
    line === note ? wrap(line, canvas.columns).map((row) => rowOf(row, canvas, "dim")) : [rowOf(line, canvas)],
  );
}

export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The end of a command of the model or of a person. */
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
