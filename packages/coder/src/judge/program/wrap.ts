import type { CommandEffects } from "../command-effects.ts";
import { type Arg, anything, exact } from "../value/argument.ts";
import { setVariable } from "../value/variable.ts";
import { type OptionSpec, parseArgs } from "./option.ts";
import { each, type Program, type ProgramTable } from "./plain.ts";

interface Wrapper extends OptionSpec {
  /** How many words stand before the program. */
  before?: number;
  /** Options whose value is a file that is written. */
  writes?: string;
}

/** A program that runs the one named behind its options. */
const wrapper = ({ before = 0, writes = "", ...form }: Wrapper = {}): Program => {
  const whole: OptionSpec = { ...form, takes: `${form.takes ?? ""} ${writes}`, stops: "at operand" };
  return (args, does, name) => {
    const { options, operands, unsure } = parseArgs(args, whole);
    for (const option of options)
      if (option.value && ` ${writes} `.includes(` ${option.name} `)) does.write(option.value);
    const words = operands.slice(before);
    if (unsure && (operands[0]?.many || operands[before]?.text === undefined))
      return does.opaque(`what ${name} runs is known when it runs`);
    does.run(words, does.scene.input);
  };
};

const env: Program = (args, does) => {
  const { options, operands } = parseArgs(args, {
    takes: "u C S unset chdir split-string",
    knows: "ignore-environment null",
    stops: "at operand",
  });
  const split = options.find(({ name }) => name === "S" || name === "split-string")?.value;
  let at = 0;
  for (; at < operands.length; at++) {
    const arg = operands[at] as Arg;
    if (arg.text === "-") continue;
    const [, name, value = ""] = /^([A-Za-z_][^=]*)=([\s\S]*)$/.exec(arg.shape) ?? [];
    if (name === undefined) break;
    setVariable(name, arg.text === undefined ? { text: undefined, shape: value } : exact(value), does);
  }
  if (options.some(({ name }) => name === "C" || name === "chdir")) does.opaque("env -C runs it elsewhere");
  if (split) {
    does.script(split, "what env -S runs");
    return does.opaque("env -S splits a text by rules of its own");
  }
  does.run(operands.slice(at), does.scene.input);
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
  if (operands.length === 0) return does.run([exact("echo"), anything]);
  const sign = mark ? (mark.value?.text ?? "{}") : undefined;
  if (sign === undefined) return does.run([...operands, anything]);
  does.run(operands.map((word) => (word.shape.includes(sign) ? filled(word, sign) : word)));
};

/** A word in which something stands that is not known. */
const filled = ({ shape }: Arg, sign: string): Arg => ({ text: undefined, shape: shape.replaceAll(sign, "\0") });

/** A program whose words are put together to a text for a shell. */
const joined =
  (takes: string): Program =>
  (args, does, name) => {
    const { operands } = parseArgs(args, { takes, stops: "at operand" });
    const texts = operands.map(({ text }) => text);
    if (texts.includes(undefined)) return does.opaque(`what ${name} runs is known when it runs`);
    if (texts.length > 0) does.scene.script(texts.join(" "));
  };

/** A program each of whose words is a text for a shell. */
const texts =
  (takes: string): Program =>
  (args, does, name) => {
    const { operands, options } = parseArgs(args, { takes });
    for (const word of operands) does.script(word, `what ${name} runs`);
    for (const { name: option, value } of options)
      if (value && /^(?:prepare|setup|cleanup|conclude|exec|c|command)$/.test(option))
        does.script(value, `what ${name} runs`);
  };

const sudo: Program = (args, does, name) => {
  does.level("high", `${name} runs it with other rights`);
  const { operands, options } = parseArgs(args, {
    takes: "u g U C D R T h p r t user group host prompt chdir chroot c command",
    stops: "at operand",
  });
  const text = options.find((option) => (option.name === "c" || option.name === "command") && name !== "sudo")?.value;
  if (text) does.script(text, `what ${name} runs`);
  const at = operands.findIndex(({ shape }) => !/^[A-Za-z_]\w*=/.test(shape));
  if (at === -1) return does.opaque(`${name} runs what is typed`);
  does.run(operands.slice(at), does.scene.input);
};

const flock: Program = (args, does) => {
  const { operands, options } = parseArgs(args, { takes: "w E c timeout command", stops: "at operand" });
  const [file, ...rest] = operands;
  if (file) does.write(file);
  const text = options.find(({ name }) => name === "c")?.value;
  const at = rest.findIndex((word) => word.text === "-c");
  if (text) does.script(text, "what flock runs");
  else if (at === 0 && rest[1]) does.script(rest[1], "what flock runs");
  else does.run(rest, does.scene.input);
};

/**
 * A program that nobody knows may run the one that its words name: one that is hardly named by chance is judged as if
 * it did.
 */
export function unknownWrapper(args: readonly Arg[], does: CommandEffects): undefined {
  const at = args.findIndex(({ text }) => text !== undefined && telling.test(text));
  does.effect("exec");
  if (at !== -1 && at + 1 < args.length) does.run(args.slice(at));
}

const telling = /^(?:\/(?:usr\/)?bin\/)?(?:rm|dd|shred|mkfs(?:\.\w+)?|sudo|doas|chmod|chown|(?:ba|z|da|k)?sh)$/;

/** Programs that run another one. */
export const wrapping: ProgramTable = {
  env,
  xargs,
  ...each("sudo doas su pkexec runuser gosu", sudo),
  nice: wrapper({ takes: "n adjustment" }),
  ionice: wrapper({ takes: "c n p class classdata" }),
  chrt: wrapper({ before: 1 }),
  taskset: wrapper({ before: 1 }),
  ...each("timeout gtimeout", wrapper({ takes: "k s kill-after signal", before: 1 })),
  ...each("time gtime", wrapper({ takes: "f format", writes: "o output" })),
  nohup: wrapper(),
  ...each("setarch linux32 linux64 i386 x86_64 arch", (args, does) => unknownWrapper(args, does)),
  ...each("setsid unbuffer chronic caffeinate ccache sccache rlwrap winpty", wrapper()),
  stdbuf: wrapper({ takes: "i o e input output error" }),
  "xvfb-run": wrapper({ takes: "n s e f p server-num server-args" }),
  ...each("strace ltrace", wrapper({ takes: "e s P p E u S trace", writes: "o output" })),
  valgrind: wrapper({ writes: "log-file" }),
  ...each("busybox toybox", wrapper()),
  watch: joined("n interval"),
  entr: (args, does) => does.run(args.filter(({ shape }) => !shape.startsWith("-"))),
  parallel: (args, does, name) => {
    joined("j a I jobs arg-file")(
      args.filter((word) => word.text !== ":::"),
      does,
      name,
    );
    does.opaque("parallel fills in what is known when it runs");
  },
  hyperfine: texts(
    "w m M r n L P S warmup min-runs max-runs runs export-json export-markdown parameter-list prepare setup cleanup",
  ),
  script: (args, does, name) => {
    does.effect("write inside");
    does.effect("exec");
    texts("c command")(args, does, name);
  },
  flock,
};
