import type { CommandEffects } from "../command-effects.ts";
import { type Arg, anything, exact } from "../value/argument.ts";
import { type ParsedArgs, parseArgs } from "./option.ts";
import { each, type Program, type ProgramTable, specProgram } from "./plain.ts";

const form = {
  takes:
    "f C T X b I F g H K N V file directory files-from exclude exclude-from use-compress-program to-command checkpoint-action info-script new-volume-script rsh-command rmt-command transform strip-components index-file volno-file listed-incremental L",
  knows: "extract get list create append update delete diff compare to-stdout unlink-first absolute-names remove-files",
};

const running =
  /^(?:to-command|use-compress-program|I|checkpoint-action|info-script|F|new-volume-script|rsh-command|rmt-command)$/;

/** The first word may be letters without a dash, which take the next words in turn: `xzf a.tgz`. */
function unbundled(args: readonly Arg[]): readonly Arg[] {
  const [first, ...rest] = args;
  if (first?.text === undefined || !/^[a-zA-Z]+$/.test(first.text)) return args;
  const words: Arg[] = [];
  for (const letter of first.text) {
    words.push(exact(`-${letter}`));
    const value = "fCTXbIFgHKNVL".includes(letter) ? rest.shift() : undefined;
    if (value) words.push(value);
  }
  return [...words, ...rest];
}

const tar: Program = (args, does) => {
  const got = parseArgs(unbundled(args), form);
  for (const { name, value } of got.options) {
    if (running.test(name)) {
      does.effect("exec");
      const { text } = value ?? {};
      does.script(text === undefined ? anything : exact(text.replace(/^exec=/, "")), "what tar runs");
    }
    if (value && /^(?:T|files-from|X|exclude-from)$/.test(name)) does.read(value);
    if (/^(?:T|files-from)$/.test(name)) does.opaque("the list that tar reads may hold options");
    if (value && /^(?:index-file|volno-file|g|listed-incremental)$/.test(name)) does.write(value);
    // A colon is another machine's, and a program gets there.
    if (value && /^(?:f|file)$/.test(name) && value.shape.includes(":"))
      does.opaque("the archive is on another machine");
  }
  if (got.unsure) does.opaque("a word of tar is known when it runs and may be an option");
  for (const [sign, program] of packers)
    if (sign.test(got.options.map(({ name, value }) => `${name} ${value?.text ?? ""}`).join("\n")))
      does.run([exact("sh"), exact("-c"), exact(program)]);
  packed(got, does);
};

/** What tar has others do, by its options or the name of the archive. */
const packers: readonly (readonly [RegExp, string])[] = [
  [/^(?:z|gzip) |gz$/m, "gzip"],
  [/^(?:j|bzip2) |bz2$/m, "bzip2"],
  [/^(?:J|xz) |xz$/m, "xz"],
  [/^zstd |zst$/m, "zstd"],
];

function packed({ options, operands }: ParsedArgs, does: CommandEffects): undefined {
  const has = (...names: string[]) => options.some(({ name }) => names.includes(name));
  const value = (...names: string[]) => options.find(({ name }) => names.includes(name))?.value;
  const archive = value("f", "file");
  const folder = value("C", "directory");
  if (has("P", "absolute-names")) does.opaque("tar -P writes wherever the archive says");
  if (has("x", "extract", "get")) {
    if (archive) does.read(archive);
    for (const member of operands) does.mention(member);
    if (has("O", "to-stdout")) return;
    does.write(folder ?? exact("."));
    return does.opaque("an archive writes the files that it names");
  }
  for (const path of folder ? [...operands, folder] : operands) does.readAll(path);
  if (has("remove-files", "delete")) does.level("high", "tar removes files");
  if (!archive) return;
  if (has("t", "list", "d", "diff", "compare")) does.read(archive);
  else does.write(archive);
}

const unzip: Program = specProgram({
  operands: "none",
  takes: "d x P",
  hides: "T",
  also(args, does, { options, operands }) {
    if (operands[0]) does.read(operands[0]);
    for (const member of operands.slice(1)) does.mention(member);
    // `--l` takes back what `-l` said.
    if (args.some(({ text }) => text === undefined || /^-.*-/.test(text)))
      does.opaque("an option of unzip may take back another");
    if (options.some(({ name }) => /^[lvtzZpc]$/.test(name))) return;
    does.write(options.find(({ name }) => name === "d")?.value ?? exact("."));
    does.opaque("an archive writes the files that it names");
  },
});

const zip: Program = specProgram({
  operands: "none",
  takes: "b i x n t P",
  hides: "T unzip-command",
  also(_, does, { operands, options }) {
    for (const [index, path] of operands.entries()) index === 0 ? does.write(path) : does.readAll(path);
    if (options.some(({ name }) => name === "m" || name === "move")) does.level("high", "zip -m removes what it packs");
  },
});

export const packing: ProgramTable = {
  ...each("tar gtar bsdtar", tar),
  unzip,
  zip,
  ...each(
    "7z 7za cpio ar unrar",
    specProgram({
      does: ["write inside"],
      also: (_, does) => does.opaque("an archive writes the files that it names"),
    }),
  ),
};
