import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, matched } from "../word.ts";
import { lineOf, type ProgramCode, touchOperands } from "./call.ts";
import type { ParsedArgs } from "./option.ts";

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

const rm: ProgramCode = ({ parsed }, does) => {
  const all = parsed.has("r", "R", "recursive");
  if (parsed.has("no-preserve-root")) does.level("critical", "rm --no-preserve-root spares nothing");
  for (const path of parsed.operands) {
    if (all || (parsed.unsure && path.many)) lost(path, does, "removes");
    does.write(path);
  }
};

const mode: ProgramCode = ({ args, name }, does) => {
  const isFlag = ({ shape }: Arg) => /^-[a-zA-Z]*$|^--/.test(shape);
  const words = args.filter((arg) => !isFlag(arg) || /^-[rwxXst]/.test(arg.shape));
  const flags = args.filter(isFlag).map(({ shape }) => shape);
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

/** Judges `cp` and its like: the last operand is written, or a folder of it. */
const copy =
  (moves: "keeps" | "moves"): ProgramCode =>
  ({ parsed }, does) => {
    const named = parsed.value("t", "target-directory");
    const into = named ?? parsed.operands.at(-1);
    const all = parsed.has("r", "R", "a", "recursive", "archive");
    if (into) does.write(into);
    for (const path of named ? parsed.operands : parsed.operands.slice(0, -1)) {
      if (all) does.readAll(path);
      else does.read(path);
      if (moves === "moves") {
        lost(path, does, "moves");
        does.write(path);
      }
      // What is put into a folder has its own name there.
      const name = path.text?.split("/").findLast((part) => part !== "");
      if (into?.text !== undefined && name && name !== "." && name !== "..") does.write(exact(`${into.text}/${name}`));
      else if (into?.text && path.shape.includes(matched))
        does.write({ text: undefined, shape: `${into.text}/${matched}` });
    }
  };

const link: ProgramCode = ({ parsed }, does) => {
  const named = parsed.value("t", "target-directory");
  const [to, second] = parsed.operands;
  if (!to) return;
  const from = named ?? second ?? exact((to.text ?? "").split("/").at(-1) || ".");
  does.write(from);
  does.read(to);
  does.leadTo(to);
  for (const { path } of does.paths(from)) does.context.links.add(path);
};

const dd: ProgramCode = ({ args }, does) => {
  for (const { text, shape } of args) {
    const [, key, path = ""] = /^(if|of)=([\s\S]*)$/.exec(shape) ?? [];
    const file: Arg = text === undefined ? { text, shape: path } : exact(path);
    if (key === "if") does.level("critical", "dd copies whole devices");
    if (key === "if") does.read(file);
    else if (key === "of") does.write(file);
  }
};

const patch: ProgramCode = ({ parsed }, does) => {
  for (const file of parsed.operands) does.write(file);
  const text = parsed.value("i", "input") ? undefined : does.context.input?.text;
  if (text === undefined) {
    does.effect("write inside");
    return does.opaque("a patch writes the files that it names");
  }
  for (const [, path = ""] of text.matchAll(/^(?:\+\+\+|---|\*\*\*|rename to|Index:) (?:[ab]\/)?([^\t\n]+)/gm))
    if (path !== "/dev/null") does.write(exact(path));
};

const sed: ProgramCode = (call, does) => {
  const { operands } = call.parsed;
  const scripts = call.parsed.values(new Set(["e", "expression"]));
  const stated = scripts.length > 0 || call.parsed.has("f", "file");
  for (const { text } of stated ? scripts : operands.slice(0, 1))
    if (text === undefined || /(?:^|[;\n{}\d$/!]\s*)[eWwr]\b|[/|#,:@!%][gpiIm0-9]*[ew]/.test(text))
      does.opaque("the script of sed may write files or run programs");
  touchOperands(call, does);
  if (call.parsed.has("i", "in-place")) for (const file of stated ? operands : operands.slice(1)) does.write(file);
};

const awk: ProgramCode = ({ parsed: { operands, has } }, does) => {
  const stated = has("f", "file");
  const [script] = stated ? [] : operands;
  if (stated || (script && (script.text === undefined || /system|getline|\||@|>(?!=?\s*\d)/.test(script.text))))
    does.opaque("the program of awk may write files or run programs");
  for (const file of stated ? operands : operands.slice(1)) if (!/^\w+=/.test(file.shape)) does.read(file);
};

const runsInTar = /^(?:to-command|use-compress-program|I|checkpoint-action|info-script|F|rsh-command)$/;

const tar: ProgramCode = ({ args, parsed }, does) => {
  for (const { name, value: given } of parsed.options)
    if (given && runsInTar.test(name)) {
      does.effect("exec");
      does.script(given.text === undefined ? given : exact(given.text.replace(/^exec=/, "")), "what tar runs");
    }
  if (lineOf(args).includes("…")) does.opaque("a word of tar is known when it runs and may be an option");
  const [archive, folder] = [parsed.value("f", "file"), parsed.value("C", "directory")];
  if (parsed.has("x", "extract", "get")) unpacked(archive, parsed, folder, does);
  else packed(archive, parsed, folder, does);
};

function unpacked(
  archive: Arg | undefined,
  { operands, has }: ParsedArgs,
  folder: Arg | undefined,
  does: CommandEffects,
) {
  if (archive) does.read(archive);
  for (const member of operands) does.mention(member);
  if (has("O", "to-stdout")) return;
  does.write(folder ?? exact("."));
  does.opaque("an archive writes the files that it names");
}

function packed(
  archive: Arg | undefined,
  { operands, has }: ParsedArgs,
  folder: Arg | undefined,
  does: CommandEffects,
) {
  for (const path of folder ? [...operands, folder] : operands) does.readAll(path);
  if (has("remove-files", "delete")) does.level("high", "tar removes files");
  if (archive && has("t", "list", "d", "diff", "compare")) does.read(archive);
  else if (archive) does.write(archive);
}

const unzip: ProgramCode = ({ parsed }, does) => {
  const [archive, ...members] = parsed.operands;
  if (parsed.has("l", "v", "t", "z", "Z", "p", "c")) {
    if (archive) does.read(archive);
    for (const member of members) does.mention(member);
  } else unpacked(archive, { ...parsed, operands: members }, parsed.value("d"), does);
};

const zip: ProgramCode = ({ args, parsed: { operands } }, does) => {
  const tester = args[args.findIndex(({ text }) => text === "-TT" || text === "--unzip-command") + 1];
  if (tester && tester !== args[0]) does.script(tester, "what zip runs");
  for (const [index, path] of operands.entries()) index === 0 ? does.write(path) : does.readAll(path);
};

/** Code of programs that change files. */
export const changing: Readonly<Record<string, ProgramCode>> = {
  rm,
  mode,
  copy: copy("keeps"),
  move: copy("moves"),
  link,
  dd,
  patch,
  sed,
  awk,
  tar,
  unzip,
  zip,
};
