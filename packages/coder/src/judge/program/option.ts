import { type Arg, exact, matched, unknown } from "../word.ts";

export interface Option {
  /** A letter, or a long name without its dashes. */
  name: string;
  value: Arg | undefined;
}

export interface ParsedArgs {
  options: readonly Option[];
  operands: readonly Arg[];
  /** Whether a word that is not known may turn out to be an option. */
  unsure: boolean;
}

export interface OptionSpec {
  /** The options that take a value, with blanks between them. */
  takes?: string;
  /** Other options that mean something: a long one may be written short. */
  knows?: string;
  /** Whether options end at the first word that is none. */
  stops?: "at operand";
}

interface Names {
  takes: ReadonlySet<string>;
  long: readonly string[];
}

const cache = new WeakMap<OptionSpec, Names>();

function namesOf(form: OptionSpec): Names {
  const kept = cache.get(form);
  if (kept) return kept;
  const split = (text = "") => text.split(/\s+/).filter((name) => name !== "");
  const takes = split(form.takes);
  const names = {
    takes: new Set(takes),
    long: [...takes, ...split(form.knows)].filter((name) => name.length > 1),
  };
  cache.set(form, names);
  return names;
}

/** Reads words as most programs do: `-ab value`, `--name=value`, `--na value`, `--`. */
export function parseArgs(args: readonly Arg[], form: OptionSpec): ParsedArgs {
  const names = namesOf(form);
  const options: Option[] = [];
  const operands: Arg[] = [];
  let unsure = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg;
    const { shape, text } = arg;
    if (arg.many || (arg.text === undefined && [unknown, matched].some((sign) => shape.startsWith(sign))))
      unsure = true;
    const isOperand = !shape.startsWith("-") || shape === "-";
    if (text === "--" || (isOperand && form.stops && !unsure)) {
      operands.push(...args.slice(text === "--" ? at + 1 : at));
      break;
    }
    if (isOperand) operands.push(arg);
    else {
      const read = shape.startsWith("--") ? longOption : letters;
      if (read(arg, args[at + 1], names, options) === "took the next") at++;
    }
  }
  return { options, operands, unsure };
}

type Took = "took the next" | "took nothing";

function longOption(arg: Arg, next: Arg | undefined, { takes, long }: Names, options: Option[]): Took {
  const { shape } = arg;
  const equals = shape.indexOf("=");
  const written = shape.slice(2, equals === -1 ? undefined : equals);
  const name = long.includes(written) ? written : (long.find((one) => one.startsWith(written)) ?? written);
  const value = equals === -1 ? undefined : part(arg, equals + 1);
  const takesNext = value === undefined && takes.has(name);
  options.push({ name, value: takesNext ? next : value });
  return takesNext ? "took the next" : "took nothing";
}

function letters(arg: Arg, next: Arg | undefined, { takes }: Names, options: Option[]): Took {
  const { shape } = arg;
  for (let index = 1; index < shape.length; index++) {
    const name = shape[index] as string;
    // What follows may be the value of an option that takes one only there.
    const rest = index + 1 < shape.length ? part(arg, index + 1) : undefined;
    const last = takes.has(name);
    options.push({ name, value: rest ?? (last ? next : undefined) });
    if (last) return rest ? "took nothing" : "took the next";
  }
  return "took nothing";
}

/** What stands behind a place in a word. */
const part = ({ text, shape }: Arg, from: number): Arg =>
  text === undefined ? { text: undefined, shape: shape.slice(from) } : exact(text.slice(from));
