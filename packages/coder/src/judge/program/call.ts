import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, isUnknown, unknown } from "../word.ts";
import type { Rating } from "./entries.ts";
import type { ParsedArgs } from "./option.ts";
import type { ProgramRow } from "./table.ts";

/** A program with its words, as its row reads them. */
export interface ProgramCall {
  /** The name it was called by. */
  name: string;
  row: ProgramRow;
  args: readonly Arg[];
  parsed: ParsedArgs;
}

/** Judges what a row cannot tell of a program. */
export type ProgramCode = (call: ProgramCall, does: CommandEffects) => undefined;

/** Rates a program by the first rating whose pattern fits its words. */
export function rate(ratings: readonly Rating[], line: string, about: string, does: CommandEffects): undefined {
  const rating = ratings.find(({ words }) => words.test(line));
  if (!rating) return;
  const why = `${about}${rating.why}`.replace(/^([^:]+): it /, "$1 ");
  does.effect(...rating.effects.filter((effect) => effect !== "opaque"));
  if (rating.effects.includes("opaque")) does.opaque(why);
  if (rating.guards) does.guard ??= rating.why;
  does.level(rating.severity, why);
}

/** The words of a program in one line, a blank standing between words only. */
export const lineOf = (args: readonly Arg[]): string =>
  args.map(({ shape }) => shape.replace(/\s/g, "_").replaceAll(unknown, "…")).join(" ");

const states = /^(?:e|f|regexp|expression|file|from-file)$/;
const lists = /^(?:files|type-list)$/;

/** Judges words that are no options as the row says. */
export function touchOperands(call: ProgramCall, does: CommandEffects): undefined {
  const { name, row, parsed } = call;
  const { operands: kind, below } = row;
  const files = filesIn(call);
  const opaque = () => does.opaque(`a word of ${name} is known when it runs and may be an option`);
  if (kind === "none" && !row.isReader && files.some(isUnknown)) opaque();
  if (kind === "hosts") does.hosts.push(...files.map(({ shape }) => shape.replace(/^@/, "")));
  if (/^(?:text|none|hosts)$/.test(kind)) return;
  if (files.some((word) => word.many) || (parsed.unsure && kind === "write")) opaque();
  const all = below.has("always") || parsed.has(...below);
  for (const [index, file] of files.entries()) {
    if (kind === "write" || (kind === "one" && index > 0)) does.write(file);
    else if (all) does.readAll(file);
    else does.read(file);
  }
  if (all && files.length === 0) does.readAll(exact("."));
}

/** The operands that are no pattern. */
function filesIn({ row, parsed: { options, operands } }: ProgramCall): readonly Arg[] {
  const isStated = options.some(({ name }) => (states.test(name) && row.takes.has(name)) || lists.test(name));
  return row.operands === "pattern" && !isStated ? operands.slice(1) : operands;
}
