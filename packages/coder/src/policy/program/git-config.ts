import { type Arg, exact } from "../argument.ts";
import type { Deeds } from "../deeds.ts";

/** Keys whose value git runs, or that have it run something. */
const programs =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|attributesfile|worktree)|pager\..+|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv)|merge\..+\.driver|(?:merge|diff)tool\..+|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|alias\..+|remote\..+\.(?:uploadpack|receivepack|vcs|proxy|url|pushurl)|url\..+|browser\..+\.cmd|web\.browser|man\..+|interactive\.difffilter|trailer\..+\.(?:command|cmd)|uploadpack\.packobjectshook|protocol\..*allow|include\.path|includeif\..+|init\.templatedir|submodule\..+|sendemail\..+|tar\..+\.command|guitool\..+|receive\..+|instaweb\..+|imap\..+|hook\..+|extensions\..+|http\..*proxy|http\.sslverify|blame\..+|difftool\..+)$/i;

const values = /^(?:|true|false|yes|no|on|off|\d+|cat|less|never|auto|always|user)$/i;
const filtering = /^(?:core\.fsmonitor|diff\..+|filter\..+|gpg\..+|core\.attributesfile)$/i;
const changing =
  /^(?:core\.(?:hookspath|sshcommand|askpass|gitproxy|alternaterefscommand)|credential\..+|merge\..+\.driver|remote\..+\.(?:uploadpack|receivepack|vcs)|submodule\..+\.update|hook\..+)$/i;

const trusting =
  /^(?:core\.(?:hookspath|attributesfile|worktree)|include|init\.templatedir|url|protocol|remote|http|extensions)/i;

export const runsProgram = (key: string): boolean => programs.test(key);

/** A setting that a command itself hands to git. */
export function handed(setting: Arg | undefined, does: Deeds): undefined {
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
export function configured(directory: Arg | undefined, kind: "reads" | "changes", does: Deeds): undefined {
  const { state, standing } = does.scene;
  const directories = directory ? does.spots(directory).map(({ path }) => path) : (standing ?? [state.cwd]);
  for (const place of directories)
    for (const [key, value] of state.git(place)) {
      if (values.test(value) || !(filtering.test(key) || (kind === "changes" && changing.test(key)))) continue;
      does.effect("exec");
      does.opaque(`the repository's configuration names a program: ${key}`);
      if (/hookspath/i.test(key)) does.opaque("the repository's configuration names a folder of hooks");
      else does.scene.script(value.replace(/^!/, ""));
    }
}

/** What an alias of the configuration stands for. */
export function aliased(name: string, directory: Arg | undefined, does: Deeds): string | undefined {
  const { state, standing } = does.scene;
  const place = directory ? does.spots(directory)[0]?.path : standing?.[0];
  return state.git(place ?? state.cwd).find(([key]) => key.toLowerCase() === `alias.${name.toLowerCase()}`)?.[1];
}
