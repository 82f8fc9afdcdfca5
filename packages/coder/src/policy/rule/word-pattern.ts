import { posix } from "node:path";
import { gitEntry } from "../../judge/program/git-table.ts";
import { type OptionForm, parseArgs } from "../../judge/program/option.ts";
import { programOf } from "../../judge/program/table.ts";
import { exact } from "../../judge/word.ts";
import { escapeRegex } from "./glob.ts";

/** Tells if something fits a rule; words known only at run time may. */
export type Fit = "yes" | "maybe" | "no";

/** The words that a rule wants: a `*` at the end is any number of them, elsewhere it stands for a word or a part of one. */
export interface WordPattern {
  words: readonly RegExp[];
  more: boolean;
  program: string;
}

export function wordPattern(text: string): WordPattern {
  const words = split(text);
  const more = words.length > 1 && words.at(-1)?.source === "^[\\s\\S]*$";
  return { words: more ? words.slice(0, -1) : words, more, program: /^\S+/.exec(text.trim())?.[0] ?? "" };
}

/** Words as a shell would read them, but that a `*` without quotes is a pattern. */
function split(text: string): RegExp[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [sign, double, single, escaped] of text.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\([\s\S])|\s+|[\s\S]/g)) {
    const quoted = double?.replace(/\\(.)/g, "$1") ?? single ?? escaped;
    if (quoted !== undefined) word = (word ?? "") + escapeRegex(quoted);
    else if (/^\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + (sign === "*" ? "[\\s\\S]*" : escapeRegex(sign));
  }
  if (word !== undefined) words.push(word);
  return words.map((one) => new RegExp(`^${one}$`));
}

/** Words so that `wordPattern` reads them as they are. */
export const wordsText = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");

type Words = readonly (string | undefined)[];

/** True when a rule lets exactly these words run: as they are, the program by its name or its usual path. */
export function allowsWords(pattern: WordPattern, [program, ...args]: Words): boolean {
  if (program === undefined) return false;
  const name = program.startsWith("/") ? (programOf(program)?.name ?? program) : program;
  return fit(pattern, [name, ...args]) === "yes" || fit(pattern, [program, ...args]) === "yes";
}

/**
 * Tells if words may be those that a rule asks about or forbids: by whatever path, with options before the word that
 * counts.
 */
export function meetsWords(pattern: WordPattern, [program, ...args]: Words): Fit {
  // What it is, is known when it runs.
  if (program === undefined) return "maybe";
  const base = posix.basename(program);
  if (/^git-./.test(base)) return meetsWords(pattern, [base.slice(0, 3), base.slice(4), ...args]);
  const known = programOf(program);
  const names = [program, base, known?.name ?? program];
  const forms: Words[] = [args];
  if (known?.name === "git") forms.push(withoutOptions(args, known.row));
  const fits = names.flatMap((name) => forms.map((form) => fit(pattern, [name, ...form])));
  if (fits.includes("yes")) return "yes";
  if (fits.includes("maybe")) return "maybe";
  const optioned = args[0]?.startsWith("-") && forms.length === 1;
  if (names.some((name) => pattern.words[0]?.test(name)) && mayStand(pattern, known?.name, forms.at(-1) ?? []))
    return "maybe";
  return optioned && names.some((name) => inOrder(pattern, [name, ...args])) ? "maybe" : "no";
}

function fit({ words, more }: WordPattern, given: Words): Fit {
  let sure: Fit = "yes";
  for (const [at, word] of words.entries()) {
    const is = given[at];
    if (is === undefined) {
      // Nothing stands there, or what is not known and may be several.
      if (at >= given.length && !given.includes(undefined)) return "no";
      sure = "maybe";
    } else if (!word.test(is)) return given.slice(0, at).includes(undefined) ? "maybe" : "no";
  }
  if (more || given.length === words.length) return sure;
  return given.includes(undefined) ? "maybe" : "no";
}

/** Programs whose subcommands have shorter forms. */
const shortened = new Set(["npm", "pnpm", "bun", "cargo"]);

/** True where a subcommand may stand for the one that a rule names: it is short for it, or an alias of git's. */
function mayStand({ words }: WordPattern, program: string | undefined, args: Words): boolean {
  const given = args.find((word) => word === undefined || !word.startsWith("-"));
  if (given === undefined || given === "" || words.length < 2) return false;
  if (program === "git") return gitEntry(given) === undefined;
  return shortened.has(program ?? "") && words[1]?.source.startsWith(`^${escapeRegex(given)}`) === true;
}

function inOrder({ words }: WordPattern, given: Words): boolean {
  let at = 0;
  for (const word of given) if (at < words.length && (word === undefined || words[at]?.test(word))) at++;
  return at === words.length;
}

function withoutOptions(args: Words, form: OptionForm): Words {
  const read = parseArgs(
    args.map((arg) => (arg === undefined ? { text: undefined, shape: "\0" } : exact(arg))),
    form,
  );
  return read.operands.map(({ text }) => text);
}
