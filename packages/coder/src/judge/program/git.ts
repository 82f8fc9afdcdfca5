import type { CommandEffects } from "../command-effects.ts";
import { type Arg, exact, isUnknown } from "../word.ts";
import { lineOf, type ProgramCode, rate } from "./call.ts";
import { effectNames } from "./entries.ts";
import { gitEntry, mayChange } from "./git-table.ts";

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

/** Judges a setting that a command itself hands to git. */
function handed({ text }: Arg, does: CommandEffects): undefined {
  if (text === undefined) return does.opaque("a setting of git is known when it runs");
  const [, key = text, value = ""] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
  if (!running.test(key) || /^(?:|true|false|yes|no|on|off|\d+|cat|less|never|auto|always|user)$/i.test(value)) return;
  does.effect("exec");
  does.opaque(`git is told what to run: ${key}`);
  does.level("medium", `git is told what to run: ${key}`);
  does.script(exact(value.startsWith("!") ? value.slice(1) : /^alias\./i.test(key) ? `git ${value}` : value), key);
}

const runsIt =
  /^--(?:upload-pack|upl\w*|receive-pack|rec\w*|exec|extcmd|open-files-in-pager|op\w*|tool-cmd|pager)(?:=|$)/;
const hidesIt = /^--(?:ext-diff|ext|textconv|textc\w*|filt\w*|show-signature|template|config-env|contents)(?:=|$)/;

/** Judges options by which a subcommand runs, writes or hides something. */
function options(name: string, words: readonly Arg[], does: CommandEffects): undefined {
  for (const [index, { shape, text }] of words.entries()) {
    if (/^(?:ext|fd)::|^--?[^=]*=ext::/.test(shape)) does.level("high", "an ext:: address names what is run");
    if (/^--(?:format|pretty).*%G/.test(shape)) does.effect("exec");
    if (hidesIt.test(shape)) does.opaque(`git ${name} ${shape} may run a program`);
    const own = shape.startsWith("--") ? /=([\s\S]*)$/.exec(text ?? "")?.[1] : shape.slice(2) || undefined;
    optionValue(`${name} ${shape}`, shape, own === undefined ? words[index + 1] : exact(own), does);
  }
}

/** Judges what an option makes of its value. */
function optionValue(line: string, shape: string, value: Arg | undefined, does: CommandEffects): undefined {
  if (runsIt.test(shape) || /^(?:(?:rebase|difftool) -x|clone -u|grep -\w*O)/.test(line)) {
    does.effect("exec");
    does.opaque(`git ${line} runs a program`);
    if (value) does.script(value, "what git runs");
  } else if (value && /^(?:\S+ --output(?:-directory)?(?:=|$)|(?:archive|format-patch|bundle) -o)/.test(line))
    does.write(value);
  else if (value && /^clone (?:-c|--config)/.test(line)) handed(value, does);
}

/** Subcommands that tell the content of files, as it is or as it ever was. */
const tells =
  /^(?:diff|show|format-patch|archive|grep|cat-file|range-diff|clone|worktree add|stash show -p|fast-export|bundle create|unpack-file|checkout-index)/;
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

/** Judges a subcommand that changes something: what it writes, runs and talks to. */
function changes(name: string, rest: readonly Arg[], line: string, does: CommandEffects): undefined {
  const entry = gitEntry(name);
  const added = entry
    ? entry.words.flatMap((word) => (word.startsWith("+") ? (effectNames[word.slice(1)] ?? []) : []))
    : (["exec"] as const);
  does.effect("write inside", ...added.filter((effect) => effect !== "opaque"));
  if (added.some((effect) => effect === "opaque")) does.opaque(`git ${name} runs or writes what is known when it runs`);
  if (entry) rate(entry.ratings, line.slice(name.length + 1), `git ${name}: `, does);
  const words = rest.filter(({ shape }) => !shape.startsWith("-"));
  const at = rest.findIndex(({ text }) => text === "--");
  if (/^(?:rm|mv|restore)$/.test(name)) for (const path of words) does.write(path);
  else if (name === "checkout" && at !== -1) for (const path of rest.slice(at + 1)) does.write(path);
  else if ((name === "clone" || /^worktree add/.test(line)) && words[1]) does.write(words[1]);
  if (/^bisect run|^submodule foreach/.test(line)) {
    const run = rest.slice(rest.findIndex(({ text }) => text === "run" || text === "foreach") + 1);
    does.run(run.length > 1 ? run : [exact("sh"), exact("-c"), ...run]);
  }
  if (name === "filter-branch") for (const word of words) does.script(word, "what git runs");
  if (name === "config") configures(rest, words, does);
}

/** Judges `git config key value`: who writes what git runs, runs it later. */
function configures(rest: readonly Arg[], words: readonly Arg[], does: CommandEffects): undefined {
  const key = /^(?:set|unset|edit|rename-section|remove-section)$/.test(words[0]?.shape ?? "") ? words[1] : words[0];
  if (!key?.text || rest.some(({ shape }) => shape === "-e" || shape === "--edit"))
    return does.opaque("what git config sets is known when it runs");
  if (!running.test(key.text)) return;
  does.guard ??= `git runs what ${key.text} names`;
  does.level("high", does.guard);
}

const valued = /^(?:-\w*[mFbB]|--(?:message|file|author|grep))$/;

/** True for words that are known only when they run, where git might take them for options; a message is none. */
const isUncertain = (rest: readonly Arg[]): boolean =>
  rest.some(
    (word, at) =>
      isUnknown(word) &&
      (word.many ||
        (!valued.test(rest[at - 1]?.shape ?? "") && !/^(?:--(?:message|author|grep)=|-m)./.test(word.shape))),
  );

export const git: ProgramCode = ({ parsed: { options: given, operands, unsure } }, does) => {
  for (const { name: option, value } of given) {
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
  const end = rest.findIndex(({ text }) => text === "--");
  const words = end === -1 ? rest : rest.slice(0, end);
  if (isUncertain(words)) does.opaque(`a word of git ${name} is known when it runs and may be an option`);
  options(name, words, does);
  content(line, rest, does);
  for (const word of name === "diff" || line.includes("--no-index") ? rest : [])
    if (/^(?:\/|\.\.)/.test(word.shape)) does.read(word);
  const file = /^config .*(?:-f |--fi\w*[= ])(\S+)/.exec(line)?.[1];
  if (file) does.read(exact(file));
  const [flags, operands] = [true, false].map((isFlag) =>
    rest.flatMap(({ shape }) => (shape.startsWith("-") === isFlag ? [shape] : [])),
  ) as [string[], string[]];
  const entry = gitEntry(name);
  const looks =
    entry?.titles.some((title) => title === "plain" || title === "looks") && !mayChange(name, operands, flags);
  if (looks) does.effect("read inside");
  else changes(name, rest, line, does);
}
