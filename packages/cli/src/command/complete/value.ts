import type { Flag, FlagTable } from "../../argv/parse.ts";

/** What a person may type behind a command. */
export interface Shape {
  usage: string;
  about: string;
  flags: FlagTable;
  /** What its first word may be; a list for each of them is what the second may be. */
  words: Readonly<Record<string, readonly string[]>>;
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

/** A word between single quotes, as bash and zsh read it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
