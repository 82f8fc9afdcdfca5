import type { Coder } from "@pith/coder";
import { exit } from "../../io/interrupt.ts";
import { type Io, usage } from "../../io/io.ts";
import { justSaid, type Said } from "../../prompt/prompt.ts";
import type { Face } from "../face.ts";
import { type Printer, runPrint } from "./print.ts";

/** Prompts from the command line and standard input, answers on standard output. */
export const printFace: Face = {
  person: "away",
  refuses: () => undefined,
  async run({ coder, said, flags }, io) {
    if (!said) return exit.usage;
    const inputs = [said, ...(flags.next ?? []).map(next)];
    const unknown = inputs.map(({ typed }) => typed !== undefined && coder.commands.read(typed));
    for (const typed of unknown) if (typed && typed.is === "unknown") return usage(io, typed.message);
    const printer = await printers[flags.mode ?? "text"](coder, io);
    return await runPrint({ coder, inputs, printer, maxTimeMs: flags["max-time"] }, io);
  },
};

const next = (text: string): Said => justSaid(text, text);

/** Which one is loaded depends on what is printed. */
const printers: Record<"text" | "json", (coder: Coder, io: Io) => Promise<Printer>> = {
  text: async (_, io) => (await import("./text.ts")).textPrinter(io),
  json: async ({ header }, io) => (await import("./json.ts")).jsonPrinter(header, io),
};
