import { writeFileSync } from "node:fs";
import { sleep } from "@pith/kit";
import { killTree, leftovers, type Tree } from "../care/group.ts";
import type { Env } from "../env.ts";
import type { Found } from "./find.ts";
import { cookieName, dump, quote } from "./script.ts";
import { writtenState } from "./state.ts";

export interface SnapshotOptions {
  shell: Found;
  env: Env;
  /** What an unattended command needs, whatever the user's files say. */
  over: Readonly<Record<string, string>>;
  cwd: string;
  into: string;
  cookie: string;
  tree(group: number): Tree;
}

/**
 * Runs the user's own shell start-up once and writes down what it left: variables, functions, aliases, options.
 * Interactive, because most files stop early otherwise. Says why when there is none; commands then run without.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<{ options: string[] } | string> {
  const { env, over, into, cookie } = options;
  const login = env.PITH_BASH_NO_LOGIN || env.CLAUDE_BASH_NO_LOGIN ? [] : ["-l"];
  let ended = await startUp(options, login);
  // Ctrl+C in the moment of its birth was meant for us.
  if (ended.signal === "SIGINT") ended = await startUp(options, login);
  // A profile may end in another shell; what is in ~/.bashrc counts all the same.
  if (ended.quick && login.length > 0 && !writtenState(into, cookie)) ended = await startUp(options, []);
  const taken = writtenState(into, cookie);
  if (!taken) return `The shell's start-up files could not be used (${ended.text}); commands run without them.`;
  const exports = Object.entries(over).map(([name, value]) => `export ${name}=${quote(value)} 2>/dev/null\n`);
  writeFileSync(into, Buffer.concat([taken.body, Buffer.from(exports.join(""))]), { mode: 0o600 });
  return { options: taken.options.filter((option) => !atPrompt.has(option)) };
}

interface StartedUp {
  text: string;
  quick: boolean;
  signal: string | number | null;
}

async function startUp(
  { shell, env, cwd, into, cookie, tree }: SnapshotOptions,
  login: readonly string[],
): Promise<StartedUp> {
  const child = Bun.spawn(
    [
      shell.path,
      ...login,
      "-i",
      "-c",
      `${login.length > 0 ? readRc : ""}{ ${dump(into, cookie, forget)}; } 2>/dev/null`,
    ],
    {
      cwd,
      env: { ...env, HISTFILE: "/dev/null", [cookieName]: cookie },
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
    },
  );
  const all = tree(child.pid);
  const over = new AbortController();
  const end = await Promise.race([child.exited.then(() => "ended" as const), sleep(patienceMs, over.signal)]);
  over.abort();
  // Only where something is left: looking for the processes of a tree reads the whole process table.
  if (end !== "ended" || leftovers(all) === "some") killTree(all);
  const quick = end === "ended";
  return {
    quick,
    signal: child.signalCode,
    text: quick
      ? `they ended with ${child.exitCode ?? child.signalCode}`
      : `they took longer than ${patienceMs / 1000} s`,
  };
}

/**
 * A login shell reads ~/.bashrc only when the user's profile says so; aliases and functions stand there all the same.
 */
const readRc = `{ for f in ~/.bash_profile ~/.bash_login ~/.profile; do [[ ! -r $f ]] || break; done
if [[ -r ~/.bashrc && ! ( -r $f && $(<"$f") == *bashrc* ) ]]; then . ~/.bashrc; fi; unset f; } >/dev/null 2>&1
`;

/** What is for people at a prompt only. */
const forget = `\\builtin unset HISTFILE PROMPT_COMMAND PS0 PS1 PS2; `;
const atPrompt = new Set(["monitor", "history", "histexpand", "emacs", "vi", "notify", "ignoreeof"]);

const patienceMs = 10_000;
