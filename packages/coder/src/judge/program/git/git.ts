import { posix } from "node:path";
import type { CommandEffects } from "../../command-effects.ts";
import { type Arg, exact, mayBeOption, shellText } from "../../value/argument.ts";
import { parseArgs } from "../option.ts";
import type { Program, ProgramTable } from "../plain.ts";
import { aliased, configured, handed } from "./git-config.ts";
import { content } from "./git-content.ts";
import { changes, risky, runs } from "./git-run.ts";
import { levels } from "./git-severity.ts";

/** Subcommands that only look, whatever they are given but what `dangerous` names. */
const looks = new Set(
  `status log show diff blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev
  merge-base grep for-each-ref show-ref show-branch var count-objects check-ignore check-attr check-ref-format
  check-mailmap cherry range-diff diff-tree diff-files diff-index version
  get-tar-commit-id patch-id stripspace column`.split(/\s+/),
);

/** Subcommands that look when they are called like this, the options before the first word left out. */
const looksSo = new Map(
  Object.entries({
    branch:
      /^(?:(?:-[avrlq]+|--(?:all|list|remotes|show-current|verbose|no-color|color=\w+|merged|no-merged|contains|no-contains|points-at|sort=\S+|column|ignore-case)) ?)*(?:--format=\S*)?$|^(?:--list|-l|--(?:no-)?(?:merged|contains)|--points-at) [^\n]*$/,
    tag: /^$|^--sort\S*$|^(?:-l|--list|-n\d*|--contains|--points-at|--(?:no-)?merged)(?: [^\n]*)?$/,
    remote: /^(?:-v|--verbose|)$|^get-url /,
    stash: /^(?:list|show)(?: |$)/,
    config:
      /^(?:--(?:local|global|system|worktree|show-origin|show-scope|null|name-only|type=\w+|includes) ?)*(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list|--get-color\w*)(?: |$)|^[a-zA-Z][\w-]*\.[\w.-]+$/,
    worktree: /^list(?: |$)/,
    notes: /^(?:list|show)?(?: |$)/,
    reflog: /^(?:show(?: |$)|HEAD|-|$)/,
    "symbolic-ref": /^(?:(?:-q|--quiet|--short) )*\S+$/,
    bundle: /^(?:verify|list-heads)(?: |$)/,
    apply:
      /^(?=(?:\S+ )*--(?:check|stat|numstat|summary)(?: |$))(?:(?:--(?:check|stat|numstat|summary|verbose|reverse)|-v|-R|-p\d+|[^-\s]\S*)(?: |$))+$/,
    help: /^-a|^--all/,
    "hash-object": /^(?!(?:[^\n]* )?-w)/,
  }),
);

const git: Program = (args, does) => {
  const { options, operands, unsure } = parseArgs(args, {
    takes: "C c git-dir work-tree namespace exec-path super-prefix config-env attr-source list-cmds",
    knows: "no-pager paginate bare version help",
    stops: "at operand",
  });
  const [name, ...rest] = operands;
  for (const { name: option, value } of options) {
    if (option === "c") handed(value, does);
    else if (/^(?:exec-path|git-dir|work-tree|config-env|attr-source)$/.test(option) && value)
      does.opaque(`git --${option} has it trust something else`);
    else if (option === "p" || option === "paginate") does.effect("exec");
    else if (option === "C" && value) does.read(value);
  }
  if (!name) return;
  if (unsure && (name.text === undefined || name.many)) return does.opaque("what git does is known when it runs");
  const directory = options.find(({ name: option }) => option === "C")?.value;
  subcommand(name.text ?? "", rest, directory, does);
};

function subcommand(name: string, rest: readonly Arg[], directory: Arg | undefined, does: CommandEffects): undefined {
  const known = looks.has(name) || looksSo.has(name) || changes.has(name);
  const alias = known ? undefined : aliased(name, directory, does);
  if (alias !== undefined) {
    does.effect("exec");
    return does.scene.script(`${alias.startsWith("!") ? alias.slice(1) : `git ${alias}`} ${shellText(rest)}`);
  }
  // A blank stands between words only.
  const line = rest.map(({ shape }) => shape.replace(/\s/g, "_")).join(" ");
  const reads = looks.has(name) || (looksSo.get(name)?.test(line) ?? false);
  const end = rest.findIndex(({ text }) => text === "--");
  const words = end === -1 ? rest : rest.slice(0, end);
  uncertain(name, words, reads, does);
  for (const [index, word] of words.entries()) risky(name, word, words[index + 1], does);
  files(name, rest, words, does);
  if (reads) told(rest, directory, does);
  content(name, rest, directory, does);
  configured(directory, reads ? "reads" : "changes", does);
  levels(name, rest, reads, does);
  if (reads) {
    if (name === "grep") does.below(directory ?? exact("."));
    return does.effect("read inside");
  }
  does.effect("write inside");
  if (!known) does.effect("exec");
  runs(name, rest, does);
}

/** What may be a path among the words, also behind a revision (`HEAD:a.txt`). */
function told(rest: readonly Arg[], directory: Arg | undefined, does: CommandEffects): undefined {
  const at = (path: string) => exact(directory?.text === undefined ? path : posix.join(directory.text, path));
  for (const { text } of rest) {
    if (text === undefined || text === "" || text.startsWith("-")) continue;
    for (const path of [text, text.slice(text.indexOf(":") + 1)]) if (!path.startsWith("/")) does.mention(at(path));
  }
}

/** Files that need not be the repository's. */
function files(name: string, rest: readonly Arg[], words: readonly Arg[], does: CommandEffects): undefined {
  const free = words.some(({ text }) => /^--no-i/.test(text ?? ""));
  for (const word of name === "diff" || free ? rest : [])
    if (/^(?:\/|\.\.)/.test(word.shape) || (free && !word.shape.startsWith("-"))) does.read(word);
  if (name !== "config") return;
  for (const { name: option, value } of parseArgs(rest, { takes: "f file blob" }).options)
    if (value && /^(?:f|file)$/.test(option)) does.read(value);
}

/** Words that are not known, where git might take them for options. */
function uncertain(name: string, words: readonly Arg[], reads: boolean, does: CommandEffects): undefined {
  // What stands behind -m is a text, whatever that is.
  const valued = /^(?:-\w*[mFbB]|--message|--file|--author)$/;
  const free = words.filter((word, at) => word.many || !valued.test(words[at - 1]?.text ?? ""));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the two signs for what is not known
  const harmless = reads && free.every((word) => !word.many && !/^[\0\x01-]/.test(word.shape));
  if (free.some(mayBeOption) && !harmless)
    does.opaque(`a word of git ${name} is known when it runs and may be an option`);
}

export const versioning: ProgramTable = { git };
