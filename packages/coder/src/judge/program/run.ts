import type { CommandEffects } from "../command-effects.ts";
import { isBelow } from "../path-kind.ts";
import { steers } from "../variable.ts";
import { type Arg, anything, exact, isUnknown, matched, unknown } from "../word.ts";
import { lost } from "./files.ts";
import { type OptionSpec, parseArgs } from "./option.ts";
import { each, isListed, type Program, type ProgramTable, program } from "./spec.ts";

/** Judges code that comes from elsewhere or was hidden on purpose. */
function piped(does: CommandEffects, name: string): undefined {
  const { input, feeders } = does.context;
  const programs = [...feeders, ...(input?.programs ?? [])];
  if (programs.some((one) => fetches.has(one))) does.level("high", `${name} runs what comes from the network`);
  else if (programs.some((one) => hides.has(one))) does.level("high", `${name} runs code that was hidden`);
}

const fetches = new Set("curl wget fetch aria2c nc ncat netcat socat ssh scp lynx w3m http https xh".split(" "));
const hides = new Set("base64 base32 xxd openssl gpg rev tr gunzip zcat uudecode od perl python python3".split(" "));

function fromInput(does: CommandEffects, name: string): undefined {
  const text = does.context.input?.text;
  if (text !== undefined && /^(?:ba|z|da|k|mk|a)?sh$|^fish$/.test(name)) does.context.script(text);
  else does.opaque(`${name} runs the code on its input`);
  piped(does, name);
}

/** Judges a file that is run as a program; one that the same command wrote holds what nobody looked into. */
export function ranFile(file: Arg, does: CommandEffects, name: string): undefined {
  does.effect("exec");
  if (isUnknown(file)) return does.opaque(`what ${name} runs is known when it runs`);
  for (const { path, kind } of does.paths(file)) {
    if (kind === "stream" || kind === "network") {
      does.opaque(`${name} runs the code on its input`);
      piped(does, name);
    }
    const { written, fetched, state } = does.context;
    const below = (folder: string) => fetched && folder !== state.cwd && isBelow(folder, path);
    if (!written.has(path) && ![...written].some(below)) continue;
    does.opaque(`${file.shape} is written by the same command that runs it`);
    if (fetched) does.level("high", `${name} runs what comes from the network`);
  }
  if (/^(?:https?|ftp):/.test(file.shape)) does.level("high", `${name} runs what comes from the network`);
}

/** `bash -c text`, `sh file`, `sh` with something on its input. */
const shell: Program = (args, does, name) => {
  const at = args.findIndex(
    ({ shape }, index) => !/^[-+]./.test(shape) && !/^[-+]\w*[oO]$/.test(args[index - 1]?.shape ?? ""),
  );
  const flags = args.slice(0, at === -1 ? undefined : at).map(({ shape }) => shape);
  const first = at === -1 ? undefined : args[at];
  const says = (pattern: RegExp) => flags.some((flag) => pattern.test(flag));
  if (says(/^--(?:version|help)$/)) return;
  if (says(/^--(?:rcfile|init-file)/)) return does.opaque(`${name} reads a file of commands`);
  // A shell that logs in or is talked to runs the files of its user.
  if (says(/^-[a-zA-Z]*[il]|^--login$/)) does.effect("exec");
  if (first?.many) return does.opaque(`what ${name} runs is known when it runs`);
  if (says(/^-[a-zA-Z]*c/)) {
    if (first?.text === undefined) piped(does, name);
    if (first) does.script(first, `what ${name} -c runs`);
  } else if (says(/^-[a-zA-Z]*n/) && first) does.read(first);
  else if (first && first.text !== "-" && !says(/^-[a-zA-Z]*s/)) ranFile(first, does, name);
  else fromInput(does, name);
};

/** A language: code in the words or on the input cannot be looked into; a file is a program. */
const language =
  (code: RegExp, takes = /^$/, looks = /^(?:-c|--check|-l|--syntax-check)$/): Program =>
  (args, does, name) => {
    if (args.length === 1 && /^(?:-v|-V+|--version|--help|-h)$/.test(args[0]?.shape ?? "")) return;
    if (args.some(({ shape }) => code.test(shape))) {
      piped(does, name);
      return does.opaque(`${name} is handed code`);
    }
    const at = args.findIndex(
      ({ shape }, index) => (shape === "-" || !shape.startsWith("-")) && !takes.test(args[index - 1]?.shape ?? "-"),
    );
    const file = args[at];
    if (file && args.slice(0, at).some(({ shape }) => looks.test(shape))) return does.read(file);
    does.effect("exec");
    if (!file || file.text === "-") return fromInput(does, name);
    ranFile(file, does, name);
  };

const python = language(/^-[a-zA-Z]*c/, /^-[WXQ]$/, /^$/);

