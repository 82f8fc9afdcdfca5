import type { Call, Outcome } from "@pith/agent";
import type { Tell } from "../report.ts";
import { aftermath, type PatchParts, runPatch, summary } from "./run.ts";

/**
 * Makes a patch. The model reads what the program prints and how the files look now; the data also hold the end of
 * that program.
 */
export async function patchOutcome(
  parts: PatchParts,
  input: string,
  call: Pick<Call, "progress">,
  tell: Tell,
): Promise<Outcome<"diff">> {
  const started = performance.now();
  const progress: PatchParts["progress"] = ({ files }) =>
    call.progress({ kind: "diff", data: { files: files.map((file) => file.change) }, text: "" });
  const done = await runPatch({ ...parts, progress }, input);
  const duration = Math.round(performance.now() - started);
  const { data, text, meta } = await tell(done.files, done.notes);
  const shared = { kind: "diff" as const, ...(meta && { meta }) };
  if ("message" in done) {
    const said = [done.message, ...(done.kind === "apply" ? aftermath(done) : [])].join("\n");
    return {
      ...shared,
      data: { ...data, exit_code: 1, stdout: "", stderr: said, duration, timed_out: false },
      text: said,
      failed: true,
    };
  }
  const said = summary(done);
  return {
    ...shared,
    data: { ...data, exit_code: 0, stdout: said, stderr: "", duration, timed_out: false },
    text: text ? `${said}\n\n${text}` : said,
  };
}
