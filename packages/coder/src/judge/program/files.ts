import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, matched } from "../word.ts";
import { type ParsedArgs, parseArgs } from "./option.ts";
import { each, lineOf, type Program, type ProgramTable, program, type Spec } from "./spec.ts";

/** Folders without which a machine, or a person's files, are gone. */
const vital = /^\/(?:[^/]*|home\/[^/]+|Users\/[^/]+|usr\/(?:bin|lib|local|sbin|share)|var\/lib|mnt\/[^/]+)(?:\/\*)?$/;

/** Tells how bad it is to lose a path with all below it. */
export function lost(arg: Arg, does: CommandEffects, verb: string): undefined {
  const { home, roots } = does.context.state;
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
  const rights = referred || name !== "chmod" ? "" : (words[0]?.shape ?? "");
  if (/^(?:[0-7]*[0-7][0-7]?[2367]|.*[ao]\S*[+=]\S*w|\+?\S*[+=]rwx)/.test(rights))
    does.level("high", "it lets everybody write");
  if (/^0?[24-7][0-7]{3}$|\+\S*s/.test(rights)) does.level("high", "it gives rights to whoever runs it");
  for (const path of referred ? words : words.slice(1)) {
    if (all) lost(path, does, "changes the rights of");
    does.write(path);
  }
  if (all) does.level("medium", "it changes the rights of all that lies below");
};

