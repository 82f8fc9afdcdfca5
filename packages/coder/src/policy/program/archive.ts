import { anything, exact } from "../argument.ts";
import type { Deeds } from "../deeds.ts";
import { type Given, given } from "./option.ts";
import { each, type Program, plain, type Table } from "./plain.ts";

const form = {
  takes:
    "f C T X b I F g H K N V file directory files-from exclude exclude-from use-compress-program to-command checkpoint-action info-script new-volume-script rsh-command rmt-command transform strip-components",
  knows: "extract get list create append update delete diff compare to-stdout unlink-first absolute-names remove-files",
};

const running =
  /^(?:to-command|use-compress-program|I|checkpoint-action|info-script|F|new-volume-script|rsh-command|rmt-command)$/;

const tar: Program = (args, does) => {
  // The first word may be letters without a dash: `xzf a.tgz`.
  const [first, ...rest] = args;
  const bundled =
    first?.text !== undefined && /^[a-zA-Z]+$/.test(first.text) ? [exact(`-${first.text}`), ...rest] : args;
  const got = given(bundled, form);
  for (const { name, value } of got.options) {
    if (running.test(name)) {
      does.effect("exec");
      const { text } = value ?? {};
      does.script(text === undefined ? anything : exact(text.replace(/^exec=/, "")), "what tar runs");
    }
    if (value && /^(?:T|files-from|X|exclude-from)$/.test(name)) does.read(value);
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

function packed({ options, operands }: Given, does: Deeds): undefined {
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

const unzip: Program = plain({
  operands: "none",
  takes: "d x P",
  also(_, does, { options, operands }) {
    if (operands[0]) does.read(operands[0]);
    for (const member of operands.slice(1)) does.mention(member);
    if (options.some(({ name }) => /^[lvtzZpc]$/.test(name))) return;
    does.write(options.find(({ name }) => name === "d")?.value ?? exact("."));
    does.opaque("an archive writes the files that it names");
  },
});

const zip: Program = plain({
  operands: "none",
  takes: "b i x n t P",
  runs: "TT unzip-command",
  also(_, does, { operands, options }) {
    for (const [index, path] of operands.entries()) index === 0 ? does.write(path) : does.readAll(path);
    if (options.some(({ name }) => name === "m" || name === "move")) does.level("high", "zip -m removes what it packs");
  },
});

export const packing: Table = {
  ...each("tar gtar bsdtar", tar),
  unzip,
  zip,
  ...each(
    "7z 7za cpio ar unrar",
    plain({ does: ["write inside"], also: (_, does) => does.opaque("an archive writes the files that it names") }),
  ),
};
