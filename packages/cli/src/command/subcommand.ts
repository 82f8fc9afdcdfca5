import { type Arguments, type Flag, type FlagTable, parseArguments } from "../argv/parse.ts";
import { type Io, usage } from "../io/io.ts";
import type { Topic } from "./help/topic.ts";

/** A word after `pith`; its usage, help and completion, the manual and the pages are made of this. */
export interface Subcommand {
  /** Stands behind the name in help and in the manual. */
  usage: string;
  about: string;
  options: FlagTable;
  /** The help page that tells of it; without one its help is the list of its options. */
  help?: Topic | "screen";
  /** Completion: words that may stand first, each with those that may stand second. */
  words?: readonly string[] | (() => WordTable | Promise<WordTable>);
  /** Completion: words that may stand third. */
  third?(): readonly ThirdWords[];
  /** Runs to an exit code; `usage` when it was called wrongly and the usage line says how it is done. */
  run(argv: readonly string[], io: Io, all: Subcommands): Promise<Ended> | Ended;
}

export type Ended = number | "usage";
export type WordTable = Readonly<Record<string, readonly string[]>>;

export interface ThirdWords {
  first: string;
  second: readonly string[];
  words: readonly string[];
}

/** Every subcommand by its name, each loaded when it is needed. */
export type Subcommands = Readonly<Record<string, () => Promise<Subcommand>>>;

interface Definition<T extends FlagTable> extends Omit<Subcommand, "run"> {
  options: T;
  /** More words than these are a mistake. */
  maxWords?: number;
  run(args: ParsedArguments<T>, io: Io, all: Subcommands): Promise<Ended> | Ended;
}

interface ParsedArguments<T extends FlagTable> extends Pick<Arguments<T>, "flags" | "words"> {
  /** As they were typed. */
  argv: readonly string[];
}

/** A subcommand that gets its arguments parsed; words behind `--` are words like the others. */
export function subcommand<const T extends FlagTable>(definition: Definition<T>): Subcommand {
  const { options, maxWords = Number.POSITIVE_INFINITY } = definition;
  return {
    ...definition,
    run(argv, io, all) {
      const parsed = parseArguments(options, argv);
      if (!parsed.ok) return usage(io, parsed.message);
      const words = [...parsed.value.words, ...parsed.value.plain];
      return words.length > maxWords ? "usage" : definition.run({ flags: parsed.value.flags, words, argv }, io, all);
    },
  };
}

/** The command line of a subcommand, without its options. */
export const called = (name: string, { usage }: Pick<Subcommand, "usage">): string =>
  ["pith", ...(name === "launch" ? [] : [name]), ...(usage === "" ? [] : [usage])].join(" ");

/** The same with its options, where there are few; for a person who called it wrongly. */
export function usageLine(name: string, command: Subcommand): string {
  const options = Object.entries<Flag>(command.options).filter(([option]) => !command.usage.includes(`--${option}`));
  const spelled = options.map(([option, flag]) =>
    flag.takes === "nothing" ? `--${option}` : `--${option} <${flag.as}>`,
  );
  const shown = spelled.length > 6 ? ["[options]"] : spelled.map((option) => `[${option}]`);
  return `usage: ${[called(name, command), ...shown].join(" ")}`;
}
