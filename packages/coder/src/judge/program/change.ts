import { posix } from "node:path";
import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, matched } from "../value/argument.ts";
import { parseArgs } from "./option.ts";
import { each, type Program, type ProgramTable, specProgram } from "./plain.ts";

/** Folders without which a machine, or a person's files, are gone. */
const vital = /^\/(?:[^/]*|home\/[^/]+|Users\/[^/]+|usr\/(?:bin|lib|local|sbin|share)|var\/lib|mnt\/[^/]+)(?:\/\*)?$/;

/** How bad it is to lose what a word names, with all below it. */
function lost(arg: Arg, does: CommandEffects, verb: string): undefined {
  const { home, roots } = does.scene.state;
  for (const { kind, path } of does.paths(arg)) {
    const bare = path.replace(/\/\*?$/, "");
    const above = [home, ...roots].some((folder) => folder.startsWith(`${bare}/`));
    if (kind !== "unknown" && (bare === "" || bare === home || above || (kind === "outside" && vital.test(path))))
      does.level("critical", `it ${verb} ${path} and all below it`);
    else if (kind === "unknown") does.level("high", `it ${verb} what is known when it runs, with all below it`);
    else if (roots.includes(bare)) does.level("high", `it ${verb} the whole project`);
    else if (kind === "outside") does.level("high", `it ${verb} ${path}, outside of the project`);
  }
}

const rm: Program = (args, does) => {
  const { options, operands, unsure } = parseArgs(args, {
    knows: "recursive force no-preserve-root interactive dir verbose",
  });
  const all = options.some(({ name }) => name === "r" || name === "R" || name === "recursive");
  if (options.some(({ name }) => name === "no-preserve-root"))
    does.level("critical", "rm --no-preserve-root spares nothing");
  for (const path of operands) {
    if (all || (unsure && path.many)) lost(path, does, "removes");
    does.write(path);
  }
};

const mode: Program = (args, does, name) => {
  const words = args.filter(({ shape }) => !/^-[a-zA-Z]*$|^--/.test(shape) || /^-[rwxXst]/.test(shape));
  const flags = args.filter(({ shape }) => /^-[a-zA-Z]*$|^--/.test(shape)).map(({ shape }) => shape);
  const referred = flags.some((flag) => flag.startsWith("--ref"));
  const all = flags.some((flag) => /^-[a-zA-Z]*R|^--rec/.test(flag));
  const [rights] = referred ? [] : words;
  const open =
    name === "chmod" &&
    rights !== undefined &&
    /^(?:[0-7]*[0-7][0-7]?[2367]|.*[ao]\S*[+=]\S*w|\+?\S*[+=]rwx)/.test(rights.shape);
  if (open) does.level("high", "it lets everybody write");
  if (name === "chmod" && rights && /^0?[24-7][0-7]{3}$|\+\S*s/.test(rights.shape))
    does.level("high", "it gives rights to whoever runs it");
  for (const path of referred ? words : words.slice(1)) {
    if (all) lost(path, does, "changes the rights of");
    does.write(path);
  }
  if (all) does.level("medium", "it changes the rights of all that lies below");
};

/** `cp` and its like: the last one is written, or a folder of it. */
const copy = (takes: string, moves: "keeps" | "moves"): Program =>
  specProgram({
    operands: "none",
    takes: `S suffix ${takes}`,
    knows: "target-directory no-target-directory recursive archive",
    also(_, does, { options, operands }) {
      const named = options.find(({ name }) => name === "t" || name === "target-directory")?.value;
      const into = named ?? operands.at(-1);
      const from = named ? operands : operands.slice(0, -1);
      if (into) does.write(into);
      const all = options.some(({ name }) => /^(?:r|R|a|recursive|archive)$/.test(name));
      for (const path of from) {
        if (all) does.readAll(path);
        else does.read(path);
        if (moves === "moves") {
          lost(path, does, "moves");
          does.write(path);
        }
        // What is put into a folder has its own name there.
        const name = path.text?.split("/").findLast((part) => part !== "");
        if (into && name && name !== "." && name !== ".." && into.text !== undefined)
          does.write(exact(`${into.text}/${name}`));
        else if (into && path.shape.includes(matched) && into.text)
          does.write({ text: undefined, shape: `${into.text}/${matched}` });
      }
    },
  });

