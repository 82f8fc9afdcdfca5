import type { CommandEffects } from "../command-effects.ts";
import { isBelow } from "../path-kind.ts";
import type { Arg } from "../value/argument.ts";
import { each, type Program, type ProgramTable } from "./plain.ts";

interface Language {
  /** Options behind which code stands. */
  code: RegExp;
  /** Options that take a word of their own. */
  takes?: RegExp;
  /** Options that only tell something. */
  tells?: RegExp;
  /** Options that only look at a file. */
  looks?: RegExp;
}

const tells = /^(?:-v|-V|--version|--help|-h)$/;

/** A language: code that stands in the words or on the input cannot be looked into; a file is a program. */
const language =
  ({ code, takes = /^$/, tells: own = tells, looks }: Language): Program =>
  (args, does, name) => {
    if (args.length === 1 && own.test(args[0]?.text ?? "")) return;
    if (args.some(({ shape }) => code.test(shape))) {
      piped(does, name);
      return does.opaque(`${name} is handed code`);
    }
    const file = script(args, takes);
    if (looks && args.some(({ text }) => looks.test(text ?? ""))) {
      if (file) does.read(file);
      return;
    }
    does.effect("exec");
    if (!file || file.text === "-") return fromInput(name, does);
    ranFile(file, does, name);
  };

/** The first word that is no option, nor what one takes. */
function script(args: readonly Arg[], takes: RegExp): Arg | undefined {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg;
    if (arg.text !== undefined && takes.test(arg.text)) at++;
    else if (arg.text === "-" || !arg.shape.startsWith("-")) return arg;
  }
  return undefined;
}

function fromInput(name: string, does: CommandEffects): undefined {
  does.opaque(`${name} runs the code on its input`);
  piped(does, name);
}

/** Code that comes from elsewhere or was hidden on purpose. */
export function piped(does: CommandEffects, name: string): undefined {
  const { input, feeders } = does.scene;
  const programs = [...feeders, ...(input?.kind === "pipe" ? input.programs : [])];
  if (programs.some((program) => fetches.has(program))) does.level("high", `${name} runs what comes from the network`);
  else if (programs.some((program) => hides.has(program))) does.level("high", `${name} runs code that was hidden`);
}

const fetches = new Set("curl wget fetch aria2c nc ncat netcat socat ssh scp lynx w3m http https xh".split(" "));
const hides = new Set("base64 base32 xxd openssl gpg rev tr gunzip zcat uudecode od perl python python3".split(" "));

/** A file that is run as a program; one that the same command wrote holds what nobody looked into. */
export function ranFile(file: Arg, does: CommandEffects, name: string): undefined {
  does.effect("exec");
  if (file.text === undefined) return does.opaque(`what ${name} runs is known when it runs`);
  for (const { path, kind } of does.paths(file)) {
    if (kind === "stream" || kind === "network") does.opaque(`${name} runs the code on its input`);
    if (kind === "stream") piped(does, name);
    const { written, fetched } = does.scene;
    const below = (folder: string) => fetched && folder !== does.scene.state.cwd && isBelow(folder, path);
    if (!written.has(path) && ![...written].some(below)) continue;
    does.opaque(`${file.text} is written by the same command that runs it`);
    if (fetched) does.level("high", `${name} runs what comes from the network`);
  }
  if (/^(?:https?|ftp):/.test(file.text)) does.level("high", `${name} runs what comes from the network`);
}

const python = language({ code: /^-[a-zA-Z]*c/, takes: /^-[WXQ]$/, tells: /^(?:-V+|--version|--help|-h)$/ });

/** `python -m module`: some modules are programs of their own. */
const snake: Program = (args, does, name) => {
  const at = args.findIndex(({ text }) => /^-[bBdEiIOPqsSuvx]*m$/.test(text ?? ""));
  const first = args.findIndex(({ shape }) => !shape.startsWith("-"));
  if (at === -1 || (first !== -1 && first < at) || !args[at + 1]) return python(args, does, name);
  does.effect("exec");
  const [module, ...rest] = args.slice(at + 1);
  if (!module) return;
  if (module.text === "pip" || module.text === "pytest") does.run([module, ...rest]);
  if (/^(?:timeit|code|pdb|trace|doctest)$/.test(module.text ?? "")) does.opaque(`${name} is handed code`);
};

const node = language({
  code: /^(?:-[cipr]*[ep]|--eval(?:=|$)|--print(?:=|$)|-p)|(?:^|=)data:/,
  takes: /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--input-type)$/,
  looks: /^(?:-c|--check)$/,
});

const testsNode: Program = (args, does, name) => {
  if (args[0]?.text === "--test" && args.every(({ text }) => !/^(?:-e|-p|--eval)/.test(text ?? "")))
    return does.effect("exec");
  return node(args, does, name);
};

const all = /^/;

/** Languages, and programs that are handed their own. */
export const coding: ProgramTable = {
  ...each("python python2 python3 pypy pypy3", snake),
  ...each("node nodejs", testsNode),
  ...each("tsx ts-node", language({ code: /^(?:-e|-p|--eval|--print)/, takes: /^(?:-r|-P|--project)$/ })),
  ...each("perl ruby", language({ code: /^-[a-zA-Z0-9]*[eE]/, takes: /^-[IrC]$/, looks: /^-[wT]*c$/ })),
  php: language({ code: /^(?:-r|-B|-R|-E|--run)/, takes: /^-[dczS]$/, looks: /^(?:-l|--syntax-check)$/ }),
  ...each("lua luajit", language({ code: /^-e/, takes: /^-l$/ })),
  ...each("Rscript R julia", language({ code: /^(?:-e|-E|--eval)/ })),
  ...each(
    "osascript tclsh wish expect ghci scala jshell groovy elixir erl iex guile racket sbcl clojure ocaml swipl gnuplot octave",
    language({ code: /^(?:-e|-eval|-c|--eval|--expr)/ }),
  ),
  ...each("pwsh powershell cmd wsl wscript cscript", language({ code: all })),
  ...each("vi vim nvim ex ed emacs nano gdb lldb dc", language({ code: all })),
};
