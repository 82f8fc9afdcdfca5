import type { ShellDefinitions } from "@pith/host";
import { literalText } from "../../../bash/expand.ts";
import type { Parsed } from "../../../bash/parse.ts";
import type { List, Redirect, ShellSyntax, Simple, Word, WordSegment } from "../../../bash/tree.ts";

/**
 * True when a command certainly leaves its shell as it was, whatever it does elsewhere: programs run in processes of
 * their own. One that was not understood may change it.
 */
export function leavesShellUnchanged(read: Parsed, memory: ShellDefinitions | undefined): boolean {
  return memory !== undefined && read.ok && leavesAll(read.value, namesIn(memory));
}

/** Names that stand for something of the shell's own. */
type Names = Pick<ReadonlySet<string>, "has">;

const leavesAll = ({ items }: List, names: Names): boolean =>
  items.every(({ pipeline, behind }) => behind !== "&" && pipeline.commands.every((one) => leaves(one, names)));

function leaves(command: ShellSyntax, names: Names): boolean {
  if (command.kind === "simple") return leavesSimple(command, names);
  if (command.kind !== "compound" || !command.redirects.every(isPlainRedirect)) return false;
  // What a shell below does to itself ends with it.
  if (command.is === "subshell") return true;
  return (command.is === "group" || command.is === "if") && command.lists.every((list) => leavesAll(list, names));
}

function leavesSimple({ assigns, words, redirects }: Simple, names: Names): boolean {
  const [program, ...args] = words;
  const name = program && literalText(program);
  if (name === undefined || assigns.length > 0 || names.has(name)) return false;
  if (name === "printf" ? !isPlainFormat(args[0]) : builtins.has(name) && !harmless.has(name)) return false;
  return words.every(isPlain) && redirects.every(isPlainRedirect);
}

/** `-v` and `%n` put something into a variable. */
const isPlainFormat = (format: Word | undefined): boolean =>
  /^(?!-)(?:[^%]|%[^a-zA-Z]*(?!n)[a-zA-Z])*$/.test((format && literalText(format)) ?? "-");

/** Variables and what other shells say are only read; sums and `${name:=text}` may set something. */
const isPlain = ({ segments }: Word): boolean => segments.every(isPlainPiece);
const isPlainPiece = (piece: WordSegment): boolean =>
  piece.kind !== "dynamic" ||
  piece.of === "command" ||
  piece.of === "process" ||
  (piece.of === "parameter" && piece.name !== undefined);

/** `{name}>file` sets a variable. */
const isPlainRedirect = ({ fd, target, body }: Redirect): boolean =>
  (fd === undefined || /^\d+$/.test(fd)) && isPlain(target) && (body === undefined || isPlain(body));

const harmless = new Set([":", "echo", "false", "pwd", "true"]);

const builtins = new Set(
  (
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo " +
    "enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd " +
    "printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type " +
    "typeset ulimit umask unalias unset wait"
  ).split(" "),
);

let known: { texts: readonly string[]; names: Names } | undefined;

/** The functions and aliases of a shell; every name, where a variable may stand for a sum. */
function namesIn({ now }: ShellDefinitions): Names {
  if (known && known.texts.length === now.length && now.every((text, at) => text === known?.texts[at]))
    return known.names;
  const found = now.flatMap((text) => [...text.matchAll(/^(?:(\S+) \(\) ?|alias (?:-- )?([^=\n]+)=.*)$/gm)]);
  const names = now.some((text) => /^declare -\S*n/m.test(text))
    ? { has: () => true }
    : new Set(found.map(([, own, alias]) => own ?? alias ?? ""));
  known = { texts: now, names };
  return names;
}
