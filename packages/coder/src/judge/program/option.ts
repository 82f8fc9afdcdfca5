import { type Arg, exact, matched, unknown } from "../word.ts";

export interface Option {
  /** A letter, or a long name without its dashes. */
  name: string;
  /** With its dashes, and not made longer. */
  written: string;
  value: Arg | undefined;
}

/** The name of an option that is a number. */
export const digits = "digits";

export interface ParsedArgs {
  options: readonly Option[];
  operands: readonly Arg[];
  /** True where a word that is not known may turn out to be an option. */
  unsure: boolean;
  /** The value of the last of some options. */
  value(...names: readonly string[]): Arg | undefined;
  values(names: ReadonlySet<string>): readonly Arg[];
  has(...names: readonly string[]): boolean;
}

export interface OptionForm {
  /** The options that take a value: letters, and long names. */
  takes: ReadonlySet<string>;
  /** Letters whose value is attached or not given. */
  attached?: ReadonlySet<string>;
  /** True where long options have one dash. */
  single?: boolean;
  /** True where a number is an option: `head -20`. */
  digits?: boolean;
  /** True where the first word is letters of options without a dash. */
  dashless?: boolean;
  /** True where options end at the first word that is none. */
  stops?: boolean;
}

/** Reads words as most programs do: `-ab value`, `--name=value`, `--na value`, `--`. */
export function parseArgs(given: readonly Arg[], form: OptionForm): ParsedArgs {
  const args = form.dashless ? dashed(given) : given;
  const options: Option[] = [];
  const operands: Arg[] = [];
  let unsure = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg;
    const { shape, text } = arg;
    if (arg.many || (text === undefined && [unknown, matched].some((sign) => shape.startsWith(sign)))) unsure = true;
    const isOperand = !shape.startsWith("-") || shape === "-";
    if (text === "--" || (isOperand && form.stops && !unsure)) {
      operands.push(...args.slice(text === "--" ? at + 1 : at));
      break;
    }
    if (isOperand) operands.push(arg);
    else if (optionsIn(arg, args[at + 1], form, options) === "took the next") at++;
  }
  return {
    options,
    operands,
    unsure,
    value: (...names) => options.findLast(({ name }) => names.includes(name))?.value,
    values: (names) => options.flatMap(({ name, value }) => (value && names.has(name) ? [value] : [])),
    has: (...names) => options.some(({ name }) => names.some((full) => name === full || isShort(name, full))),
  };
}

function dashed([first, ...rest]: readonly Arg[]): readonly Arg[] {
  const isBare = /^[a-zA-Z]+$/.test(first?.text ?? "");
  return first ? [isBare ? exact(`-${first.text}`) : first, ...rest] : [];
}

/** Reads the options in one word, the last of which may take the next word. */
function optionsIn(
  arg: Arg,
  next: Arg | undefined,
  form: OptionForm,
  options: Option[],
): "took the next" | "took nothing" {
  options.push(...(form.single || arg.shape.startsWith("--") ? longOption(arg, form) : letters(arg, form)));
  const last = options.at(-1);
  if (!last || last.value || !form.takes.has(last.name)) return "took nothing";
  last.value = next;
  return "took the next";
}

/** True for a long name that is written short. */
const isShort = (name: string, full: string): boolean => name.length > 1 && full.startsWith(name);

function longOption(arg: Arg, { takes }: OptionForm): Option[] {
  const { shape } = arg;
  const equals = shape.indexOf("=");
  const written = shape.slice(shape.startsWith("--") ? 2 : 1, equals === -1 ? undefined : equals);
  const name = takes.has(written) ? written : ([...takes].find((full) => isShort(written, full)) ?? written);
  return [{ name, written: `--${written}`, value: equals === -1 ? undefined : part(arg, equals + 1) }];
}

function letters(arg: Arg, { takes, attached, digits: numbers }: OptionForm): Option[] {
  const { shape } = arg;
  if (numbers && /^-\d+$/.test(shape)) return [{ name: digits, written: shape, value: undefined }];
  const found: Option[] = [];
  for (let index = 1; index < shape.length; index++) {
    const name = shape[index] as string;
    const rest = index + 1 < shape.length ? part(arg, index + 1) : undefined;
    const ends = takes.has(name) || attached?.has(name) === true;
    found.push({ name, written: `-${name}`, value: ends ? rest : undefined });
    if (ends) break;
  }
  return found;
}

/** The part of a word behind a place in it. */
const part = ({ text, shape }: Arg, from: number): Arg =>
  text === undefined ? { text: undefined, shape: shape.slice(from) } : exact(text.slice(from));
