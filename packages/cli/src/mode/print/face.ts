import type { Coder } from "@pith/coder";
import { exit } from "../../io/interrupt.ts";
import type { Io } from "../../io/io.ts";
import type { Face } from "../face.ts";
import { type Printer, runPrint } from "./print.ts";

/** Prompts from the command line and standard input, answers on standard output. */
export const printFace: Face = {
  person: "away",
  refuses: () => undefined,
  async run({ coder, input, flags }, io) {
    if (!input) return exit.usage;
    const printer = await printers[flags.mode ?? "text"](coder, io);
    const inputs = [input, ...(flags.next ?? []).map((text) => ({ text }))];
    return await runPrint({ coder, inputs, printer, maxTimeMs: flags["max-time"] }, io);
  },
};

/** Which one is loaded depends on what is printed. */
const printers: Record<"text" | "json", (coder: Coder, io: Io) => Promise<Printer>> = {
  text: async (_, io) => (await import("./text.ts")).textPrinter(io),
  json: async ({ header }, io) => (await import("./json.ts")).jsonPrinter(header, io),
};
