import type { Risk } from "@pith/agent";
import type { CommandEffects } from "../command-effects.ts";
import type { CommandEffect } from "../effect.ts";
import { type Arg, exact } from "../value/argument.ts";
import { type Option, type OptionSpec, type ParsedArgs, parseArgs } from "./option.ts";

/** A program by the name it was called by, and what it was given. */
export type Program = (args: readonly Arg[], does: CommandEffects, name: string) => undefined;
export type ProgramTable = Readonly<Record<string, Program>>;

/** What a program does that can be told in a table. */
export interface ProgramSpec extends OptionSpec {
  /** What becomes of the words that are no options; a pattern is the first of them and no path. */
  operands?: "read" | "write" | "none" | "pattern" | "copy";
  /** Options whose value is the name of a file that is read or written, or something that is run. */
  reads?: string;
  writes?: string;
  runs?: string;
  /** Options whose value is a file that names what is read, and such by which it leaves the project. */
  lists?: string;
  strays?: string;
  /** Whether all below its folders is searched. */
  searches?: "below";
  /** Options behind which nobody can look. */
  hides?: string;
  /** Options that say what the pattern is. */
  patterns?: string;
  /** What it does whatever it is given. */
  does?: readonly CommandEffect[];
  severity?: readonly [Risk, string];
  levels?: Readonly<Record<string, readonly [Risk, string]>>;
  /** More than a table can say. */
  also?: (args: readonly Arg[], does: CommandEffects, given: ParsedArgs) => undefined;
}

const has = (names: string | undefined, name: string): boolean =>
  names !== undefined && ` ${names} `.includes(` ${name} `);

export function specProgram(spec: ProgramSpec): Program {
  const { reads, writes, runs, hides, lists, strays } = spec;
  const form: OptionSpec = {
    takes: [spec.takes, reads, writes, runs, lists].filter(Boolean).join(" "),
    knows: [spec.knows, hides, strays, Object.keys(spec.levels ?? {}).join(" ")].filter(Boolean).join(" "),
  };
  const dangerous = [writes, runs, hides].some(Boolean) || spec.levels !== undefined;
  return (args, does, name) => {
    const got = parseArgs(args, form);
    for (const effect of spec.does ?? []) does.effect(effect);
    if (spec.severity) does.level(...spec.severity);
    for (const option of got.options) {
      optionOf(spec, option, does, name);
      // An option that is not known may name a file.
      if (option.value && !has(form.takes, option.name)) does.readIfOutside(option.value);
    }
    if (got.unsure && dangerous) does.opaque(`a word of ${name} is known when it runs and may be an option`);
    operandsOf(spec, got, does);
    spec.also?.(args, does, got);
  };
}

function optionOf(spec: ProgramSpec, { name: option, value }: Option, does: CommandEffects, name: string): undefined {
  if (value && (has(spec.reads, option) || has(spec.lists, option))) does.read(value);
  if (has(spec.lists, option) || has(spec.strays, option)) does.effect("read outside");
  if (value && has(spec.writes, option)) does.write(value);
  if (value && has(spec.runs, option)) {
    does.script(value, `what ${name} runs`);
    does.effect("exec");
  }
  if (has(spec.hides, option)) does.opaque(`${name} ${dashed(option)} runs what nobody can look into`);
  const level = spec.levels && Object.hasOwn(spec.levels, option) ? spec.levels[option] : undefined;
  if (level) does.level(...level);
}

const dashed = (option: string): string => (option.length === 1 ? `-${option}` : `--${option}`);

function operandsOf(
  { operands = "read", patterns, searches }: ProgramSpec,
  got: ParsedArgs,
  does: CommandEffects,
): undefined {
  if (operands === "none") return;
  const stated = got.options.some(({ name }) => has(patterns, name));
  const files = operands === "pattern" && !stated ? got.operands.slice(1) : got.operands;
  if (searches) for (const path of files.length > 0 ? files : [exact(".")]) does.below(path);
  for (const [index, file] of files.entries()) {
    if (operands === "write" || (operands === "copy" && index === files.length - 1 && files.length > 1))
      does.write(file);
    else does.read(file);
  }
}

/** The same for many programs. */
export const each = (names: string, program: Program): ProgramTable =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, program]));
