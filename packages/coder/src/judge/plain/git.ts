import { gitEntry, mayChange } from "../program/git-table.ts";

/** Options that have git run nothing of the repository's, and write nothing. */
const before = [
  "--no-pager",
  ...`core.fsmonitor=false core.hooksPath=/dev/null log.showSignature=false diff.autoRefreshIndex=false
  protocol.allow=never diff.submodule=short status.submoduleSummary=false submodule.recurse=false`
    .split(/\s+/)
    .flatMap((setting) => ["-c", setting]),
];

const shows = new Set("log show diff stash reflog rev-list".split(" "));
/** Options whose value is the next word, by subcommand. */
const takesNext = (name: string, word: string): boolean =>
  (shows.has(name) ? ofShows : others[name])?.has(word) === true;
const ofShows = new Set(
  `-n -L -S -G --date --since --after --until --before --author --committer --grep --max-count --skip
  --diff-filter`.split(/\s+/),
);
const others: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  grep: new Set(["-e", "-A", "-B", "-C"]),
  blame: new Set(["-L", "--date"]),
};

/** Options that keep a subcommand from running programs that attributes, settings or submodules name. */
const quieting: Readonly<Record<string, readonly string[]>> = {
  status: ["--ignore-submodules=dirty"],
  diff: ["--ignore-submodules=dirty", "--no-ext-diff", "--no-textconv"],
  log: ["--no-ext-diff", "--no-textconv"],
  show: ["--no-ext-diff", "--no-textconv"],
  blame: ["--no-textconv"],
  grep: ["--no-textconv"],
};

export type GitWords = { words: string[]; directory: string | undefined } | { why: string };

/** Reads the words of a git command that only looks, and writes them out so that git runs no other program. */
export function gitWords(given: readonly string[]): GitWords {
  let directory: string | undefined;
  let at = 0;
  for (; at < given.length && given[at]?.startsWith("-"); at++) {
    if (given[at] === "--no-pager") continue;
    if (given[at] !== "-C" || directory !== undefined) return { why: `git ${given[at]} is not in the table` };
    directory = given[++at];
  }
  const [name = "", ...rest] = given.slice(at);
  const own = gitEntry(name)?.plain;
  if (own === undefined) return { why: `git ${name} is not known to only look` };
  const allowed = new Set([...own, ...((shows.has(name) && gitEntry("shown")?.words) || [])]);
  const wrong = wrongWord(name, rest, allowed);
  if (wrong !== undefined) return { why: wrong };
  const quiet = Object.hasOwn(quieting, name) ? (quieting[name] ?? []) : [];
  const place = directory === undefined ? [] : ["-C", directory];
  return { words: [...before, ...place, name, ...quiet, ...rest], directory };
}

function wrongWord(name: string, rest: readonly string[], allowed: ReadonlySet<string>): string | undefined {
  const operands: string[] = [];
  const options: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? "";
    if (word === "--") {
      operands.push(...rest.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") operands.push(word);
    else if (!isAllowed(name, word, allowed)) return `git ${name} ${word} is not in the table`;
    else {
      options.push(word);
      // What another git would take for an option is no value.
      if (takesNext(name, word) && !rest[at + 1]?.startsWith("-")) at++;
    }
  }
  // A format may have git look at signatures.
  if (rest.some((word) => word.includes("%G"))) return "a format has git look at signatures";
  // Of paths outside git makes comparisons without a repository.
  const outside = rest.find((word) => /^\/|(?:^|[:/])\.\.(?:\/|$)/.test(word));
  if (outside !== undefined) return `git is given ${outside}`;
  return mayChange(name, operands, options) || isUnlisted(name, operands, options)
    ? `git ${[name, ...operands.slice(0, 1)].join(" ")} may change something`
    : undefined;
}

function isAllowed(name: string, word: string, allowed: ReadonlySet<string>): boolean {
  if (/^-\d+$/.test(word)) return shows.has(name) || name === "grep";
  const option = word.startsWith("--") ? (word.split("=", 1)[0] ?? "") : word;
  const short = /^-[nLSGABCUMe]./.test(word) ? word.slice(0, 2) : option;
  return allowed.has(word) || allowed.has(option) || allowed.has(short);
}

const settings = /^(?:user\.(?:name|email)|core\.\w+|branch\.[\w/.-]+|remote\.\w+\.\w+)$/;

/** True where words that only look tell more than is listed: of settings, one that holds no key. */
const isUnlisted = (name: string, operands: readonly string[], options: readonly string[]): boolean =>
  name === "config" &&
  !(options.some((word) => /^--get(?:-all)?$/.test(word)) && operands.length === 1 && settings.test(operands[0] ?? ""));
