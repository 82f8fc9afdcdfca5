import { openArtifacts, schema as s } from "@pith/agent";
import { byteLength, countLines, fail } from "@pith/kit";
import { bool, int, text } from "../schema.ts";
import { command } from "./row.ts";

/** Commands of the person behind the client, in the shell of the session. */
export const shellCommands = {
  bash: command({
    about: "run a command of the person's in the shell of the session: nobody is asked, and it is recorded",
    takes: { command: text, excludeFromContext: bool.optional() },
    gives: s.object({
      output: text,
      exitCode: int.optional(),
      cancelled: bool,
      truncated: bool,
      totalLines: int,
      totalBytes: int,
      outputLines: int,
      outputBytes: int,
      artifactId: text.optional(),
      fullOutputPath: text.optional(),
    }),
    async run({ command, excludeFromContext }, { coder, emit }, id) {
      const decoder = new TextDecoder();
      let [totalLines, totalBytes] = [0, 0];
      const ran = await coder.command(command, excludeFromContext ? "out" : "in", (bytes) => {
        const delta = decoder.decode(bytes, { stream: true });
        totalBytes += bytes.length;
        totalLines += countLines(delta);
        if (delta !== "") emit({ type: "bash_execution_update", id, delta });
      });
      if (!ran) return fail("command", "The command could not be run.");
      const { output, exitCode, cancelled, truncated, artifactId } = ran;
      const isKept = artifactId !== undefined && coder.file !== undefined;
      const file = isKept ? openArtifacts(coder.file).resolve(artifactId) : undefined;
      return {
        output,
        exitCode,
        cancelled,
        truncated,
        totalLines,
        totalBytes,
        outputLines: countLines(output),
        outputBytes: byteLength(output),
        artifactId,
        fullOutputPath: file?.ok ? file.value : undefined,
      };
    },
  }),
  abort_bash: command({
    about: "end the commands of the person's that run",
    takes: {},
    order: "now",
    run: (_, { coder }) => coder.interrupt("stopped by the client", "commands"),
  }),
};
