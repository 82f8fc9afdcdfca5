import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, isUnknown } from "../word.ts";
import { parseArgs } from "./option.ts";
import { lineOf, type Program, type ProgramTable } from "./spec.ts";

/** Subcommands that only look, and how others look: by the line behind them. */
const looks = new RegExp(
  `^(?:${[
    "(?:status|log|show|diff|blame|annotate|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|cat-file|name-rev",
    "merge-base|grep|for-each-ref|show-ref|show-branch|var|count-objects|check-ignore|check-attr|check-ref-format",
    "cherry|range-diff|diff-tree|diff-files|diff-index|version|patch-id|help|whatchanged)(?: |$)",
    "(?:remote(?: -v| --verbose)?|tag|branch|notes|reflog|worktree list|stash list|stash show|bundle verify)$",
    "branch (?:-[avrlq]+|--(?:all|list|remotes|show-current|(?:no-)?(?:merged|contains)|points-at|sort=|format=))(?!.* -[dDmMcC])",
    "tag (?:-l|--list|-n\\d*|--contains|--points-at|--(?:no-)?merged)",
    "(?:stash|reflog|notes) (?:list|show)",
    "worktree list",
    "remote (?:get-url|show -n)",
    "config (?:\\S+ )*(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list)(?: |$)",
    "config [a-zA-Z][\\w-]*\\.[\\w.-]+$",
    "symbolic-ref (?:(?:-q|--quiet|--short) )*\\S+$",
    "apply (?=.*--(?:check|stat|numstat|summary))(?!.*--ap)",
    "hash-object (?!.*-w)",
  ].join("|")})`,
);

/** How bad a subcommand is, by the line that begins with it. */
const rows: readonly (readonly [words: RegExp, severity: "medium" | "high", why: string])[] = [
  [
    /^push .*(?:--force\S*|(?<= )-\w*f\w*|--mirror|--delete|--prune|(?<= )-d\b| \+\S+| :\S+)/,
    "high",
    "it overwrites what others have",
  ],
  [/^push(?!.*(?:--dry-run| -n\b))/, "high", "it gives others what was committed"],
  [/^reset .*--(?:hard|merge|keep)\b/, "high", "it drops changes that nobody kept"],
  [/^clean .*(?:-\w*f|--force)/, "high", "it removes files that nobody kept"],
  [
    /^(?:checkout|switch) (?:.* )?(?:-f|--force|--discard-changes|--|\.|-B|-C)(?: |$)/,
    "medium",
    "it drops changes of files",
  ],
  [/^restore(?!.*--staged)|^restore .*--worktree/, "medium", "it drops changes of files"],
  [/^(?:branch|tag) (?:.* )?(?:-[dDMCf]|--force|--delete)(?: |$)/, "medium", "it removes a name of commits"],
  [/^stash clear/, "high", "it drops what was set aside"],
  [/^stash drop/, "medium", "it drops what was set aside"],
  [
    /^reflog (?:expire|delete)|^gc .*(?:--prune=(?:now|all)|--aggressive)|^prune/,
    "high",
    "it drops what commits can be found by",
  ],
  [/^filter-(?:branch|repo)/, "high", "it rewrites all commits"],
  [/^update-ref .*(?:-d|--stdin)/, "high", "it removes what commits are found by"],
  [/^worktree remove .*(?:-f|--force)/, "high", "it removes files that nobody kept"],
  [/^rm .*(?:-\w*f|--force)/, "medium", "it removes changed files"],
  [/^remote (?:remove|rm|set-url|add)/, "medium", "it changes where commits go"],
  [/^(?:clone|submodule (?:add|update|deinit))/, "medium", "it fetches what others wrote"],
  [/^credential/, "high", "it deals with keys"],
  [/^send-email/, "high", "it sends mail"],
  [/^(?:maintenance (?:start|register)|daemon)/, "high", "it has git run by itself"],
  [/^config (?:.* )?(?:--global|--system|--file|-f)\b/, "high", "it changes git for everything"],
];

/** Settings whose value git runs, or by which it trusts something else. */
const running = new RegExp(
  `^(?:${[
    "core\\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|attributesfile|worktree)",
    "(?:pager|filter|credential|gpg|alias|url|browser|man|trailer|uploadpack|protocol|submodule|sendemail|tar|receive)\\.",
    "(?:instaweb|hook|extensions|http|mergetool|difftool)\\.|include|sequence\\.editor|web\\.browser|init\\.templatedir",
    "diff\\.(?:external|.+\\.(?:command|textconv))|merge\\..+\\.driver|interactive\\.difffilter",
    "remote\\..+\\.(?:uploadpack|receivepack|vcs|proxy|url|pushurl)",
  ].join("|")})`,
  "i",
);
const runsProgram = (key: string): boolean => running.test(key);

