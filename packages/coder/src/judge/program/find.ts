import type { Risk } from "@pith/agent";
import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, matched, mayBeOption, unknown } from "../value/argument.ts";
import { type Program, type ProgramTable, specProgram } from "./plain.ts";

const runs = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const writes = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);
const narrows =
  /^-(?:i?name|i?path|i?wholename|i?regex|empty|newer\w*|[amc](?:time|min)|size|user|perm|samefile|inum|links|xtype)$/;

/** What an expression does beside looking for files, below the folders before it. */
const find: Program = (args, does) => {
  const first = args.findIndex(({ shape }) => /^[-(!]/.test(shape) && !/^-[HLPDO]/.test(shape));
  const before = args.slice(0, first === -1 ? args.length : first).filter(({ shape }) => !/^-[HLPDO]/.test(shape));
  const roots = before.length > 0 ? before : [exact(".")];
  for (const root of roots) {
    does.read(root);
    does.below(root);
  }
  if (args.some((arg, at) => arg.many || (mayBeOption(arg) && !narrows.test(args[at - 1]?.text ?? ""))))
    does.opaque("a word of find is known when it runs and may have it run or remove something");
  const words = first === -1 ? [] : args.slice(first);
  // What it hands on may be a link that leads out, unless only files are found.
  const files = words.some(({ text }, at) => text === "-type" && words[at + 1]?.text === "f");
  const follows = args.some(({ shape }) => /^-(?:L|H|follow|files0-from)/.test(shape));
  if ((follows || !files) && words.some(({ text }) => runs.has(text ?? ""))) does.effect("read outside");
  for (let at = 0; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (runs.has(text)) {
      const end = words.findIndex((word, index) => index > at && (word.text === ";" || word.text === "+"));
      found(words.slice(at + 1, end === -1 ? undefined : end), roots, does);
      at = end === -1 ? words.length : end;
    } else act(text, words, words[at + 1], roots, does);
  }
};

/** What a word of the expression does with what was found. */
function act(
  text: string,
  words: readonly Arg[],
  next: Arg | undefined,
  roots: readonly Arg[],
  does: CommandEffects,
): undefined {
  if (writes.has(text) && next) does.write(next);
  if (text === "-files0-from" && next) does.read(next);
  if (text !== "-delete") return;
  const narrow = words.some((word) => narrows.test(word.text ?? ""));
  for (const root of roots) removed(root, narrow ? "medium" : "high", does);
}

/** The command of `-exec`, for any file below the folders. */
function found(command: readonly Arg[], roots: readonly Arg[], does: CommandEffects): undefined {
  for (const root of roots) {
    const below = root.text === undefined ? unknown : `${root.text}/${matched}`;
    does.run(
      command.map((word) =>
        word.shape.includes("{}")
          ? { text: undefined, shape: word.shape.replaceAll("{}", below), ...(word.many && { many: true }) }
          : word,
      ),
    );
  }
}

function removed(root: Arg, severity: Risk, does: CommandEffects): undefined {
  does.write(root.text === undefined ? root : { text: undefined, shape: `${root.text}/${matched}` });
  does.level(severity, "find -delete removes all that it finds");
}

const fd = specProgram({
  operands: "pattern",
  takes:
    "e t d E S o c j extension type max-depth min-depth exact-depth exclude size owner changed-within color threads",
  reads: "C base-directory search-path ignore-file",
  strays: "L follow",
  searches: "below",
  hides: "x X exec exec-batch",
  also(args, does) {
    const at = args.findIndex(({ text }) => text !== undefined && /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(text));
    if (at !== -1) does.run([...args.slice(at + 1), { text: undefined, shape: `./${matched}` }]);
  },
});

export const finding: ProgramTable = { find, fd, fdfind: fd };
