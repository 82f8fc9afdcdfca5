import type { Risk } from "@pith/agent";
import type { CommandEffects } from "../command-effects.ts";
import type { CommandEffect } from "../effect.ts";
import { type Arg, exact, isUnknown, unknown } from "../word.ts";
import { type OptionSpec, type ParsedArgs, parseArgs } from "./option.ts";

/** Judges a program by the words it is given and the name it was called by. */
export type Program = (args: readonly Arg[], does: CommandEffects, name: string) => undefined;
export type ProgramTable = Readonly<Record<string, Program>>;

/** Words of a program that make it worse: the first row that fits counts. */
export type Row = readonly [words: RegExp, severity: Risk, why: string];

/** A program as a table can tell it. */
export interface Spec extends OptionSpec {
  /** The meaning of words that are no options; a pattern is the first of them, `any` are texts that do nothing. */
  operands?: "read" | "write" | "none" | "pattern" | "copy" | "any";
  /** Options whose value is the name of a file that is read or written, or something that is run. */
  reads?: string;
  writes?: string;
  runs?: string;
  /** Options whose value may be any text. */
  texts?: string;
  /** Options by which it goes through all below its folders; `always` where it does so anyway. */
  below?: string;
  does?: readonly CommandEffect[];
  rows?: readonly Row[];
  also?: (args: readonly Arg[], does: CommandEffects, parsed: ParsedArgs) => undefined;
}

export const isListed = (names: string | undefined, name: string): boolean =>
  names !== undefined && ` ${names} `.includes(` ${name} `);

/** The words of a program in one line, a blank standing between words only. */
export const lineOf = (args: readonly Arg[]): string =>
  args.map(({ shape }) => shape.replace(/\s/g, "_").replaceAll(unknown, "…")).join(" ");

export function program(spec: Spec): Program {
  const { reads, writes, runs, texts, rows = [], does: effects = [] } = spec;
  const form: OptionSpec = {
    takes: [spec.takes, reads, writes, runs, texts].filter(Boolean).join(" "),
    knows: [spec.knows, spec.below].filter(Boolean).join(" "),
    ...(spec.stops && { stops: spec.stops }),
  };
  return (args, does, name) => {
    const parsed = parseArgs(args, form);
    does.effect(...effects);
    for (const { name: option, value } of parsed.options) {
      if (!value || isListed(texts, option)) continue;
      if (isListed(reads, option)) does.read(value);
      else if (isListed(writes, option)) does.write(value);
      else if (isListed(runs, option)) {
        does.effect("exec");
        does.script(value, `what ${name} runs`);
      } else if (isUnknown(value)) does.opaque(`a word of ${name} is known when it runs`);
    }
    operandsOf(spec, parsed, does, name);
    const line = rows.length > 0 ? lineOf(args) : "";
    const row = rows.find(([words]) => words.test(line));
    if (row) does.level(row[1], `${name}: ${row[2]}`);
    spec.also?.(args, does, parsed);
  };
}

function operandsOf(
  { operands = "read", below }: Spec,
  { options, operands: words, unsure }: ParsedArgs,
  does: CommandEffects,
  name: string,
): undefined {
  if (operands === "any") return;
  const stated = options.some((option) => /^(?:e|f|regexp|file|files)$/.test(option.name));
  const files = operands === "pattern" && !stated ? words.slice(1) : words;
  if (files.some((word) => word.many) || (unsure && operands === "write"))
    does.opaque(`a word of ${name} is known when it runs and may be an option`);
  const all = below === "always" || options.some((option) => isListed(below, option.name));
  if (operands === "none") {
    if (files.some(isUnknown)) does.opaque(`a word of ${name} is known when it runs`);
    return;
  }
  for (const [index, file] of files.entries()) {
    if (operands === "write" || (operands === "copy" && index === files.length - 1 && files.length > 1))
      does.write(file);
    else if (all) does.readAll(file);
    else does.read(file);
  }
  if (all && files.length === 0) does.readAll(exact("."));
}

/** Gives many names the same program. */
export const each = (names: string, one: Program): ProgramTable =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, one]));
