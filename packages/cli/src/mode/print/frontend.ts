import { resolve } from "node:path";
import type { Coder } from "@pith/coder";
import type { LaunchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import { type LaunchPrompt, textPrompt } from "../../prompt/prompt.ts";
import type { Frontend } from "../frontend.ts";
import { type Printer, runPrint } from "./print.ts";
import { RunLog, writeReceipt } from "./receipt.ts";

/** Prompts from the command line and standard input, answers on standard output. */
export const printFrontend: Frontend = {
  person: "away",
  refuses: (flags) => (flags["no-questions"] ? "--no-questions goes with --mode rpc; -p asks nobody" : undefined),
  async run({ slot, prompt, flags }, io) {
    const { coder } = slot.current;
    if (!prompt) return exit.usage;
    const inputs = [prompt, ...(flags.next ?? []).map(next)];
    const unknown = inputs.map(({ typed }) => typed !== undefined && coder.commands.read(typed));
    for (const typed of unknown) if (typed && typed.is === "unknown") return usage(io, typed.message);
    const printer = await printers[flags.mode === "json" ? "json" : "text"](coder, io);
    const ledger = new RunLog(io.clock.now());
    const watched: Printer = {
      ...printer,
      take(event) {
        ledger.take(event);
        printer.take(event);
      },
      // With a schema only the answer is printed, once it is known to fit.
      finish: (answers) => (flags["output-schema"] ? undefined : printer.finish(answers)),
    };
    const ran = await runPrint({ coder, inputs, printer: watched, maxTimeMs: flags["max-time"] }, io);
    const code = ran === exit.finished ? ended(ledger, flags, io) : ran;
    return flags.receipt === undefined
      ? code
      : receive(flags.receipt, ledger.receipt(coder, code, io.clock.now()), code, io);
  },
};

/** Checks a run that finished: its output fits the schema, and with --ci nothing was refused at the end. */
function ended({ output, wanted }: RunLog, flags: LaunchFlags, io: Io): number {
  if (flags["output-schema"] && output?.text === undefined) {
    const errors = output?.errors ?? ["there was no answer"];
    complain(io, `the answer does not fit the schema: ${errors.join("; ")}`);
    return exit.unfinished;
  }
  if (output?.text !== undefined && flags.mode !== "json") io.out.write(`${output.text}\n`);
  if (!flags.ci || !wanted) return exit.finished;
  complain(io, "the last call was not run, because nobody was there to allow it");
  return exit.unfinished;
}

function receive(file: string, receipt: object, code: number, io: Io): number {
  const written = writeReceipt(resolve(io.cwd, file), receipt);
  if (written.ok) return code;
  complain(io, written.message);
  return code === exit.finished ? exit.unfinished : code;
}

const next = (text: string): LaunchPrompt => textPrompt(text, text);

/** Loads the printer for the output format. */
const printers: Record<"text" | "json", (coder: Coder, io: Io) => Promise<Printer>> = {
  text: async (_, io) => (await import("./text.ts")).textPrinter(io),
  json: async ({ header }, io) => (await import("./json.ts")).jsonPrinter(header, io),
};
