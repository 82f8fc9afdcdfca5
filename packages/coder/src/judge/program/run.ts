import type { CommandEffects } from "../command-effects.ts";
import { isBelow } from "../path-kind.ts";
import { steers } from "../variable.ts";
import { type Arg, anything, exact, isUnknown, matched, unknown } from "../word.ts";
import { lineOf, type ProgramCall, type ProgramCode, touchOperands } from "./call.ts";
import { lost } from "./files.ts";

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
  const { written, fetched, state } = does.context;
  for (const { path, kind } of does.paths(file)) {
    if (kind === "stream" || kind === "network") {
      does.opaque(`${name} runs the code on its input`);
      piped(does, name);
    }
    const below = (folder: string) => fetched && folder !== state.cwd && isBelow(folder, path);
    if (!written.has(path) && ![...written].some(below)) continue;
    does.opaque(`${file.shape} is written by the same command that runs it`);
    if (fetched) does.level("high", `${name} runs what comes from the network`);
  }
  if (/^(?:https?|ftp):/.test(file.shape)) does.level("high", `${name} runs what comes from the network`);
}

/** Judges `bash -c text`, `sh file`, and `sh` with something on its input. */
const shell: ProgramCode = ({ args, name }, does) => {
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

/** Judges a language: code in the words or on the input cannot be looked into; a file is a program. */
const language: ProgramCode = ({ args, name, row, parsed }, does) => {
  if (args.length === 1 && /^(?:-v|-V+|--version|--help|-h)$/.test(args[0]?.shape ?? "")) return;
  if (args[0]?.text === "--test") return does.effect("exec");
  const {
    operands: [file],
  } = parsed;
  const before = args.slice(0, file ? args.indexOf(file) : undefined);
  if (["", ...before.map(({ shape }) => shape)].some((word) => row.code?.test(word))) {
    piped(does, name);
    return does.opaque(`${name} is handed code`);
  }
  if (file && before.some(({ shape }) => row.look?.test(shape))) return does.read(file);
  does.effect("exec");
  if (!file || file.text === "-") return fromInput(does, name);
  ranFile(file, does, name);
};

/** Judges `python -m module`: some modules are programs of their own. */
const python: ProgramCode = (call, does) => {
  const { args, name } = call;
  const at = args.findIndex(({ shape }) => /^-[bBdEiIOPqsSuvx]*m$/.test(shape));
  const first = args.findIndex(({ shape }) => !shape.startsWith("-"));
  const module = args[at + 1];
  if (at === -1 || (first !== -1 && first < at) || !module) return language(call, does);
  does.effect("exec");
  if (module.text === "pip" || module.text === "pytest") does.run(args.slice(at + 1));
  if (/^(?:timeit|code|pdb|trace|doctest|…)$/.test(module.text ?? "…")) does.opaque(`${name} is handed code`);
};

/** Judges a program that runs the one named behind its options and so many words. */
const wrap: ProgramCode = ({ name, row, parsed: { operands, unsure } }, does) => {
  if (unsure && (operands[0]?.many || operands[row.skip]?.text === undefined))
    return does.opaque(`what ${name} runs is known when it runs`);
  does.run(operands.slice(row.skip), does.context.input);
};

const env: ProgramCode = ({ parsed }, does) => {
  const { operands } = parsed;
  const split = parsed.value("S", "split-string");
  const at = operands.findIndex(({ shape }) => shape !== "-" && !/^[A-Za-z_]\w*=/.test(shape));
  for (const { shape } of operands.slice(0, at === -1 ? undefined : at))
    if (steers(shape.split("=")[0] ?? "")) does.opaque(`${shape.split("=")[0]} changes what programs do`);
  if (parsed.has("C", "chdir")) does.opaque("env -C runs it elsewhere");
  if (split) {
    does.script(split, "what env -S runs");
    return does.opaque("env -S splits a text by rules of its own");
  }
  if (at !== -1) does.run(operands.slice(at), does.context.input);
};

const xargs: ProgramCode = ({ parsed: { operands, options } }, does) => {
  const mark = options.find(({ name }) => name === "I" || name === "replace" || name === "i");
  if (operands.length === 0) return;
  const sign = mark ? (mark.value?.text ?? "{}") : undefined;
  if (sign === undefined) return does.run([...operands, anything]);
  does.run(
    operands.map((word) =>
      word.shape.includes(sign) ? { text: undefined, shape: word.shape.replaceAll(sign, unknown) } : word,
    ),
  );
};

/** Judges a program each of whose operands, or whose operands together, are a text for a shell. */
const texts =
  (how: "each" | "joined"): ProgramCode =>
  ({ name, parsed: { operands } }, does) => {
    const words = operands.map(({ text }) => text);
    if (words.includes(undefined)) return does.opaque(`what ${name} runs is known when it runs`);
    for (const text of how === "each" ? words : [words.join(" ")]) if (text) does.context.script(text);
  };

const sudo: ProgramCode = ({ name, parsed }, does) => {
  const text = parsed.value("c", "command");
  if (text && name !== "sudo") does.script(text, `what ${name} runs`);
  does.run(
    parsed.operands.filter(({ shape }) => !/^[A-Za-z_]\w*=/.test(shape)),
    does.context.input,
  );
};

const flock: ProgramCode = ({ args: [file, ...rest] }, does) => {
  if (file) does.write(file);
  const at = rest.findIndex((word) => word.text === "-c");
  if (at !== -1 && rest[at + 1]) does.script(rest[at + 1] as Arg, "what flock runs");
  else does.run(rest, does.context.input);
};

const starts = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const narrows =
  /^-(?:i?name|i?path|i?wholename|i?regex|empty|newer\w*|[amc](?:time|min)|size|user|perm|samefile|inum|links|xtype)$/;

/** Judges an expression of find: what it does beside looking for files, below the folders before it. */
const find: ProgramCode = ({ args }, does) => {
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

const fd: ProgramCode = (call, does) => {
  const { args } = call;
  const at = args.findIndex(({ shape }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(shape));
  const isBefore = (arg: Arg) => at === -1 || args.indexOf(arg) < at;
  touchOperands({ ...call, parsed: { ...call.parsed, operands: call.parsed.operands.filter(isBefore) } }, does);
  if (at !== -1) does.run([...args.slice(at + 1), { text: undefined, shape: `./${matched}` }]);
};

/** Judges `export A=b`, `read name`, `printf -v name`: variables that steer programs count. */
const assigns: ProgramCode = ({ args, name: program }, does) => {
  const at = args.findIndex(({ shape }) => shape === "-C");
  if (at !== -1 && args[at + 1]) does.script(args[at + 1] as Arg, `what ${program} runs`);
  for (const { shape } of args) {
    const name = /^[A-Za-z_]\w*/.exec(shape)?.[0] ?? "";
    if (steers(name)) does.opaque(`${name} changes what programs do`);
    else if (shape.startsWith(unknown)) does.opaque("the name of a variable is known when it runs");
  }
};

const evaluate: ProgramCode = ({ args, parsed }, does) => {
  piped(does, "eval");
  if (args.some(({ text }) => text === undefined)) return does.opaque("what eval runs is known when it runs");
  does.context.script(parsed.operands.map(({ text }) => text).join(" "));
};

const trap: ProgramCode = ({ args }, does) => {
  const [first, second] = args[0]?.text === "--" ? args.slice(1) : args;
  if (first && second && first.text !== "-" && !/^-[lp]/.test(first.shape)) does.script(first, "what trap runs");
};

const command: ProgramCode = ({ args }, does) => {
  const at = args.findIndex(({ shape }) => !shape.startsWith("-"));
  const looks = args.slice(0, Math.max(at, 0)).some(({ shape }) => /^-p?[vV]/.test(shape));
  if (at !== -1 && !looks) does.run(args.slice(at), does.context.input);
};

const alias: ProgramCode = ({ args }, does) => {
  for (const { text, shape } of args) {
    const at = shape.indexOf("=");
    if (at !== -1) does.opaque("an alias changes what commands mean");
    if (at !== -1 && text !== undefined) does.context.script(text.slice(at + 1));
    if (text === undefined) does.opaque("an alias is known when it runs");
  }
};

const source: ProgramCode = ({ args: [file], name }, does) => {
  if (!file) return;
  does.read(file);
  ranFile(file, does, name);
  if (isUnknown(file)) piped(does, name);
};

/** Judges builtins that change what commands mean, or do sums. */
const means: ProgramCode = ({ args, name, parsed }, does) => {
  const text = parsed.value("C");
  if (text) does.script(text, `what ${name} runs`);
  if (name !== "let" || args.some(isUnknown)) does.opaque(`${name} changes what commands mean`);
};

/** Judges the program behind a word like `exec` or `run`, and a text behind `-c`. */
const manager: ProgramCode = (call, does) => {
  const { row, parsed } = call;
  const at = row.behind.has("") ? 0 : 1;
  touchOperands(call, does);
  if (at === 1 && !row.behind.has(parsed.operands[0]?.text ?? "")) return;
  const text = call.args[call.args.findIndex(({ shape }) => shape === "-c" || shape === "--call") + 1];
  if (text && text !== call.args[0]) return does.script(text, "what it runs");
  const rest = parsed.operands.slice(at);
  const first = rest.findIndex(({ shape }) => !shape.startsWith("-"));
  if (first !== -1 && !(at === 0 && parsed.has("p", "package"))) does.run(rest.slice(first));
};

const make: ProgramCode = ({ args, name }, does) => {
  const line = lineOf(args);
  if (/(?:^| )(?:--eval|-E|-f -|-f-)/.test(line) || line.includes("…")) does.opaque(`${name} is handed rules`);
  for (const { shape } of args) {
    const value = /^(?:SHELL|MAKE|CC|CXX|LD)=([\s\S]*)$/.exec(shape)?.[1];
    if (value !== undefined) does.script(exact(value), `what ${name} runs`);
  }
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

const unflagged = ({ args }: ProgramCall): readonly Arg[] => args.filter(({ shape }) => !/^-|^:::/.test(shape));

/** Code of programs that run others, or texts. */
export const running: Readonly<Record<string, ProgramCode>> = {
  shell,
  language,
  python,
  wrap,
  env,
  xargs,
  find,
  fd,
  sudo,
  flock,
  assigns,
  eval: evaluate,
  trap,
  command,
  alias,
  source,
  means,
  manager,
  make,
  texts: texts("each"),
  joined: texts("joined"),
  jobs: ({ args }, does) => (args[0]?.shape === "-x" ? does.run(args.slice(1)) : undefined),
  entr: (call, does) => does.run(unflagged(call)),
  parallel: (call, does) => {
    does.run([...unflagged(call), anything]);
    does.opaque("parallel fills in what is known when it runs");
  },
};
