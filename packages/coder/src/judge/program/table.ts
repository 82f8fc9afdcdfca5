import { posix } from "node:path";
import type { CommandEffect } from "../effect.ts";
import { effectNames, entries, type Rating, type TableEntry } from "./entries.ts";
import type { OptionForm } from "./option.ts";
import programText from "./programs.txt" with { type: "text" };

export type Operands = "files" | "one" | "pattern" | "text" | "hosts" | "write" | "none";

/** A program as the table tells it. */
export interface ProgramRow extends OptionForm {
  operands: Operands;
  /** Options whose value is the name of a file that is read or written, or something that is run. */
  reads: ReadonlySet<string>;
  writes: ReadonlySet<string>;
  runs: ReadonlySet<string>;
  /** Options by which it goes through all below its folders. */
  below: ReadonlySet<string>;
  effects: readonly CommandEffect[];
  ratings: readonly Rating[];
  /** The name of the code that judges its words, and words for that. */
  by: string | undefined;
  /** The number of operands before the program that it runs. */
  skip: number;
  /** Options by which a language is handed code, and by which it only looks at a file. */
  code: RegExp | undefined;
  look: RegExp | undefined;
  /** Subcommands behind which a program stands. */
  behind: ReadonlySet<string>;
  /** True for a program that usually only reads; in the read-only sandbox the kernel holds it to that. */
  isReader: boolean;
  plain: PlainProgram | undefined;
}

/** A program that may run without a question where no sandbox works, with every option that it may be given. */
export interface PlainProgram {
  operands: Operands;
  /** Letters of options, and those that BSD and BusyBox have with the same meaning. */
  letters: string;
  posix: string;
  /** Long options of GNU; those with a value end with `=`. */
  long: ReadonlySet<string>;
  digits: boolean;
  gnuOnly: boolean;
  /** The option that GNU's program is given before all others. */
  before: string | undefined;
}

const kinds = /^(?:files|one|pattern|text|hosts|write|none)$/;

const wordsOf = (words: readonly string[]) => ({
  value: (name: string) => words.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1),
  names: (sign: string) => words.flatMap((word) => (word.startsWith(sign) ? word.slice(sign.length).split(",") : [])),
  long: new Set(words.flatMap((word) => (word.startsWith("--") ? [word.slice(2)] : []))),
});

/** Reads the words of an entry. */
function rowOf({ words, plain, titles, ratings }: TableEntry): ProgramRow {
  const { value, names, long } = wordsOf(words);
  const set = (sign: string) => new Set(names(sign));
  const [reads, writes, runs, below, behind] = [set("<"), set(">"), set("$"), set("below="), set("behind=")];
  // A value that may be left out stands behind an equals sign only.
  const valued = [...long]
    .flatMap((name) => (name.endsWith("=") ? [name.slice(0, -1)] : []))
    .filter((name) => !long.has(name));
  const pattern = (text: string | undefined) => (text === undefined ? undefined : new RegExp(text));
  return {
    operands: (words.findLast((word) => kinds.test(word)) ?? "none") as Operands,
    takes: new Set([...valued, ...(value("with") ?? ""), ...names("takes="), ...reads, ...writes, ...runs]),
    attached: new Set(value("attached")),
    digits: words.includes("digits"),
    single: words.includes("single"),
    dashless: words.includes("dashless"),
    stops: words.includes("stops"),
    reads,
    writes,
    runs,
    below,
    behind,
    effects: names("+").flatMap((name) => effectNames[name] ?? []),
    ratings,
    by: value("by"),
    skip: Number(value("skip") ?? 0),
    code: pattern(value("code")),
    look: pattern(value("look")),
    isReader: titles.some((title) => title.endsWith("reader")),
    plain: plain && plainOf(plain),
  };
}

function plainOf(words: readonly string[]): PlainProgram {
  const { value, long } = wordsOf(words);
  const flags = words.find((word) => /^-[^-]/.test(word))?.slice(1) ?? "";
  const valued = value("with") ?? "";
  return {
    operands: (words.find((word) => kinds.test(word)) ?? "none") as Operands,
    letters: flags + valued,
    posix: (value("posix") ?? "") + valued,
    long,
    digits: words.includes("digits"),
    gnuOnly: words.includes("gnu"),
    before: value("before"),
  };
}

const entryOf = entries(programText);
const rows = new Map<string, ProgramRow>();

/** Finds what is known of a program by its name alone. */
export function programRow(name: string): ProgramRow | undefined {
  const entry = rows.has(name) ? undefined : entryOf(name);
  if (entry) rows.set(name, rowOf(entry));
  return rows.get(name);
}

/** Folders whose programs are the ones that are meant by their names. */
const standard = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/([^/]+)$/;

/** Finds what is known of a program; undefined for any other. */
export function programOf(
  word: string,
  where: "standard" | "anywhere" = "standard",
): { name: string; row: ProgramRow } | undefined {
  const placed = where === "anywhere" ? posix.basename(word) : standard.exec(word)?.[1];
  const name = word.includes("/") ? placed : word;
  // A file system may not tell `RM` from `rm`.
  for (const one of name === undefined ? [] : [name, name.toLowerCase().replace(/\.exe$/, "")]) {
    const row = programRow(one);
    if (row) return { name: one, row };
  }
  return undefined;
}

/** True for a program that usually only reads. */
export const isReader = (word: string): boolean => programRow(standard.exec(word)?.[1] ?? word)?.isReader === true;
