import type { CommandEffects } from "../../command-effects.ts";
import { type Arg, anything, exact } from "../../value/argument.ts";
import { parseArgs } from "../option.ts";
import { handed, runsProgram } from "./git-config.ts";

/** Subcommands that change something. */
export const changes = new Set(
  `add commit checkout switch restore merge rebase pull fetch clone push reset clean rm mv init am cherry-pick
  revert gc prune repack replace sparse-checkout update-index update-ref write-tree commit-tree read-tree mktree
  fast-import filter-branch maintenance submodule bisect difftool mergetool send-email credential archive
  format-patch ls-remote`.split(/\s+/),
);

/** Options by which git runs or writes something else, of any subcommand. */
const dangerous: readonly (readonly [RegExp, "runs" | "writes" | "hides"])[] = [
  [/^--(?:upload-pack|receive-pack|exec|extcmd|open-files-in-pager|tool-cmd|pager)(?:=|$)/, "runs"],
  [/^--(?:output|output-directory)(?:=|$)/, "writes"],
  [
    /^--(?:ext-diff|textconv|filters|show-signature|template|config-env|config|hook-path|remote|contents)(?:=|$)/,
    "hides",
  ],
];

/** Abbreviations count: git takes `--upl` for `--upload-pack`. */
const long = `upload-pack receive-pack extcmd open-files-in-pager output output-directory template ext-diff textconv
  filters show-signature config-env contents tool-cmd`.split(/\s+/);
const whole = /^--(?:text|filter|no|ex?|o|c|con|te?|s|sh|show|f|fi|up?|re?|tool|template)$/;

function isShort(text: string): boolean {
  const [written = ""] = text.split("=", 1);
  return (
    written.length > 2 &&
    written.startsWith("--") &&
    !whole.test(written) &&
    long.some((name) => `--${name}`.startsWith(written))
  );
}

/** Letters that mean the same as those of some subcommands. */
const letters: readonly (readonly [RegExp, "runs" | "writes" | "sets"])[] = [
  [/^(?:rebase|difftool) -x/, "runs"],
  [/^clone -u/, "runs"],
  [/^grep -O/, "runs"],
  [/^clone -c/, "sets"],
  [/^(?:archive|format-patch|bundle) -o/, "writes"],
];

/** An option that runs, writes or hides something. */
export function risky(name: string, { text }: Arg, next: Arg | undefined, does: CommandEffects): undefined {
  if (text === undefined) return;
  if (/^(?:ext|fd)::|^--?[^=]*=ext::/.test(text)) does.level("high", "an ext:: address names what is run");
  // A format may have signatures looked at, which gpg does.
  if (/^--(?:format|pretty).*%G/.test(text)) does.effect("exec");
  if (name === "grep" && /^-[a-zA-Z0-9]+O/.test(text)) return does.opaque("its -O runs a program on what is found");
  if (name === "clone" && text === "--config") return handed(next, does);
  const told = dangerous.find(([pattern]) => pattern.test(text))?.[1] ?? (isShort(text) ? "hides" : undefined);
  if (told === "hides") return does.opaque(`git ${name} ${text} may run a program`);
  const short = told ? undefined : letters.find(([pattern]) => pattern.test(`${name} ${text.slice(0, 2)}`))?.[1];
  const from = told ? text.indexOf("=") + 1 : 2;
  const value = from > 0 && from < text.length ? exact(text.slice(from)) : next;
  const kind = told ?? short;
  if (!kind || !value) return;
  if (kind === "writes") does.write(value);
  else if (kind === "sets") handed(value, does);
  else ran(value, does);
}

function ran(value: Arg, does: CommandEffects): undefined {
  does.effect("exec");
  does.script(value, "what git runs");
}

const talks = /^(?:clone|fetch|pull|push|ls-remote|submodule|remote|send-email|lfs)$/;
/** Those that run hooks of the repository, or are scripts. */
const hooked =
  /^(?:commit|merge|rebase|checkout|switch|pull|am|cherry-pick|revert|push|clone|worktree|gc|fetch|submodule|lfs|bisect|difftool|mergetool|filter-branch)$/;

/** What a subcommand that changes something runs or talks to. */
export function runs(name: string, rest: readonly Arg[], does: CommandEffects): undefined {
  if (talks.test(name)) does.effect("net");
  if (hooked.test(name)) does.effect("exec");
  if (name === "apply" || name === "am") does.opaque("a patch writes the files that it names");
  if (/^(?:difftool|mergetool|filter-branch|instaweb)$/.test(name)) does.opaque(`git ${name} runs other programs`);
  more.get(name)?.(rest, does);
}

const words = (rest: readonly Arg[]): readonly Arg[] => rest.filter(({ shape }) => !shape.startsWith("-"));

type More = (rest: readonly Arg[], does: CommandEffects) => undefined;

const more = new Map<string, More>([
  ["config", configures],
  [
    "submodule",
    ([first, ...rest], does) => {
      const texts = words(rest).map(({ text }) => text);
      if (first?.text === "foreach") ran(texts.includes(undefined) ? anything : exact(texts.join(" ")), does);
    },
  ],
  ["bisect", ([first, ...rest], does) => (first?.text === "run" ? does.run(rest) : undefined)],
  [
    "filter-branch",
    (rest, does) => {
      for (const word of words(rest)) ran(word, does);
    },
  ],
  [
    "worktree",
    (rest, does) => {
      const [action, path] = words(rest);
      if (action?.text === "add" && path) does.write(path);
    },
  ],
  ...["rm", "mv", "restore"].map((name): [string, More] => [name, (rest, does) => writes(words(rest), does)]),
  [
    "checkout",
    (rest, does) => {
      const at = rest.findIndex(({ text }) => text === "--");
      if (at !== -1) writes(rest.slice(at + 1), does);
    },
  ],
  [
    "clone",
    (rest, does) => {
      const takes = "b o u c j depth branch origin upload-pack config reference template filter jobs";
      const [, into] = parseArgs(rest, { takes }).operands;
      if (into) does.write(into);
    },
  ],
]);

function writes(paths: readonly Arg[], does: CommandEffects): undefined {
  for (const path of paths) does.write(path);
}

/** `git config key value`: who writes what git runs, runs it later. */
function configures(rest: readonly Arg[], does: CommandEffects): undefined {
  const [first, second] = words(rest);
  const key = /^(?:set|unset|edit|rename-section|remove-section)$/.test(first?.text ?? "") ? second : first;
  const wide = rest.find(({ text }) => /^--(?:global|system|file|f)\b|^-f/.test(text ?? ""));
  if (wide) does.level("high", `git config ${wide.text} changes git for everything`);
  if (!key || key.text === undefined || rest.some(({ text }) => text === "-e" || text === "--edit"))
    return does.opaque("what git config sets is known when it runs");
  if (!runsProgram(key.text)) return;
  does.guard ??= `git runs what ${key.text} names`;
  does.level("high", `git runs what ${key.text} names`);
}
