import { resolve } from "node:path";
import { type Artifacts, type Entry, type SessionTree, textOf } from "@pith/agent";
import { readEnd } from "@pith/kit";
import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import { saveRecord } from "../../session/record.ts";

/** Commands about the record: show all of an output, save the session elsewhere. */
export const record: MakePart<"tree" | "artifacts" | "journal" | "home" | "cwd"> = (hall) => ({
  name: "record",
  commands: [
    {
      name: "more",
      about: "show all of the last output",
      run: () => show(wholeOutput(hall.tree, hall.artifacts) ?? "Nothing was shown yet."),
    },
    {
      name: "save",
      about: "copy the session to a file and continue there",
      usage: "<file>",
      async run(words) {
        if (words === "") return show("Say where: /save <file>", "failed");
        const file = resolve(hall.cwd, words);
        const saved = await saveRecord(hall.journal, file, hall.home);
        return saved.ok ? show(`The session goes on in ${file}.`) : show(saved.message, "failed");
      },
    },
  ],
});

/** Returns the newest output, from its artifact when the record has only a part. A huge one is cut to its end. */
function wholeOutput(tree: SessionTree, artifacts: Artifacts): string | undefined {
  for (const entry of tree.back()) {
    const output = outputOf(entry);
    if (!output) continue;
    const file = output.artifact === undefined ? undefined : artifacts.resolve(output.artifact);
    if (!file) return output.text;
    return file.ok
      ? (readEnd(file.value, most) ?? `${output.text}\n(${file.value} cannot be read)`)
      : `${output.text}\n(${file.message})`;
  }
  return undefined;
}

function outputOf(entry: Entry): { text: string; artifact: string | undefined } | undefined {
  if (entry.type !== "message") return undefined;
  const message = entry.message as { role: string; output?: string; artifactId?: string };
  if (message.role === "bashExecution") return { text: message.output ?? "", artifact: message.artifactId };
  if (entry.message.role !== "toolResult") return undefined;
  const { meta } = (entry.message.details ?? {}) as { meta?: { truncation?: { artifactId?: string } } };
  return { text: textOf(entry.message.content), artifact: meta?.truncation?.artifactId };
}

const most = 1024 * 1024;
