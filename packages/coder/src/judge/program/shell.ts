import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact } from "../value/argument.ts";
import { hidesCommand, setVariable } from "../value/variable.ts";
import { piped, ranFile } from "./code.ts";
import { parseArgs } from "./option.ts";
import { each, type Program, type ProgramTable, specProgram } from "./plain.ts";

/** `bash -c text`, `sh file`, `sh` with something on its input. */
const shell: Program = (args, does, name) => {
  const { flags, rest } = flagsOf(args);
  const says = (pattern: RegExp) => flags.some((flag) => pattern.test(flag));
  if (says(/^--(?:version|help)$/)) return;
  if (says(/^--(?:rcfile|init-file)/)) return does.opaque(`${name} reads a file of commands`);
  // A shell that logs in or is talked to runs the files of its user.
  if (says(/^-[a-zA-Z]*[il]|^--login$/)) does.effect("exec");
  const [first] = rest;
  if (first?.many) return does.opaque(`what ${name} runs is known when it runs`);
  if (says(/^-[a-zA-Z]*c/)) {
    if (first?.text === undefined) piped(does, name);
    if (first) does.script(first, `what ${name} -c runs`);
  } else if (says(/^-[a-zA-Z]*n/) && first) does.read(first);
  else if (first && first.text !== "-" && !says(/^-[a-zA-Z]*s/)) ranFile(first, does, name);
  else fromInput(does, name);
};

/** The options of a shell: `-o` and `-O` take a word each. */
function flagsOf(args: readonly Arg[]): { flags: readonly string[]; rest: readonly Arg[] } {
  const flags: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at] as Arg;
    if (text === undefined || !/^[-+]./.test(text)) return { flags, rest: args.slice(at) };
    if (text === "--") return { flags, rest: args.slice(at + 1) };
    flags.push(text);
    if (/^[-+][a-zA-Z]*[oO]$|^--(?:rcfile|init-file)$/.test(text)) at++;
  }
  return { flags, rest: [] };
}

function fromInput(does: CommandEffects, name: string): undefined {
  const { input } = does.scene;
  if (input?.kind === "text") return does.scene.script(input.text);
  if (input?.kind === "pipe" && input.text !== undefined) does.scene.script(input.text);
  does.opaque(`${name} runs the code on its input`);
  piped(does, name);
}

const source: Program = ([file], does) => {
  if (!file) return;
  does.read(file);
  does.effect("exec");
  does.opaque("a file of commands is read into the shell");
  if (file.text === undefined || does.paths(file).some(({ kind }) => kind === "stream")) piped(does, "source");
};

const evaluate: Program = (args, does) => {
  const texts = args.map(({ text }) => text);
  if (texts.includes(undefined)) {
    piped(does, "eval");
    return does.opaque("what eval runs is known when it runs");
  }
  does.scene.script(texts.join(" "));
};

/** `trap 'text' EXIT`: the text runs later. */
const trap: Program = (args, does) => {
  const words = args[0]?.text === "--" ? args.slice(1) : args;
  const [first] = words;
  if (!first || /^-[lp]/.test(first.shape) || first.text === "-" || (words.length < 2 && first.text !== undefined))
    return;
  does.script(first, "what trap runs");
};

/** `export A=b`, `declare -x A=b`. */
const declare: Program = (args, does) => {
  for (const arg of args) {
    if (arg.text === undefined && !/^[A-Za-z_]\w*\+?=/.test(arg.shape) && !arg.shape.startsWith("-"))
      does.opaque("the name of a variable is known when it runs");
    named(arg, does);
  }
};

/** A word that sets a variable, or names one. */
function named(arg: Arg, does: CommandEffects): undefined {
  if (hidesCommand(arg.shape)) does.opaque("the name of a variable holds a command");
  const [, name, sign, value = ""] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?=)?([\s\S]*)$/.exec(arg.shape) ?? [];
  if (name === undefined || (sign === undefined && value !== "")) return;
  if (sign !== undefined)
    setVariable(name, arg.text === undefined ? { text: undefined, shape: value } : exact(value), does);
}

