import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { sleep } from "@pith/kit";
import { killTree, leftovers, type Tree } from "../care/group.ts";
import type { Env } from "../env.ts";
import type { Found } from "./find.ts";
import { cookieName, dump, quote, type StateFiles } from "./script.ts";
import { writtenCwd } from "./state.ts";

export interface SnapshotParts {
  shell: Found;
  env: Env;
  /** What an unattended command needs, whatever the user's files say. */
  over: Readonly<Record<string, string>>;
  cwd: string;
  into: StateFiles;
  cookie: string;
  tree(group: number): Tree;
}

/**
 * Runs the user's own shell start-up once and writes down what it left: variables, functions, aliases, options. Interactive,
 * because most files stop early otherwise. Says why when there is none; commands then run without.
 */
export async function takeSnapshot({ shell, env, over, cwd, into, cookie, tree }: SnapshotParts): Promise<"taken" | string> {
  const login = env.PITH_BASH_NO_LOGIN || env.CLAUDE_BASH_NO_LOGIN ? [] : ["-l"];
  const child = Bun.spawn([shell.path, ...login, "-i", "-c", `${login.length > 0 ? readRc : ""}${dump(into, forget)}`], {
    cwd,
    env: { ...env, HISTFILE: "/dev/null", [cookieName]: cookie },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  const all = tree(child.pid);
  const ended = new AbortController();
  const end = await Promise.race([child.exited.then(() => "ended" as const), sleep(patienceMs, ended.signal)]);
  ended.abort();
  // Only where something is left: looking for the processes of a tree reads the whole process table.
  if (end !== "ended" || leftovers(all) === "some") killTree(all);
  if (writtenCwd(into) === undefined) {
    return `The shell's start-up files could not be used (${end === "ended" ? `they ended with ${child.exitCode ?? child.signalCode}` : `they took longer than ${patienceMs / 1000} s`}); commands run without them.`;
  }
  const options = readFileSync(into.options, "utf8");
  writeFileSync(into.options, options.replace(terminalOptions, ""));
  const exports = Object.entries(over).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  writeFileSync(into.vars, exports.join(""), { flag: "a" });
  rmSync(into.cwd);
  return "taken";
}

/** A login shell reads ~/.bashrc only when the user's profile says so; aliases and functions stand there all the same. */
const readRc = `{ for f in ~/.bash_profile ~/.bash_login ~/.profile; do [[ ! -r $f ]] || break; done
if [[ -r ~/.bashrc && ! ( -r $f && $(<"$f") == *bashrc* ) ]]; then . ~/.bashrc; fi; unset f; } >/dev/null 2>&1
`;

/** What is for people at a prompt only. */
const forget = `\\builtin unset HISTFILE PROMPT_COMMAND PS0 PS1 PS2; `;

const terminalOptions = /^set -o (?:monitor|history|histexpand|emacs|vi|notify|ignoreeof)\n/gm;
const patienceMs = 10_000;
