import type { Settled } from "@pith/agent";
import { fill, showPath } from "@pith/kit";
import type { Hall } from "../../../hall/hall.ts";
import { reportNote, runUnasked } from "../unasked.ts";
import prose from "./review.md" with { type: "text" };

/** Has a sub-agent review written files; its findings go back to the model. */
export async function review(
  hall: Pick<Hall, "call" | "channel" | "cwd">,
  written: readonly string[],
  signal: AbortSignal,
): Promise<Settled> {
  const files = written.map((file) => `- ${showPath(hall.cwd, file)}`).join("\n");
  const task = `Review what was just changed in ${hall.cwd}. These files were written:\n${files}`;
  const outcome = await runUnasked(hall, "review", { task, title: "Review the changes", mode: "review" }, signal);
  if (outcome.failed || /^\W*no findings\b/i.test(outcome.text)) return { do: "done" };
  return { do: "go on", note: [reportNote(fill(prose, { report: outcome.text }), outcome)], anew: true };
}
