import { entries, type TableEntry } from "./entries.ts";
import gitText from "./git.txt" with { type: "text" };

/** Finds what is known of a subcommand of git. */
export const gitEntry: (name: string) => TableEntry | undefined = entries(gitText);

const listing = /^(?:-l|-n\d*|--(?:list|show-current|all|remotes|(?:no-)?(?:contains|merged)|points-at)(?:=.*)?)$/;
const naming = /^-[dDmMcCf]|^--(?:delete|force)/;
const getting = /^(?:--(?:get(?:-all|-regexp|-urlmatch)?|list)|-l)$/;

/** First operands with which a subcommand only looks; an empty one stands for none. */
const first: Readonly<Record<string, RegExp>> = {
  stash: /^(?:list|show)$/,
  reflog: /^(?:|show|list)$/,
  notes: /^(?:|show|list)$/,
  worktree: /^list$/,
  bundle: /^verify$/,
  remote: /^(?:|get-url)$/,
};

/** True where a subcommand that usually looks may do more with these words. */
export function mayChange(name: string, operands: readonly string[], options: readonly string[]): boolean {
  const [word = "", ...more] = operands;
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option));
  const looks = Object.hasOwn(first, name) ? first[name] : undefined;
  if (looks) return !looks.test(word) && !(name === "remote" && word === "show" && options.includes("-n"));
  if (name === "branch" || name === "tag") return (word !== "" && !has(listing)) || has(naming);
  if (name === "symbolic-ref") return operands.length !== 1 || has(/^(?:-d|--delete|-m)$/);
  if (name === "hash-object") return has(/^-\w*w/);
  if (name === "apply") return !has(/^--(?:check|stat|numstat|summary)$/) || has(/^--ap/);
  const asks = options.length + more.length === 0 && /^[a-zA-Z][\w-]*\.[\w.-]+$/.test(word);
  return name === "config" && !(word === "get" || word === "list" || has(getting) || asks);
}