/** Judges a setting that a command itself hands to git. */
function handed({ text }: Arg, does: CommandEffects): undefined {
  if (text === undefined) return does.opaque("a setting of git is known when it runs");
  const [, key = text, value = ""] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
  if (!runsProgram(key) || /^(?:|true|false|yes|no|on|off|\d+|cat|less|never|auto|always|user)$/i.test(value)) return;
  does.effect("exec");
  does.opaque(`git is told what to run: ${key}`);
  does.level("medium", `git is told what to run: ${key}`);
  does.script(exact(value.startsWith("!") ? value.slice(1) : /^alias\./i.test(key) ? `git ${value}` : value), key);
}

const runsIt =
  /^--(?:upload-pack|upl\w*|receive-pack|rec\w*|exec|extcmd|open-files-in-pager|op\w*|tool-cmd|pager)(?:=|$)/;
const hidesIt = /^--(?:ext-diff|ext|textconv|textc\w*|filt\w*|show-signature|template|config-env|contents)(?:=|$)/;

/** Judges options by which a subcommand runs, writes or hides something. */
function risky(name: string, words: readonly Arg[], does: CommandEffects): undefined {
  for (const [index, { shape, text }] of words.entries()) {
    if (/^(?:ext|fd)::|^--?[^=]*=ext::/.test(shape)) does.level("high", "an ext:: address names what is run");
    if (/^--(?:format|pretty).*%G/.test(shape)) does.effect("exec");
    const own = shape.startsWith("--") ? /=([\s\S]*)$/.exec(text ?? "")?.[1] : shape.slice(2) || undefined;
    const value = own === undefined ? words[index + 1] : exact(own);
    if (hidesIt.test(shape)) does.opaque(`git ${name} ${shape} may run a program`);
    acts(`${name} ${shape}`, shape, value, does);
  }
}

/** Judges one option with its value. */
function acts(line: string, shape: string, value: Arg | undefined, does: CommandEffects): undefined {
  if (runsIt.test(shape) || /^(?:(?:rebase|difftool) -x|clone -u|grep -\w*O)/.test(line)) {
    does.effect("exec");
    does.opaque(`git ${line} runs a program`);
    if (value) does.script(value, "what git runs");
  } else if (value && /^(?:\S+ --output(?:-directory)?(?:=|$)|(?:archive|format-patch|bundle) -o)/.test(line))
    does.write(value);
  else if (value && /^clone (?:-c|--config)/.test(line)) handed(value, does);
}

/** Subcommands that tell the content of files, as it is or as it ever was. */
const tells = /^(?:diff|show|format-patch|archive|grep|cat-file|range-diff|clone|worktree add|stash show -p)/;
const counts =
  /--(?:stat|numstat|shortstat|dirstat|summary|name-only|name-status|raw|check|quiet|no-patch)| -[sqte](?: |$)/;
const patches =
  /^(?:log|whatchanged|reflog|stash|diff-\w+)(?: .*)? (?:-[pucmLGSU]|--(?:patch|unified|cc|binary|word-diff|color-words))/;

/** Tells rules which files of the repository a subcommand may show: those that are named, or all. */
function content(line: string, rest: readonly Arg[], does: CommandEffects): undefined {
  for (const { text } of rest)
    if (text && !text.startsWith("-"))
      for (const path of [text, text.slice(text.indexOf(":") + 1)])
        if (!path.startsWith("/")) does.mention(exact(path));
  const shown = (tells.test(line) && !counts.test(line)) || patches.test(line);
  const blob = /^(?:show|cat-file) (?:-\S+ )*[^: ]+:\S+$/.test(line);
  const named = rest.findIndex(({ text }) => text === "--");
  if (shown && !blob && named === -1) does.mention(exact("."), { all: true });
  for (const path of shown && named !== -1 ? rest.slice(named + 1) : [])
    does.mention(path, { all: does.paths(path).some((one) => does.context.state.isDirectory(one.path)) });
}

/** Subcommands that change something and run neither hooks nor other programs. */
const ownWork = `add restore reset clean rm mv init stash branch tag config apply remote ls-remote archive format-patch
  credential update-ref reflog`.split(/\s+/);

