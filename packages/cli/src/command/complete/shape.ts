import type { FlagTable } from "../../argv/parse.ts";
import type { Subcommands, ThirdWords, WordTable } from "../subcommand.ts";

/** Everything that may be typed behind a subcommand. */
export interface Shape {
  usage: string;
  about: string;
  options: FlagTable;
  /** The first words, each with the second ones; empty where anything may stand. */
  words: WordTable;
  third: readonly ThirdWords[];
}

/** The shape of every subcommand by its name; `launch` is the one without a name. */
export async function shapesOf(all: Subcommands): Promise<ReadonlyMap<string, Shape>> {
  const read = Object.entries(all).map(async ([name, load]) => {
    const { usage, about, options, words = [], third } = await load();
    const table = typeof words === "function" ? await words() : Object.fromEntries(words.map((word) => [word, []]));
    return [name, { usage, about, options, words: table, third: third?.() ?? [] }] as const;
  });
  return new Map(await Promise.all(read));
}
