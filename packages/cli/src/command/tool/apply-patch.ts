import { isUtf8 } from "node:buffer";
import { applyPatch } from "@pith/coder";
import { plainText } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import { type Io, unfinished, usage } from "../../io/io.ts";
import { openProject } from "../../open/project.ts";
import { subcommand } from "../subcommand.ts";

/** Applies a patch, which is an argument or comes on standard input. */
export const applyPatchCommand = subcommand({
  usage: "['<patch>']",
  about: "apply a patch, from an argument or standard input",
  help: "edit",
  options: {
    all: { takes: "nothing", about: "make all hunks or none" },
    "keep-end": { takes: "nothing", about: "do not add a newline at the end of a file" },
    anywhere: { takes: "nothing", about: "also touch files outside the working directory" },
    cwd: launchFlags.cwd,
  },
  async run({ flags, words: [word, ...more] }, io) {
    const project = await openProject({ cwd: flags.cwd }, io);
    if (!project.ok) return usage(io, project.message);
    const { cwd, settings } = project.value;
    if (more.length > 0) return usage(io, "give the patch as one argument, or on standard input");
    const patch = word ?? (await piped(io));
    if (patch === undefined) return usage(io, "usage: pith apply-patch '<patch>', or pith apply-patch < file.patch");
    if (patch instanceof Uint8Array) return unfinished(io, "the patch is not valid UTF-8; nothing was applied");
    const done = await applyPatch(patch, {
      cwd,
      apply: flags.all ? "all" : settings.get("edit.apply"),
      finalNewline: flags["keep-end"] ? "keep" : settings.get("edit.finalNewline"),
      where: flags.anywhere ? "anywhere" : "inside",
    });
    if (!done.ok) {
      io.err.write(`${plainText(done.message)}\n`);
      return exit.unfinished;
    }
    for (const note of done.value.notes) io.err.write(`${plainText(note)}\n`);
    io.out.write(`${io.outIs === "device" ? plainText(done.value.text) : done.value.text}\n`);
    return exit.finished;
  },
});

/** Standard input; undefined at a terminal, where a person would wait for a prompt. Bytes that are no UTF-8 stay bytes. */
async function piped({ input }: Pick<Io, "input">): Promise<string | Uint8Array | undefined> {
  if (input.kind === "device" || input.kind === "closed") return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.bytes()) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  if (all.length === 0) return undefined;
  return isUtf8(all) ? all.toString("utf8") : all;
}