/** `cp` and its like: the last one is written, or a folder of it. */
const copy = (takes: string, moves: "keeps" | "moves"): Program =>
  program({
    operands: "any",
    takes: `S suffix t target-directory ${takes}`,
    knows: "no-target-directory recursive archive",
    also(_, does, { options, operands }) {
      const named = options.find(({ name }) => name === "t" || name === "target-directory")?.value;
      const into = named ?? operands.at(-1);
      if (into) does.write(into);
      const all = options.some(({ name }) => /^(?:r|R|a|recursive|archive)$/.test(name));
      for (const path of named ? operands : operands.slice(0, -1)) {
        if (all) does.readAll(path);
        else does.read(path);
        if (moves === "moves") {
          lost(path, does, "moves");
          does.write(path);
        }
        // What is put into a folder has its own name there.
        const name = path.text?.split("/").findLast((part) => part !== "");
        if (into?.text !== undefined && name && name !== "." && name !== "..")
          does.write(exact(`${into.text}/${name}`));
        else if (into?.text && path.shape.includes(matched))
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
  does.leadTo(to);
  for (const { path } of does.paths(from)) does.context.links.add(path);
};

const dd: Program = (args, does) => {
  for (const { text, shape } of args) {
    const [, key, path = ""] = /^(if|of)=([\s\S]*)$/.exec(shape) ?? [];
    const file: Arg = text === undefined ? { text, shape: path } : exact(path);
    if (key === "if") does.level("critical", "dd copies whole devices");
    if (key === "if") does.read(file);
    else if (key === "of") does.write(file);
  }
};

/** The program `patch`: its files, and those that it writes by option. */
const patch: Program = (args, does) => {
  const { options, operands } = parseArgs(args, {
    takes: "p d i o r F B D V z strip directory input output reject-file",
    knows: "dry-run",
  });
  const value = (...names: string[]) => options.find(({ name }) => names.includes(name))?.value;
  for (const file of [...operands, value("o", "output"), value("r", "reject-file"), value("d", "directory")])
    if (file) does.write(file);
  const from = value("i", "input");
  if (from) does.read(from);
  const text = from ? undefined : does.context.input?.text;
  if (text === undefined) {
    does.effect("write inside");
    return does.opaque("a patch writes the files that it names");
  }
  for (const [, path = ""] of text.matchAll(/^(?:\+\+\+|---|\*\*\*|rename to|Index:) (?:[ab]\/)?([^\t\n]+)/gm))
    if (path !== "/dev/null") does.write(exact(path));
};

const sed: Program = (args, does) => {
  const inPlace = args.some(({ shape }) => /^-[nErsuz]*i|^--i/.test(shape));
  const { options, operands } = parseArgs(
    args.filter(({ shape }) => !/^-[nErsuz]*i|^--i/.test(shape)),
    { takes: "e f l expression file line-length" },
  );
  const scripts = options.filter(({ name }) => name === "e" || name === "expression").map(({ value }) => value);
  const file = options.find(({ name }) => name === "f" || name === "file")?.value;
  if (file) does.read(file);
  // BSD's -i takes the next word, which may be empty.
  const rest = operands[0]?.text === "" ? operands.slice(1) : operands;
  const stated = scripts.length > 0 || file !== undefined;
  for (const script of stated ? scripts : rest.slice(0, 1))
    if (
      script &&
      (script.text === undefined || /(?:^|[;\n{}\d$/!]\s*)[eWwr]\b|[/|#,:@!%][gpiIm0-9]*[ew]/.test(script.text))
    )
      does.opaque("the script of sed may write files or run programs");
  for (const each of stated ? rest : rest.slice(1)) {
    does.read(each);
    if (inPlace) does.write(each);
  }
};

const awk: Program = program({
  operands: "any",
  takes: "F v field-separator assign i include l load",
  reads: "f file E exec",
  also(_, does, { options, operands }) {
    const stated = options.some(({ name }) => name === "f" || name === "file");
    const [script] = stated ? [] : operands;
    if (stated || (script && (script.text === undefined || /system|getline|\||@|>(?!=?\s*\d)/.test(script.text))))
      does.opaque("the program of awk may write files or run programs");
    for (const file of stated ? operands : operands.slice(1)) if (!/^\w+=/.test(file.shape)) does.read(file);
  },
});

const runsInTar =
  /(?:to-command|use-compress-program|I|checkpoint-action|info-script|F|rsh-command)[= ]?(?:exec=)?(.*)/;
const tar: Program = (args, does) => {
  const [first = exact(""), ...rest] = args;
  const words = /^[a-zA-Z]+$/.test(first.shape) ? [exact(`-${first.shape}`), ...rest] : args;
  const parsed = parseArgs(words, {
    takes:
      "f C T X b I F g K V file directory files-from exclude exclude-from use-compress-program to-command checkpoint-action strip-components transform",
    knows: "extract get list create to-stdout absolute-names remove-files delete",
  });
  for (const { name, value: given } of parsed.options)
    if (given && runsInTar.test(name)) {
      does.effect("exec");
      does.script(given.text === undefined ? given : exact(given.text.replace(/^exec=/, "")), "what tar runs");
    }
  if (lineOf(args).includes("…")) does.opaque("a word of tar is known when it runs and may be an option");
  packed(parsed, does);
};

function packed({ options, operands }: ParsedArgs, does: CommandEffects): undefined {
  const has = (names: RegExp) => options.some(({ name }) => names.test(name));
  const value = (names: RegExp) => options.find(({ name }) => names.test(name))?.value;
  const [archive, folder] = [value(/^(?:f|file)$/), value(/^(?:C|directory)$/)];
  if (has(/^(?:x|extract|get)$/)) {
    if (archive) does.read(archive);
    for (const member of operands) does.mention(member);
    if (has(/^(?:O|to-stdout)$/)) return;
    does.write(folder ?? exact("."));
    return does.opaque("an archive writes the files that it names");
  }
  for (const path of folder ? [...operands, folder] : operands) does.readAll(path);
  if (has(/^(?:remove-files|delete)$/)) does.level("high", "tar removes files");
  if (archive && has(/^(?:t|list|d|diff|compare)$/)) does.read(archive);
  else if (archive) does.write(archive);
}

const unzip = program({
  operands: "any",
  takes: "d x P",
  also(_, does, { options, operands: [archive, ...members] }) {
    if (archive) does.read(archive);
    for (const member of members) does.mention(member);
    if (options.some(({ name }) => /^[lvtzZpc]$/.test(name))) return;
    does.write(options.find(({ name }) => name === "d")?.value ?? exact("."));
    does.opaque("an archive writes the files that it names");
  },
});

const zip = program({
  operands: "any",
  takes: "b i x n t P",
  rows: [[/^-\w*m|--move/, "high", "it removes what it packs"]],
  also(_, does, { operands }) {
    for (const [index, path] of operands.entries()) index === 0 ? does.write(path) : does.readAll(path);
  },
});

const written = (more: Spec) => program({ operands: "write", ...more });

/** Programs that change files. */
export const changing: ProgramTable = {
  rm,
  ...each("unlink rmdir truncate tee sponge dos2unix unix2dos mkfifo", written({ takes: "s size r reference m mode" })),
  ...each("chmod chown chgrp setfacl chattr", mode),
  cp: copy("", "keeps"),
  install: copy("m o g mode owner group", "keeps"),
  mv: copy("", "moves"),
  rename: program({ does: ["write inside", "opaque"] }),
  ln: link,
  mkdir: written({ takes: "m mode" }),
  touch: written({ takes: "t d r date reference time" }),
  mktemp: program({ operands: "any", does: ["write inside"], writes: "p tmpdir", takes: "suffix" }),
  split: program({ takes: "b l n a C bytes lines number", runs: "filter", does: ["write inside"] }),
  csplit: program({ takes: "f b n prefix", does: ["write inside"] }),
  shred: written({ takes: "n s iterations size", rows: [[/^/, "high", "it destroys files"]] }),
  ...each("gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress", written({ takes: "S suffix" })),
  patch,
  dd,
  ...each("sed gsed", sed),
  ...each("awk gawk mawk nawk", awk),
  ...each("tar gtar bsdtar", tar),
  unzip,
  zip,
  ...each("7z 7za cpio ar unrar", program({ operands: "any", does: ["write inside", "opaque"] })),
};