const link: Program = (args, does) => {
  const { operands, options } = parseArgs(args, { takes: "t S target-directory suffix", knows: "symbolic force" });
  const named = options.find(({ name }) => name === "t" || name === "target-directory")?.value;
  const [to, from = exact((to?.text ?? "").split("/").at(-1) || ".")] = named ? [operands[0], named] : operands;
  if (!to) return;
  does.write(from);
  does.read(to);
  // A soft link leads on from where it lies.
  const soft = options.some(({ name }) => name === "s" || name === "symbolic");
  for (const { path } of does.paths(from)) {
    const target =
      soft && to.text !== undefined ? posix.resolve(posix.dirname(path), to.text) : does.paths(to)[0]?.path;
    does.scene.links.set(path, to.text === undefined ? undefined : target);
  }
};

const written = (takes: string, more: Parameters<typeof specProgram>[0] = {}) =>
  specProgram({ operands: "write", takes, ...more });

const dd: Program = (args, does) => {
  for (const { text, shape } of args) {
    const [, key, path = ""] = /^(if|of)=([\s\S]*)$/.exec(shape) ?? [];
    const file: Arg = text === undefined ? { text, shape: path } : exact(path);
    if (key === "if") {
      does.level("critical", "dd copies whole devices");
      does.read(file);
    } else if (key === "of") does.write(file);
  }
};

/** What a patch says that it changes. */
const patch: Program = (args, does) => {
  const { options, operands } = parseArgs(args, {
    takes: "p d i o r F B D V z strip directory input output reject-file",
    knows: "dry-run",
  });
  const { input } = does.scene;
  const value = (...names: string[]) => options.find(({ name }) => names.includes(name))?.value;
  for (const file of operands) does.write(file);
  for (const file of [value("o", "output"), value("r", "reject-file"), value("d", "directory")])
    if (file) does.write(file);
  const from = value("i", "input") ?? operands[1];
  if (from) does.read(from);
  const text = input && input.kind !== "unknown" ? input.text : undefined;
  if (text === undefined || from) {
    does.effect("write inside");
    return does.opaque("a patch writes the files that it names");
  }
  for (const [, path = ""] of text.matchAll(/^(?:\+\+\+|---|\*\*\*|rename to|Index:) (?:[ab]\/)?([^\t\n]+)/gm))
    if (path !== "/dev/null") does.write(exact(path));
};

/** Programs that change files. */
export const changing: ProgramTable = {
  rm,
  ...each("unlink rmdir", written("")),
  ...each("chmod chown chgrp setfacl chattr", mode),
  cp: copy("t target-directory", "keeps"),
  install: copy("t m o g target-directory mode owner group", "keeps"),
  mv: copy("t target-directory", "moves"),
  rename: specProgram({
    does: ["write inside"],
    hides: "-",
    also: (_, does) => does.opaque("rename runs a script over names"),
  }),
  ln: link,
  mkdir: written("m mode"),
  touch: written("t d r date reference time"),
  mkfifo: written("m mode"),
  mktemp: specProgram({ operands: "none", takes: "p tmpdir suffix", does: ["write inside"], writes: "p tmpdir" }),
  truncate: written("s size r reference"),
  tee: written(""),
  sponge: written(""),
  split: specProgram({ takes: "b l n a C bytes lines number suffix-length", runs: "filter", does: ["write inside"] }),
  csplit: specProgram({ takes: "f b n prefix", does: ["write inside"] }),
  shred: specProgram({ operands: "write", takes: "n s iterations size", severity: ["high", "shred destroys files"] }),
  ...each(
    "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress",
    written("S suffix", { writes: "o output-dir-flat output-dir-mirror" }),
  ),
  patch,
  dd,
  ...each("dos2unix unix2dos", written("")),
};
