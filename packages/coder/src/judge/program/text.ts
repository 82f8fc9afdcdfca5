import type { CommandEffects } from "../command-effects.ts";
import { type Arg, mayBeOption } from "../value/argument.ts";
import { parseArgs } from "./option.ts";
import { type Program, type ProgramTable, specProgram } from "./plain.ts";

const form = { takes: "e f l expression file line-length", knows: "in-place quiet silent" };

const sed: Program = (args, does) => {
  // What stands right behind -i is how the old file is called.
  const inPlace = args.some(({ shape }) => /^-[nErsuz]*i|^--in-?p?/.test(shape));
  const words = args.map((arg) =>
    /^-[nErsuz]*i[^a-zA-Z]?./.test(arg.text ?? "") && isSuffix(arg) ? { text: "-n", shape: "-n" } : arg,
  );
  const { options, operands, unsure } = parseArgs(words, form);
  const scripts = options.filter(({ name }) => name === "e" || name === "expression").map(({ value }) => value);
  const file = options.find(({ name }) => name === "f" || name === "file")?.value;
  if (file) {
    does.read(file);
    does.opaque("sed runs a script of a file");
  }
  // BSD's -i takes the next word, which may be empty.
  const rest = operands[0]?.text === "" ? operands.slice(1) : operands;
  const stated = scripts.length > 0 || file !== undefined;
  const first = stated ? undefined : rest[0];
  const files = stated ? rest : rest.slice(1);
  for (const script of [...scripts, first]) if (script) sedScript(script, does);
  for (const each of files) {
    does.read(each);
    if (inPlace || options.some(({ name }) => name === "in-place" || name === "i")) does.write(each);
  }
  if (unsure && files.some(mayBeOption)) does.opaque("a word of sed is known when it runs and may be a script");
};

const isSuffix = ({ text = "" }: Arg): boolean => /^-[nErsuz]*i(?:[._~-]|bak|orig)/.test(text);

const longest = 2000;
const address = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:\\.|[^/\\\n])*\/I?)`;
const ranged = String.raw`\s*(?:${address}(?:\s*,\s*[+~]?${address})?)?\s*!?\s*`;
const substitution = String.raw`s([\/|#,:@!%])(?:\\[\s\S]|(?!\1)[^\\])*\1(?:\\[\s\S]|(?!\1)[^\\])*\1[gpiIm0-9]*`;
const translation = String.raw`y\/(?:\\.|[^/\\])*\/(?:\\.|[^/\\])*\/`;
const others = String.raw`[pPdDnNgGhHxlzF=]|q\s*\d*|[aic](?:\\\n)?[^\n]*|[btT]\s*\w*|:\s*\w+|[{}]`;
const command = `(?:${substitution}|${translation}|${others})`;

/** Only what is known line by line to change text is no more than that: `w` writes, `e` runs, and both hide well. */
function sedScript({ text }: Arg, does: CommandEffects): undefined {
  if (text === undefined) return does.opaque("the script of sed is known when it runs");
  if (!plainSed(text)) does.opaque("the script of sed may write files or run programs");
}

function plainSed(text: string): boolean {
  // Nobody writes longer ones by hand, and looking at them takes long.
  if (text.length > longest) return false;
  let rest = text;
  for (let turns = 0; rest.trim() !== ""; turns++) {
    const match = one.exec(rest);
    if (!match || match[0] === "" || turns > 500) return false;
    rest = rest.slice(match[0].length);
  }
  return true;
}

const one = new RegExp(`^${ranged}${command}\\s*(?:[;\\n]\\s*|(?=\\})|$)|^\\s*[{};]\\s*|^${ranged}\\{\\s*`);

/** A program of awk that neither writes, runs nor reads elsewhere. */
function plainAwk(text: string): boolean {
  if (/\b(?:system|getline|ARGV)\b|@/.test(text)) return false;
  const signs = awkSigns(text);
  if (signs === undefined || /(?<!\|)\|(?!\|)/.test(signs)) return false;
  // A sign between brackets, or outside of all braces, compares.
  let [braces, brackets] = [0, 0];
  for (const sign of signs) {
    if (sign === "(") brackets++;
    else if (sign === ")") brackets--;
    else if (sign === ">" && braces > 0 && brackets <= 0) return false;
    else if (/[{};]/.test(sign)) {
      if (sign !== ";") braces += sign === "{" ? 1 : -1;
      // What was left open was no bracket.
      brackets = 0;
    }
  }
  return true;
}

/** The text without strings, patterns and comments; undefined where one has no end. */
function awkSigns(text: string): string | undefined {
  const token = /\s+|"(?:\\[\s\S]|[^"\\\n])*"|#[^\n]*|\/(?:\\.|\[\^?\]?[^\]\n]*\]|[^/\\\n[])+\/|[\w.$]+|[\s\S]/y;
  let signs = "";
  let last = "(";
  for (let match = token.exec(text); match; match = token.exec(text)) {
    let [found] = match;
    // A slash behind a value divides, or begins a pattern all the same: where another follows, nobody knows.
    const slashed = found.length > 1 && found[0] === "/";
    if (slashed && /[\w.$)\]"+-]/.test(last) && /[>|]/.test(text)) return undefined;
    if (slashed && /[\w.$)\]"]/.test(last)) {
      token.lastIndex -= found.length - 1;
      found = "/";
    }
    if (found === '"') return undefined;
    if (/^\s|^#/.test(found)) {
      if (found.includes("\n")) signs += ";";
      continue;
    }
    last = /^(?:print|printf|return|in|case|else|do)$/.test(found) ? ";" : (found.at(-1) ?? "");
    if (found[0] !== '"' && (found.length === 1 || found[0] !== "/")) signs += found;
  }
  return signs;
}

const awk: Program = specProgram({
  operands: "none",
  takes: "F v field-separator assign",
  reads: "f file E exec",
  hides: "f file E exec i include l load e source p profile d dump-variables o pretty-print D debug W",
  knows: "inplace",
  also(_, does, { options, operands }) {
    const stated = options.some(({ name }) => name === "f" || name === "file");
    const [program] = stated ? [] : operands;
    if (program && (program.text === undefined || !plainAwk(program.text)))
      does.opaque("the program of awk may write files or run programs");
    for (const file of stated ? operands : operands.slice(1)) if (!/^\w+=/.test(file.shape)) does.read(file);
  },
});

export const rewriting: ProgramTable = { sed, gsed: sed, awk, gawk: awk, mawk: awk, nawk: awk };
