import { fail, nearest, ok, type Result } from "@pith/kit";
import { parseDuration } from "./duration.ts";

/** A row of a command's table of flags, which the parser and the help read. */
export type Flag = {
  about: string;
  short?: string;
  /** Left out of the first screen of help; a page tells of it. */
  rare?: true;
  /** Allows it without a value, which is then empty. */
  bare?: true;
} & (
  | { takes: "nothing" }
  | { takes: "text" | "texts" | "duration" | "count" | "amount"; as: string }
  | { takes: "choice"; as: string; of: readonly string[] }
);
export type FlagTable = Readonly<Record<string, Flag>>;

export type Flags<T extends FlagTable> = { [K in keyof T]?: Taken<T[K]> };
type Taken<F> = F extends { takes: "choice"; of: readonly (infer V)[] }
  ? V
  : F extends { takes: "nothing" }
    ? true
    : F extends { takes: "texts" }
      ? string[]
      : F extends { takes: "text" }
        ? string
        : number;

export interface Arguments<T extends FlagTable> {
  flags: Flags<T>;
  words: string[];
  /** Words behind `--`, taken as they are. */
  plain: string[];
}

export function parseArguments<T extends FlagTable>(table: T, argv: readonly string[]): Result<Arguments<T>, "usage"> {
  const flags: Record<string, unknown> = {};
  const words: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") break;
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const cluster = clusterOf(table, word);
    if (cluster) {
      rest.unshift(...cluster);
      continue;
    }
    const read = readFlag(table, word, rest);
    if (!read.ok) return read;
    const { name, value } = read.value;
    flags[name] = table[name]?.takes === "texts" ? [...((flags[name] as string[]) ?? []), value] : value;
  }
  return ok({ flags: flags as Flags<T>, words, plain: rest });
}

/** Splits `-pc` into `-p -c`, where both are options. */
function clusterOf(table: FlagTable, word: string): string[] | undefined {
  const letters = /^-(\w{2,})$/.exec(word)?.[1];
  if (!letters) return undefined;
  const known = new Set(Object.values(table).map(({ short }) => short));
  return [...letters].every((letter) => known.has(letter)) ? [...letters].map((letter) => `-${letter}`) : undefined;
}

function readFlag(table: FlagTable, word: string, rest: string[]): Result<{ name: string; value: unknown }, "usage"> {
  const cut = word.startsWith("--") ? word.indexOf("=") : -1;
  const spelled = cut === -1 ? word : word.slice(0, cut);
  const long = spelled.slice(2);
  const name =
    spelled.startsWith("--") && Object.hasOwn(table, long)
      ? long
      : Object.keys(table).find((key) => spelled === `-${table[key]?.short}`);
  const flag = name === undefined ? undefined : table[name];
  if (name === undefined || !flag) return fail("usage", unknown(table, spelled));
  if (flag.takes === "nothing")
    return cut === -1 ? ok({ name, value: true }) : fail("usage", `${spelled} takes no value`);
  if (flag.bare && cut === -1 && (rest[0] === undefined || rest[0].startsWith("-"))) return ok({ name, value: "" });
  const text = cut === -1 ? rest.shift() : word.slice(cut + 1);
  if (text === undefined || text.trim() === "")
    return fail("usage", `${spelled} needs a value: ${spelled} <${flag.as}>`);
  const value = readValue(flag, text);
  return value === undefined
    ? fail("usage", `${spelled} expects ${expectation(flag)}, not "${text}"`)
    : ok({ name, value });
}

function readValue(flag: Flag, text: string): unknown {
  switch (flag.takes) {
    case "duration":
      return parseDuration(text);
    case "count":
      return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
    case "amount":
      return /^\d{1,9}(?:\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
    case "choice":
      return flag.of.includes(text) ? text : undefined;
    default:
      return text;
  }
}

function expectation(flag: Flag): string {
  if (flag.takes === "choice") return `one of ${flag.of.join(", ")}`;
  if (flag.takes === "amount") return "an amount such as 0.5";
  return flag.takes === "duration" ? "a time such as 30, 10m or 1h" : "a whole number from 1";
}

function unknown(table: FlagTable, spelled: string): string {
  const meant = nearest(
    spelled,
    Object.keys(table).map((name) => `--${name}`),
  );
  const hint = /\s/.test(spelled)
    ? "to begin a prompt with a dash, put -- before it"
    : "pith help options shows them all";
  return `unknown option ${spelled}${meant ? `; did you mean ${meant}?` : `; ${hint}`}`;
}
