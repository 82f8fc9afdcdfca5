import type { Risk } from "@pith/agent";
import type { CommandEffects } from "../../command-effects.ts";
import type { Arg } from "../../value/argument.ts";

type Row = readonly [name: string, words: RegExp, severity: Risk, why: string];

const rows: readonly Row[] = [
  [
    "push",
    /(?:^| )(?:--force\S*|-\w*f\w*|--mirror|--delete|--prune|-d|\+\S+|:\S+)(?: |$)/,
    "high",
    "it overwrites what others have",
  ],
  ["push", /^(?!.*(?:--dry-run|(?:^| )-n(?: |$)))/, "high", "it gives others what was committed"],
  ["reset", /(?:^| )--(?:hard|merge|keep)(?: |$)/, "high", "it drops changes that nobody kept"],
  ["clean", /(?:^| )(?:-\w*f\w*|--force)(?: |$)/, "high", "it removes files that nobody kept"],
  ["checkout", /(?:^| )(?:-f|--force|--|\.|-B)(?: |$)|^\S+ \.$/, "medium", "it drops changes of files"],
  ["switch", /(?:^| )(?:-f|--force|--discard-changes|-C)(?: |$)/, "medium", "it drops changes of files"],
  ["restore", /^(?!.*--staged)|--worktree/, "medium", "it drops changes of files"],
  ["branch", /(?:^| )(?:-D|-M|-C|-f|--force|--delete --force)(?: |$)/, "medium", "it drops commits of a branch"],
  ["branch", /(?:^| )(?:-d|--delete)(?: |$)/, "medium", "it removes a branch"],
  ["tag", /(?:^| )(?:-d|--delete|-f|--force)(?: |$)/, "medium", "it removes a tag"],
  ["stash", /^clear/, "high", "it drops what was set aside"],
  ["stash", /^drop/, "medium", "it drops what was set aside"],
  ["reflog", /^(?:expire|delete)/, "high", "it drops what commits can be found by"],
  ["gc", /--prune=(?:now|all)|--aggressive/, "high", "it drops commits that nothing names"],
  ["prune", /^/, "high", "it drops commits that nothing names"],
  ["filter-branch", /^/, "high", "it rewrites all commits"],
  ["filter-repo", /^/, "high", "it rewrites all commits"],
  ["update-ref", /(?:^| )(?:-d|--stdin)/, "high", "it removes what commits are found by"],
  ["worktree", /^remove .*(?:-f|--force)/, "high", "it removes files that nobody kept"],
  ["rm", /(?:^| )(?:-\w*f\w*|--force)(?: |$)/, "medium", "it removes changed files"],
  ["remote", /^(?:remove|rm|set-url|add)/, "medium", "it changes where commits go"],
  ["clone", /^/, "medium", "it fetches what others wrote"],
  ["submodule", /^(?:add|update|deinit)/, "medium", "it fetches what others wrote"],
  ["credential", /^/, "high", "it deals with keys"],
  ["credential-store", /^/, "high", "it deals with keys"],
  ["credential-cache", /^/, "high", "it deals with keys"],
  ["send-email", /^/, "high", "it sends mail"],
  ["maintenance", /^(?:start|register)/, "high", "it has git run by itself"],
  ["daemon", /^/, "high", "it lets others in"],
];

/** How bad a subcommand of git is. */
export function levels(name: string, rest: readonly Arg[], reads: boolean, does: CommandEffects): undefined {
  if (reads && name !== "reflog") return;
  const line = rest.map(({ shape }) => shape).join(" ");
  const row = rows.find(([of, words]) => of === name && words.test(line));
  if (row) does.level(row[2], `git ${name}: ${row[3]}`);
}
