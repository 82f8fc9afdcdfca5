import type { CommandEffects } from "../command-effects.ts";
import { type Arg, unknown } from "../word.ts";
import { lineOf, type ProgramCode, rate, touchOperands } from "./call.ts";
import { changing } from "./files.ts";
import { git } from "./git.ts";
import { talking } from "./net.ts";
import { parseArgs } from "./option.ts";
import { running } from "./run.ts";
import type { ProgramRow } from "./table.ts";

const codes: Readonly<Record<string, ProgramCode>> = { ...changing, ...running, ...talking, git };

/** Judges a program by its row: its effects, options, operands and ratings, and then by its code. */
export function applyRow(name: string, row: ProgramRow, args: readonly Arg[], does: CommandEffects): undefined {
  const parsed = parseArgs(args, row);
  const call = { name, row, args, parsed };
  does.effect(...row.effects);
  for (const { name: option, value } of parsed.options) {
    if (!value) continue;
    if (value.text === "-" && !row.runs.has(option)) continue;
    if (row.reads.has(option)) does.read(value);
    else if (row.writes.has(option)) does.write(value);
    else if (row.runs.has(option)) {
      does.effect("exec");
      does.script(value, `what ${name} runs`);
    }
  }
  if (args.some(isHidden)) does.opaque(`an option of ${name} is known when it runs`);
  if (row.by === undefined) touchOperands(call, does);
  rate(row.ratings, lineOf(args), `${name}: `, does);
  if (row.by !== undefined) codes[row.by]?.(call, does);
}

/** True for an option of which more than its value is known only when it runs. */
const isHidden = ({ shape, many }: Arg): boolean =>
  shape.startsWith("-") && (many === true || (shape.split("=", 1)[0] ?? "").includes(unknown));