/** `python -m module`: some modules are programs of their own. */
const snake: Program = (args, does, name) => {
  const at = args.findIndex(({ shape }) => /^-[bBdEiIOPqsSuvx]*m$/.test(shape));
  const first = args.findIndex(({ shape }) => !shape.startsWith("-"));
  const module = args[at + 1];
  if (at === -1 || (first !== -1 && first < at) || !module) return python(args, does, name);
  does.effect("exec");
  if (module.text === "pip" || module.text === "pytest") does.run(args.slice(at + 1));
  if (/^(?:timeit|code|pdb|trace|doctest|…)$/.test(module.text ?? "…")) does.opaque(`${name} is handed code`);
};

const node = language(
  /^(?:-[cipr]*[ep]|--eval(?:=|$)|--print(?:=|$)|-p)|(?:^|=)data:/,
  /^(?:-r|--require|--import|--loader|-C|--conditions|--env-file|--input-type)$/,
);

/** A program that runs the one named behind its options and so many words. */
const wrapper =
  (form: OptionSpec = {}, before = 0, writes = ""): Program =>
  (args, does, name) => {
    const { options, operands, unsure } = parseArgs(args, {
      ...form,
      takes: `${form.takes ?? ""} ${writes}`,
      stops: "at operand",
    });
    for (const { name: option, value } of options) if (value && isListed(writes, option)) does.write(value);
    if (unsure && (operands[0]?.many || operands[before]?.text === undefined))
      return does.opaque(`what ${name} runs is known when it runs`);
    does.run(operands.slice(before), does.context.input);
  };

const env: Program = (args, does) => {
  const { options, operands } = parseArgs(args, {
    takes: "u C S unset chdir split-string",
    knows: "ignore-environment null",
    stops: "at operand",
  });
  const split = options.find(({ name }) => name === "S" || name === "split-string")?.value;
  const at = operands.findIndex(({ shape }) => shape !== "-" && !/^[A-Za-z_]\w*=/.test(shape));
  for (const { shape } of operands.slice(0, at === -1 ? undefined : at))
    if (steers(shape.split("=")[0] ?? "")) does.opaque(`${shape.split("=")[0]} changes what programs do`);
  if (options.some(({ name }) => name === "C" || name === "chdir")) does.opaque("env -C runs it elsewhere");
  if (split) does.script(split, "what env -S runs");
  if (split) return does.opaque("env -S splits a text by rules of its own");
  if (at !== -1) does.run(operands.slice(at), does.context.input);
};

const xargs: Program = (args, does) => {
  const { options, operands } = parseArgs(args, {
    takes: "I L n P s E d a max-args max-procs max-chars delimiter arg-file",
    knows: "replace",
    stops: "at operand",
  });
  const file = options.find(({ name }) => name === "a" || name === "arg-file")?.value;
  if (file) does.read(file);
  const mark = options.find(({ name }) => name === "I" || name === "replace" || name === "i");
  if (operands.length === 0) return;
  const sign = mark ? (mark.value?.text ?? "{}") : undefined;
  // Names that a program found are below the folders it was given.
  if (sign === undefined) return does.run([...operands, fed]);
  does.run(operands.map((word) => (word.shape.includes(sign) ? filled(word, sign) : word)));
};

const fed: Arg = { text: undefined, shape: `./${matched}${unknown}` };
const filled = ({ shape }: Arg, sign: string): Arg => ({ text: undefined, shape: shape.replaceAll(sign, unknown) });

/** A program each of whose words, or whose words together, are a text for a shell. */
const texts =
  (takes: string, how: "each" | "joined"): Program =>
  (args, does, name) => {
    const { operands, options } = parseArgs(args, { takes, ...(how === "joined" && { stops: "at operand" as const }) });
    const words = operands.map(({ text }) => text);
    if (words.includes(undefined)) return does.opaque(`what ${name} runs is known when it runs`);
    for (const text of how === "each" ? words : [words.join(" ")]) if (text) does.context.script(text);
    for (const { name: option, value } of options)
      if (value && /^(?:prepare|setup|cleanup|conclude|exec|c|C|command)$/.test(option))
        does.script(value, `what ${name} runs`);
  };

const sudo: Program = (args, does, name) => {
  does.level("high", `${name} runs it with other rights`);
  const { operands, options } = parseArgs(args, {
    takes: "u g U C D R T h p r t user group host prompt chdir chroot c command",
    stops: "at operand",
  });
  const text = options.find((option) => option.name === "c" || option.name === "command")?.value;
  if (text && name !== "sudo") does.script(text, `what ${name} runs`);
  does.run(
    operands.filter(({ shape }) => !/^[A-Za-z_]\w*=/.test(shape)),
    does.context.input,
  );
};

