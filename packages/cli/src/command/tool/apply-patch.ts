import { isUtf8 } from "node:buffer";
import { applyPatch } from "@pith/coder";
import { plainText } from "@pith/kit";
import { workDirectory } from "../../argv/directory.ts";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import { settingsIn } from "../../open/setting.ts";
import type { Command } from "../command.ts";

export const options = {
  all: { takes: "nothing", about: "make all hunks or none" },
  "keep-end": { takes: "nothing", about: "do not add a newline at the end of a file" },
  anywhere: { takes: "nothing", about: "also touch files outside the working directory" },
  cwd: { takes: "text", as: "dir", about: "work in this directory" },
} as const satisfies FlagTable;

/** `pith apply-patch '<patch>'`, or the patch on standard input. */
export const applyPatchCommand: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  const directory = workDirectory(flags.cwd, io.cwd);
  if (!directory.ok) return usage(io, directory.message);
  const patches = [...words, ...plain];
  if (patches.length > 1) return usage(io, "give the patch as one argument, or on standard input");
  const patch = patches[0] ?? (await piped(io));
  if (patch === undefined) return usage(io, "usage: pith apply-patch '<patch>', or pith apply-patch < file.patch");
  if (patch instanceof Uint8Array) {
    complain(io, "the patch is not valid UTF-8; nothing was applied");
    return exit.unfinished;
  }
  const settings = await settingsIn(io, { cwd: directory.value });
  if (!settings.ok) return usage(io, settings.message);
  const done = await applyPatch(patch, {
    cwd: directory.value,
    apply: flags.all ? "all" : settings.value.get("edit.apply"),
    finalNewline: flags["keep-end"] ? "keep" : settings.value.get("edit.finalNewline"),
    where: flags.anywhere ? "anywhere" : "inside",
  });
  if (!done.ok) {
    io.err.write(`${plainText(done.message)}\n`);
    return exit.unfinished;
  }
  for (const note of done.value.notes) io.err.write(`${plainText(note)}\n`);
  io.out.write(`${io.outIs === "device" ? plainText(done.value.text) : done.value.text}\n`);
  return exit.finished;
};

/**
 * Nothing is read from a terminal: somebody would wait for a prompt that never comes. What is no text stays bytes: it
 * would not be applied as it is.
 */
async function piped({ input }: Pick<Io, "input">): Promise<string | Uint8Array | undefined> {
  if (input.kind === "device" || input.kind === "closed") return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.bytes()) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  if (all.length === 0) return undefined;
  return isUtf8(all) ? all.toString("utf8") : all;
}