/** Judges a subcommand that changes something: what it writes, runs and talks to. */
function changes(name: string, rest: readonly Arg[], line: string, does: CommandEffects): undefined {
  does.effect("write inside");
  if (/^(?:clone|fetch|pull|push|ls-remote|submodule|remote|send-email|lfs)$/.test(name)) does.effect("net");
  if (!ownWork.includes(name)) does.effect("exec");
  if (name === "apply" || name === "am") does.opaque("a patch writes the files that it names");
  if (/^(?:difftool|mergetool|filter-branch|instaweb)$/.test(name)) does.opaque(`git ${name} runs other programs`);
  const words = rest.filter(({ shape }) => !shape.startsWith("-"));
  const at = rest.findIndex(({ text }) => text === "--");
  const written =
    name === "rm" || name === "mv" || name === "restore"
      ? words
      : name === "checkout" && at !== -1
        ? rest.slice(at + 1)
        : name === "clone" || /^worktree add/.test(line)
          ? words.slice(1, 2)
          : [];
  for (const path of written) does.write(path);
  if (/^(?:submodule foreach|bisect run)/.test(line))
    does.run(words.length > 2 ? words.slice(1) : [exact("sh"), exact("-c"), ...words.slice(1)]);
  if (name === "filter-branch") for (const word of words) does.script(word, "what git runs");
  if (name === "config") configures(rest, does);
}

/** `git config key value`: who writes what git runs, runs it later. */
function configures(rest: readonly Arg[], does: CommandEffects): undefined {
  const words = rest.filter(({ shape }) => !shape.startsWith("-"));
  const key = /^(?:set|unset|edit|rename-section|remove-section)$/.test(words[0]?.shape ?? "") ? words[1] : words[0];
  if (!key?.text || rest.some(({ shape }) => shape === "-e" || shape === "--edit"))
    return does.opaque("what git config sets is known when it runs");
  if (!runsProgram(key.text)) return;
  does.guard ??= `git runs what ${key.text} names`;
  does.level("high", does.guard);
}

/** Words that are known only when they run, where git might take them for options or paths; a message is neither. */
function uncertain(rest: readonly Arg[]): boolean {
  const valued = /^(?:-\w*[mFbB]|--(?:message|file|author|grep))$/;
  return rest.some(
    (word, at) =>
      isUnknown(word) &&
      (word.many ||
        (!valued.test(rest[at - 1]?.shape ?? "") && !/^(?:--(?:message|author|grep)=|-m)./.test(word.shape))),
  );
}

const git: Program = (args, does) => {
  const { options, operands, unsure } = parseArgs(args, {
    takes: "C c git-dir work-tree namespace exec-path super-prefix config-env attr-source list-cmds",
    knows: "no-pager paginate bare version help",
    stops: "at operand",
  });
  for (const { name: option, value } of options) {
    if (option === "c" && value) handed(value, does);
    else if (/^(?:exec-path|git-dir|work-tree|config-env|attr-source)$/.test(option) && value)
      does.opaque(`git --${option} has it trust something else`);
    else if (option === "p" || option === "paginate") does.effect("exec");
    else if (option === "C" && value) does.read(value);
  }
  const [first, ...rest] = operands;
  if (first && (first.text === undefined || (unsure && first.many))) does.opaque("what git does is known when it runs");
  else if (first?.text !== undefined) subcommand(first.text, rest, does);
};

function subcommand(name: string, rest: readonly Arg[], does: CommandEffects): undefined {
  const line = `${name} ${lineOf(rest)}`.trimEnd();
  const reads = looks.test(line);
  const end = rest.findIndex(({ text }) => text === "--");
  const words = end === -1 ? rest : rest.slice(0, end);
  if (uncertain(words)) does.opaque(`a word of git ${name} is known when it runs and may be an option`);
  risky(name, words, does);
  content(line, rest, does);
  for (const word of name === "diff" || line.includes("--no-index") ? rest : [])
    if (/^(?:\/|\.\.)/.test(word.shape)) does.read(word);
  const file = /^config .*(?:-f |--fi\w*[= ])(\S+)/.exec(line)?.[1];
  if (file) does.read(exact(file));
  const row = reads ? undefined : rows.find(([pattern]) => pattern.test(line));
  if (row) does.level(row[1], `git ${name}: ${row[2]}`);
  if (reads) does.effect("read inside");
  else changes(name, rest, line, does);
}

export const versioning: ProgramTable = { git };
