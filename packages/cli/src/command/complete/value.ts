import type { Flag, FlagTable } from "../../argv/parse.ts";

/** What a person may type behind a command. */
export interface Shape {
  usage: string;
  about: string;
  flags: FlagTable;
  /** What its first word may be; a list for each of them is what the second may be. */
  words: Readonly<Record<string, readonly string[]>>;
  /** What may stand third, behind one of these second words of a first one. */
  third: readonly Third[];
}

export interface Third {
  first: string;
  second: readonly string[];
  words: readonly string[];
}

export const shells = ["bash", "zsh", "fish"] as const;

/** A script for a shell, made of all that can be typed. */
export type Script = (shapes: ReadonlyMap<string, Shape>) => string;

/** What may stand behind an option: one of some words, a directory, or anything, which a shell takes for a file. */
export type Value = { is: "words"; words: readonly string[] } | { is: "directory" } | { is: "anything" };

export function taken(flag: Flag): Value | undefined {
  if (flag.takes === "nothing") return undefined;
  if (flag.takes === "choice") return { is: "words", words: flag.of };
  return flag.as === "dir" ? { is: "directory" } : { is: "anything" };
}

/** All spellings of an option. */
export const spellings = (name: string, { short }: Flag): string[] => [...(short ? [`-${short}`] : []), `--${name}`];

/** Commands that have a name. */
export const named = (shapes: ReadonlyMap<string, Shape>): [string, Shape][] =>
  [...shapes].filter(([name]) => name !== "launch");

/** A row for every option that takes something: where it stands, as `command:option|…`, and what it takes. */
export const valueRows = (
  shapes: ReadonlyMap<string, Shape>,
  row: (pattern: string, value: Value) => string,
): string[] =>
  [...shapes].flatMap(([command, { flags }]) =>
    Object.entries(flags).flatMap(([name, flag]) => {
      const value = taken(flag);
      const pattern = spellings(name, flag).map((word) => `${command}:${word}`);
      return value ? [row(pattern.join("|"), value)] : [];
    }),
  );

/** What may follow a command, and what may follow that; nothing where anything may. */
export const wordLists = (shapes: ReadonlyMap<string, Shape>) =>
  named(shapes).map(([command, { words, third }]) => ({
    command,
    third,
    first: Object.keys(words),
    second: Object.entries(words).filter(([, list]) => list.length > 0),
  }));