/** `read name`, `printf -v name`: what the variable will hold is not known. */
const sets: Program = (args, does) => {
  const { options, operands } = parseArgs(args, { takes: "d n N p t u i a v O C c" });
  const names = [...operands, ...options.filter(({ name }) => name === "a" || name === "v").map(({ value }) => value)];
  for (const name of names) {
    if (!name) continue;
    if (hidesCommand(name.shape)) does.opaque("the name of a variable holds a command");
    if (name.text !== undefined) setVariable(name.text, undefined, does);
    else does.opaque("the name of a variable is known when it runs");
  }
  const callback = options.find(({ name }) => name === "C")?.value;
  if (callback) does.script(callback, "what mapfile runs");
};

const printf: Program = (args, does, name) => {
  if (args[0]?.shape.startsWith("-v") || args[0]?.many) sets(args.slice(0, 2), does, name);
};

const tests: Program = (args, does) => {
  if (args.some(({ shape }) => hidesCommand(shape))) does.opaque("a condition holds a command");
};

const alias: Program = (args, does) => {
  if (args.every(({ text }) => text !== undefined && (text === "-p" || !text.includes("=")))) return;
  does.effect("exec");
  for (const { text } of args) {
    if (text === undefined) does.opaque("an alias is known when it runs");
    else if (text.includes("=")) {
      const [name, value] = [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
      does.scene.script(value);
      does.scene.alias(name, value);
    }
  }
};

const command: Program = (args, does) => {
  const at = args.findIndex(({ shape }) => !shape.startsWith("-"));
  if (args.slice(0, Math.max(at, 0)).some(({ shape }) => /^-p?[vV]/.test(shape))) return;
  if (at !== -1) does.run(args.slice(at), does.scene.input);
};

const exec: Program = (args, does) => {
  const { operands } = parseArgs(args, { takes: "a", stops: "at operand" });
  does.run(operands, does.scene.input);
};

/** What a shell itself does. */
export const shelling: ProgramTable = {
  ...each("sh bash dash zsh ksh mksh ash fish rbash", shell),
  ...each("source .", source),
  eval: evaluate,
  trap,
  ...each("export declare typeset readonly local", declare),
  ...each("read mapfile readarray getopts", sets),
  printf,
  ...each("test [ wait", tests),
  let: (args, does) => {
    if (args.some(({ text, shape }) => text === undefined || hidesCommand(shape)))
      does.opaque("a sum may run a command");
  },
  alias,
  command,
  ...each("builtin", command),
  exec,
  ...each(
    "cd pushd popd set shift break continue return exit logout fg bg disown suspend umask ulimit unalias caller",
    specProgram({ operands: "none" }),
  ),
  unset: (args, does) => {
    for (const { text, shape } of args) {
      if (hidesCommand(shape)) does.opaque("the name of a variable holds a command");
      if (text === "PATH" || text === "HOME") does.opaque(`without ${text} other programs are found`);
    }
  },
  shopt: specProgram({ operands: "none" }),
  jobs: (args, does) => {
    const at = args.findIndex(({ text }) => text === "-x");
    if (at !== -1) does.run(args.slice(at + 1));
  },
  help: specProgram({ operands: "none" }),
  hash: specProgram({ operands: "none", takes: "p", hides: "p" }),
  enable: specProgram({ operands: "none", takes: "f", hides: "f n" }),
  bind: specProgram({ operands: "none", hides: "x f" }),
  ...each("complete compgen compopt", specProgram({ operands: "none", takes: "F C W", hides: "F C W" })),
  history: specProgram({ operands: "none", levels: { c: ["high", "it forgets the history"] }, writes: "w a" }),
  fc: specProgram({ does: ["opaque"] }),
};