const flock: Program = ([file, ...rest], does) => {
  if (file) does.write(file);
  const at = rest.findIndex((word) => word.text === "-c");
  if (at !== -1 && rest[at + 1]) does.script(rest[at + 1] as Arg, "what flock runs");
  else does.run(rest, does.context.input);
};

const starts = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const narrows =
  /^-(?:i?name|i?path|i?wholename|i?regex|empty|newer\w*|[amc](?:time|min)|size|user|perm|samefile|inum|links|xtype)$/;

/** Judges an expression of find: what it does beside looking for files, below the folders before it. */
const find: Program = (args, does) => {
  const first = args.findIndex(({ shape }) => /^[-(!]/.test(shape) && !/^-[HLPDO]/.test(shape));
  const before = args.slice(0, first === -1 ? args.length : first).filter(({ shape }) => !/^-[HLPDO]/.test(shape));
  const roots = before.length > 0 ? before : [exact(".")];
  for (const root of roots) does.readAll(root);
  const words = first === -1 ? [] : args.slice(first);
  for (let at = 0; at < words.length; at++) {
    const { shape } = words[at] as Arg;
    const next = words[at + 1];
    if (starts.has(shape)) {
      const end = words.findIndex((word, index) => index > at && (word.text === ";" || word.text === "+"));
      found(words.slice(at + 1, end === -1 ? undefined : end), roots, does);
      at = end === -1 ? words.length : end;
    } else if (/^-f(?:print0?|printf|ls)$/.test(shape) && next) does.write(next);
    else if (shape === "-delete") removed(roots, words, does);
    else if (isUnknown(words[at] as Arg) && !narrows.test(words[at - 1]?.shape ?? ""))
      does.opaque("a word of find is known when it runs and may have it run or remove something");
  }
};

function removed(roots: readonly Arg[], words: readonly Arg[], does: CommandEffects): undefined {
  const narrow = words.some((word) => narrows.test(word.shape));
  for (const root of roots) {
    does.write(root.text === undefined ? root : { text: undefined, shape: `${root.text}/${matched}` });
    if (!narrow) lost(root, does, "removes");
  }
  does.level(narrow ? "medium" : "high", "find -delete removes all that it finds");
}

/** Judges the command of `-exec`, for any file below the folders. */
function found(command: readonly Arg[], roots: readonly Arg[], does: CommandEffects): undefined {
  for (const root of roots) {
    const below = root.text === undefined ? unknown : `${root.text}/${matched}`;
    does.run(
      command.map((word) =>
        word.shape.includes("{}") ? { text: undefined, shape: word.shape.replaceAll("{}", below) } : word,
      ),
    );
  }
}

const fd: Program = (args, does, name) => {
  const at = args.findIndex(({ shape }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(shape));
  program({
    operands: "pattern",
    takes: "e t d E S o c j extension type max-depth min-depth exclude size owner color threads",
    reads: "C base-directory search-path ignore-file",
    below: "always",
  })(at === -1 ? args : args.slice(0, at), does, name);
  if (at !== -1) does.run([...args.slice(at + 1), { text: undefined, shape: `./${matched}` }]);
};

/** `export A=b`, `read name`, `printf -v name`: variables that steer programs count. */
const assigns: Program = (args, does) => {
  for (const { shape } of args) {
    const name = /^[A-Za-z_]\w*/.exec(shape)?.[0] ?? "";
    if (steers(name)) does.opaque(`${name} changes what programs do`);
    else if (shape.startsWith(unknown)) does.opaque("the name of a variable is known when it runs");
  }
  const at = args.findIndex(({ shape }) => shape === "-C");
  if (at !== -1 && args[at + 1]) does.script(args[at + 1] as Arg, "what mapfile runs");
};

const evaluate: Program = (args, does) => {
  const words = args.map(({ text }) => text);
  piped(does, "eval");
  if (words.includes(undefined)) return does.opaque("what eval runs is known when it runs");
  does.context.script(words.join(" "));
};

const trap: Program = (args, does) => {
  const [first, second] = args[0]?.text === "--" ? args.slice(1) : args;
  if (first && second && first.text !== "-" && !/^-[lp]/.test(first.shape)) does.script(first, "what trap runs");
};

const command: Program = (args, does) => {
  const at = args.findIndex(({ shape }) => !shape.startsWith("-"));
  if (args.slice(0, Math.max(at, 0)).some(({ shape }) => /^-p?[vV]/.test(shape))) return;
  if (at !== -1) does.run(args.slice(at), does.context.input);
};

const alias: Program = (args, does) => {
  if (args.some(({ shape }) => shape.includes("="))) does.opaque("an alias changes what commands mean");
  for (const { text, shape } of args)
    if (text === undefined) does.opaque("an alias is known when it runs");
    else if (shape.includes("=")) does.context.script(text.slice(text.indexOf("=") + 1));
};

const source: Program = ([file], does) => {
  if (!file) return;
  does.read(file);
  does.effect("exec");
  if (isUnknown(file) || does.paths(file).some(({ kind }) => kind === "stream")) piped(does, "source");
};

/**
 * Judges an unknown program, which may run the one that its words name: one that is hardly named by chance is judged as
 * if it did.
 */
export function unknownWrapper(args: readonly Arg[], does: CommandEffects, name: string): undefined {
  const at = args.findIndex(({ text }) => text !== undefined && telling.test(text));
  does.effect("exec");
  if (args.some(isUnknown)) does.opaque(`a word of ${name} is known when it runs`);
  if (at !== -1 && at + 1 < args.length) does.run(args.slice(at));
}

const telling = /^(?:\/(?:usr\/)?bin\/)?(?:rm|dd|shred|mkfs(?:\.\w+)?|sudo|doas|chmod|chown|(?:ba|z|da|k)?sh)$/;

/** Programs that run others, or code. */
export const running: ProgramTable = {
  ...each("sh bash dash zsh ksh mksh ash fish rbash", shell),
  ...each("source .", source),
  eval: evaluate,
  trap,
  alias,
  ...each("command builtin", command),
  exec: wrapper({ takes: "a" }),
  ...each("export declare typeset readonly local read mapfile readarray getopts unset printf", assigns),
  ...each("let compgen complete compopt hash enable bind fc coproc", (args, does, name) => {
    for (const { name: option, value } of parseArgs(args, { takes: "C F W p f x" }).options)
      if (option === "C" && value) does.script(value, `what ${name} runs`);
    if (name !== "let" || args.some(isUnknown)) does.opaque(`${name} changes what commands mean`);
  }),
  jobs: (args, does) => {
    if (args[0]?.shape === "-x") does.run(args.slice(1));
  },
  ...each("python python2 python3 pypy pypy3", snake),
  ...each("node nodejs", (args, does, name) =>
    args[0]?.text === "--test" ? does.effect("exec") : node(args, does, name),
  ),
  ...each("tsx ts-node", language(/^(?:-e|-p|--eval|--print)/, /^(?:-r|-P|--project)$/)),
  ...each("perl ruby", language(/^-[a-zA-Z0-9]*[eE]/, /^-[IrC]$/, /^-[wT]*c$/)),
  php: language(/^(?:-r|-B|-R|-E|--run)/, /^-[dczS]$/),
  ...each("lua luajit Rscript R julia", language(/^(?:-e|-E|--eval)/, /^-l$/)),
  ...each(
    "osascript tclsh wish expect ghci scala jshell groovy elixir erl iex guile racket sbcl clojure ocaml swipl gnuplot octave",
    language(/^(?:-e|-eval|-c|--eval|--expr)/),
  ),
  ...each("pwsh powershell cmd wsl vi vim nvim ex ed emacs nano gdb lldb", language(/^/)),
  env,
  xargs,
  find,
  ...each("fd fdfind", fd),
  ...each("sudo doas su pkexec runuser gosu", sudo),
  ...each("nice ionice", wrapper({ takes: "n adjustment c p class classdata" })),
  ...each("chrt taskset", wrapper({}, 1)),
  ...each("timeout gtimeout", wrapper({ takes: "k s kill-after signal" }, 1)),
  ...each("time gtime", wrapper({ takes: "f format" }, 0, "o output")),
  ...each("nohup setsid unbuffer chronic caffeinate ccache sccache rlwrap winpty busybox toybox", wrapper()),
  stdbuf: wrapper({ takes: "i o e input output error" }),
  "xvfb-run": wrapper({ takes: "n s e f p server-num server-args" }),
  ...each("strace ltrace valgrind", wrapper({ takes: "e s P p E u S trace" }, 0, "o output log-file")),
  watch: texts("n interval", "joined"),
  entr: (args, does) => does.run(args.filter(({ shape }) => !shape.startsWith("-"))),
  parallel: (args, does) => {
    does.run([...args.filter(({ shape }) => !/^-|^:::/.test(shape)), anything]);
    does.opaque("parallel fills in what is known when it runs");
  },
  hyperfine: texts(
    "w m M r n L P S warmup min-runs max-runs runs export-json export-markdown parameter-list prepare setup cleanup",
    "each",
  ),
  script: (args, does, name) => {
    does.effect("write inside", "exec");
    texts("c command", "each")(args, does, name);
  },
  flock,
  ...each("tmux screen", (args, does) => {
    does.effect("exec");
    if (!/^(?:ls|list-\w+|capture-pane|-ls|has-session)$/.test(args[0]?.text ?? ""))
      does.opaque("it hands text to another shell");
  }),
};
