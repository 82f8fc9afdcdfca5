import type { Flag } from "../../argv/parse.ts";
import type { Shape } from "./shape.ts";

/** Makes the completion script of a shell. */
export type Script = (shapes: ReadonlyMap<string, Shape>) => string;

/** The value of an option: one of some words, a directory, or anything, which a shell takes for a file. */
export type OptionValue = { is: "words"; words: readonly string[] } | { is: "directory" } | { is: "anything" };

export function optionValue(flag: Flag): OptionValue | undefined {
  if (flag.takes === "nothing") return undefined;
  if (flag.takes === "choice") return { is: "words", words: flag.of };
  return flag.as === "dir" ? { is: "directory" } : { is: "anything" };
}

/** All spellings of an option. */
export const spellings = (name: string, { short }: Flag): string[] => [...(short ? [`-${short}`] : []), `--${name}`];

/** All but `launch`, which has no name. */
export const named = (shapes: ReadonlyMap<string, Shape>): [string, Shape][] =>
  [...shapes].filter(([name]) => name !== "launch");

/** A row for every option with a value: `command:option|…`, and the value. */
export const valueRows = (
  shapes: ReadonlyMap<string, Shape>,
  row: (pattern: string, value: OptionValue) => string,
): string[] =>
  [...shapes].flatMap(([command, { options }]) =>
    Object.entries(options).flatMap(([name, flag]) => {
      const value = optionValue(flag);
      const pattern = spellings(name, flag).map((word) => `${command}:${word}`);
      return value ? [row(pattern.join("|"), value)] : [];
    }),
  );

/** The words that may follow each command, and those that may follow them. */
export const wordLists = (shapes: ReadonlyMap<string, Shape>) =>
  named(shapes).map(([command, { words, third }]) => ({
    command,
    third,
    first: Object.keys(words),
    second: Object.entries(words).filter(([, list]) => list.length > 0),
  }));
