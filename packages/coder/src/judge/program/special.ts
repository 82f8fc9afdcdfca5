import { each, type Program, type ProgramTable, specProgram } from "./plain.ts";

/** `uniq in out`: the second file is written. */
const uniq = specProgram({
  operands: "none",
  takes: "f s w skip-fields skip-chars check-chars",
  // A word that may be an option may also be the file that is written.
  hides: "-",
  also(_, does, { operands }) {
    for (const [index, file] of operands.entries()) {
      if (index === 0) does.read(file);
      else does.write(file);
    }
  },
});

const takesNext = /^--?(?:c|cols.*|g|group.*|l|len.*|s|skip.*|seek.*|o|off.*|n|name.*|R)$/;

/** `xxd -ps in out`: letters are not bundled, and options end at the first file. */
const xxd: Program = (args, does) => {
  let at = 0;
  for (; at < args.length && args[at]?.shape.startsWith("-") && args[at]?.text !== "-"; at++) {
    if (args[at]?.text === "--") {
      at++;
      break;
    }
    if (takesNext.test(args[at]?.shape ?? "")) at++;
  }
  const [file, ...written] = args.slice(at);
  if (args.some(({ many, text, shape }) => many || (text === undefined && shape.startsWith("-"))))
    does.opaque("a word of xxd is known when it runs and may be the file that is written");
  if (file?.text === undefined && file?.shape.startsWith("\x01")) does.opaque("a pattern may be two files for xxd");
  if (file) does.read(file);
  for (const path of written) does.write(path);
};

/** `tree -Lo 2 out`: each letter takes the next word that is left. */
const tree = specProgram({
  takes: "L I P H T charset filelimit sort",
  searches: "below",
  writes: "o",
  hides: "R",
  also(args, does) {
    if (args.some(({ shape }) => /^-[a-zA-Z]*[oR]/.test(shape))) does.opaque("tree -o and -R write files");
    if (args.some(({ shape }) => /^-[a-zA-Z]*l/.test(shape))) does.effect("read outside");
  },
});

/** `ps axe` shows what other programs were given, keys too. */
const ps: Program = specProgram({
  operands: "none",
  takes: "o O p C u U g G t s q k N format pid user sort",
  also(_, does, { operands, options }) {
    const all = operands.some(({ text }) => text === undefined || /^[a-zA-Z]*e[a-zA-Z]*$/.test(text));
    if (!all && !options.some(({ name }) => name === "E")) return;
    does.guard ??= "the variables of other programs may hold keys";
    does.level("high", does.guard);
  },
});

/** A filter may take in modules and data from any folder that it names. */
const jq = specProgram({
  operands: "pattern",
  patterns: "f from-file",
  reads: "f from-file L library-path",
  // They take two words; the second is no path or a file that is read.
  knows: "arg argjson slurpfile rawfile args jsonargs",
  also(args, does, { options }) {
    const filed = options.some(({ name }) => /^(?:f|from-file|L|library-path)$/.test(name));
    if (filed || args.some(({ text }) => text === undefined || /\b(?:import|include)\b/.test(text)))
      does.effect("read outside");
  },
});

const date = specProgram({
  operands: "none",
  reads: "f file r reference",
  takes: "d date",
  levels: { s: ["high", "date -s sets the clock"], set: ["high", "date --set sets the clock"] },
  also(_, does, { operands }) {
    if (operands.some(({ shape }) => !shape.startsWith("+"))) does.level("high", "date sets the clock");
  },
});

const hostname = specProgram({
  operands: "none",
  levels: { F: ["high", "it renames the machine"], b: ["high", "it renames the machine"] },
  knows: "file boot",
  also(_, does, { operands, options }) {
    if (operands.length > 0 || options.some(({ name }) => name === "file" || name === "boot"))
      does.level("high", "it renames the machine");
  },
});

/** Names of machines are asked of a server. */
const getent = specProgram({
  operands: "none",
  also(_, does, { operands }) {
    if (!/^(?:passwd|group|services|protocols|shells|aliases)$/.test(operands[0]?.text ?? "")) does.effect("net");
  },
});

const clears = ["high", "it changes the log of the system"] as const;
const dmesg = specProgram({
  operands: "none",
  reads: "F file K kmsg-file",
  hides: "H human",
  levels: Object.fromEntries(
    "C c D E n clear read-clear console-off console-on console-level".split(" ").map((name) => [name, clears]),
  ),
});

/** `nm @file`: the file holds more options. */
const binary = specProgram({
  hides: "plugin",
  also(args, does) {
    if (args.some(({ shape, text }) => text === undefined || shape.startsWith("@")))
      does.opaque("a file that holds options may have it load code or read elsewhere");
  },
});

/** Programs that only look, and read their words in ways of their own. */
export const specialReaders: ProgramTable = {
  uniq,
  xxd,
  tree,
  ps,
  jq,
  date,
  hostname,
  getent,
  dmesg,
  ...each("nm objdump size strings readelf c++filt addr2line", binary),
};
