import type { Risk } from "@pith/agent";
import type { CommandEffect } from "../effect.ts";

/** A severity with its reason, for the words that the pattern fits. */
export interface Rating {
  severity: Risk;
  why: string;
  words: RegExp;
  effects: readonly CommandEffect[];
  /** True where it is asked about in every mode. */
  guards: boolean;
}

/** The words that entries of one name hold, and the lines that rate it. */
export interface TableEntry {
  /** The words of the entries below the title `plain`. */
  plain: readonly string[] | undefined;
  /** The words of all entries. */
  words: readonly string[];
  /** The titles that they stand below. */
  titles: readonly string[];
  ratings: readonly Rating[];
}

interface Block {
  title: string;
  words: string;
  ratings: readonly string[];
}

const severities = "none|medium|high|critical|guard";
const rated = new RegExp(`^ +((?:\\w+ )*?)(${severities}) ([^:]*): (.*)$`);

/** Indexes the entries of a table by name; an entry is read when it is asked for. */
export function entries(text: string): (name: string) => TableEntry | undefined {
  const blocks = new Map<string, Block[]>();
  let title = "";
  for (const block of text.split(/\n(?=[^ \n])/)) {
    if (block.startsWith("=")) title = block.slice(1).trim();
    if (/^[=#\n]|^$/.test(block)) continue;
    const lines = block.trimEnd().split("\n");
    const isRated = (line: string) => rated.test(line);
    const whole = lines.filter((line) => !isRated(line)).join(" ");
    const { index = 0, 0: colon = "" } = /(?<=\S):(?: +|$)/.exec(whole) ?? {};
    const [names, words] = [whole.slice(0, index), whole.slice(index + colon.length)];
    for (const name of names.split(/ +/))
      blocks.set(name, [...(blocks.get(name) ?? []), { title, words, ratings: lines.filter(isRated) }]);
  }
  const known = new Map<string, TableEntry>();
  return (name) => {
    const all = blocks.get(name);
    const entry = known.get(name) ?? (all && entryOf(all));
    if (entry) known.set(name, entry);
    return entry;
  };
}

function entryOf(blocks: readonly Block[]): TableEntry {
  const words = (some: readonly Block[]) => some.flatMap((block) => block.words.split(/ +/).filter(Boolean));
  const plain = blocks.filter(({ title }) => title.startsWith("plain"));
  return {
    plain: plain.length > 0 ? words(plain) : undefined,
    words: words(blocks),
    titles: blocks.map(({ title }) => title),
    ratings: blocks.flatMap(({ ratings }) => ratings.map(ratingOf)),
  };
}

function ratingOf(line: string): Rating {
  const [, effects = "", severity = "none", why = "", words = ""] = rated.exec(line) ?? [];
  return {
    severity: severity === "guard" ? "high" : (severity as Risk),
    why,
    words: new RegExp(words),
    effects: effects.split(" ").flatMap((name) => effectNames[name] ?? []),
    guards: severity === "guard",
  };
}

/** Effects as the tables name them. */
export const effectNames: Readonly<Record<string, CommandEffect>> = {
  exec: "exec",
  net: "net",
  opaque: "opaque",
  write: "write inside",
  outside: "read outside",
};
