import type { CommandEffects } from "../../command-effects.ts";
import { type Arg, exact } from "../../value/argument.ts";

/** Keys whose value git runs, or that have it run something. */
const programs =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|attributesfile|worktree)|pager\..+|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|(?:merge|diff)tool\..+|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|alias\..+|remote\..+\.(?:uploadpack|receivepack|vcs|proxy|url|pushurl)|url\..+|browser\..+\.cmd|web\.browser|man\..+|interactive\.difffilter|trailer\..+\.(?:command|cmd)|uploadpack\.packobjectshook|protocol\..*allow|include\.path|includeif\..+|init\.templatedir|submodule\..+|sendemail\..+|tar\..+\.command|guitool\..+|receive\..+|instaweb\..+|imap\..+|hook\..+|extensions\..+|http\..*proxy|http\.sslverify|blame\..+|difftool\..+)$/i;

const values = /^(?:|true|false|yes|no|on|off|\d+|cat|less|never|auto|always|user)$/i;
/**
 * Those that count when git only looks: a missing object is fetched, an index that was refreshed has a hook, a pager is
 * run at a terminal where nobody has put another in its place.
 */
const filtering =
  /^(?:core\.(?:fsmonitor|attributesfile|hookspath|worktree|pager)|pager\..+|index\.unread|diff\..+|filter\..+|gpg\..+|include\.path|includeif\..+|extensions\.partialclone|remote\..+\.(?:uploadpack|vcs)|hook\..+)$/i;
const changing =
  /^(?:core\.(?:sshcommand|askpass|gitproxy|alternaterefscommand|editor)|sequence\.editor|credential\..+|merge\..+\.driver|remote\..+\.receivepack|submodule\..+\.update)$/i;
/** Keys whose being on has git run something of its own. */
const switched = /^(?:log\.showsignature|remote\..+\.promisor)$/i;

const trusting =
  /^(?:core\.(?:hookspath|attributesfile|worktree)|include|init\.templatedir|url|protocol|remote|http|extensions)/i;

export const runsProgram = (key: string): boolean => programs.test(key);

/** A setting that a command itself hands to git. */
export function handed(setting: Arg | undefined, does: CommandEffects): undefined {
  const { text } = setting ?? {};
  if (text === undefined) return does.opaque("a setting of git is known when it runs");
  const [, key = text, value = ""] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
  if (!runsProgram(key) || (values.test(value) && !/^alias|^include/i.test(key))) return;
  does.effect("exec");
  does.level("medium", `git is told what to run: ${key}`);
  if (value.startsWith("!")) does.script(exact(value.slice(1)), `what ${key} names`);
  else if (/^alias\./i.test(key)) does.script(exact(`git ${value}`), `what ${key} names`);
  else if (trusting.test(key)) does.opaque(`git is told to trust something else: ${key}`);
  else does.script(exact(value), `what ${key} names`);
}

/** What the configuration of a repository has git run, by what git does there. */
export function configured(directory: Arg | undefined, kind: "reads" | "changes", does: CommandEffects): undefined {
  const { state, directories } = does.scene;
  const places = directory ? does.paths(directory).map(({ path }) => path) : (directories ?? [state.cwd]);
  if (!directory && !directories) does.opaque("where git runs is known then, and what is configured there");
  for (const place of places)
    for (const [key, value] of state.git(place)) {
      if (switched.test(key) && !/^(?:false|no|off|0)$/i.test(value)) does.opaque(`${key} has git run other programs`);
      if (values.test(value) || !(filtering.test(key) || (kind === "changes" && changing.test(key)))) continue;
      names(key, value, does);
    }
}

function names(key: string, value: string, does: CommandEffects): undefined {
  does.effect("exec");
  if (key === "index.unread") return does.opaque(value);
  does.opaque(`the repository's configuration names a program: ${key}`);
  if (/hookspath|^hook\./i.test(key)) does.opaque("the repository has hooks that git runs when it looks");
  else if (trusting.test(key)) does.opaque(`the repository's configuration has git trust something else: ${key}`);
  else does.scene.script(value.replace(/^!/, ""));
}

/** What an alias of the configuration stands for. */
export function aliased(name: string, directory: Arg | undefined, does: CommandEffects): string | undefined {
  const { state, directories } = does.scene;
  const place = directory ? does.paths(directory)[0]?.path : directories?.[0];
  return state.git(place ?? state.cwd).find(([key]) => key.toLowerCase() === `alias.${name.toLowerCase()}`)?.[1];
}
