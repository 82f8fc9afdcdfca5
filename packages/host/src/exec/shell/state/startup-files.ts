import { isDirectory, shellQuote, sleep } from "@pith/kit";
import { commandEnv, type Env, unattended } from "../../env.ts";
import { spawn } from "../../platform.ts";
import { endTree, leftovers, type ProcessTree } from "../../process/tree.ts";
import type { ShellResources } from "../runtime.ts";
import { cookieName, dumpScript } from "../script.ts";
import { writtenState } from "./state.ts";

export interface StartupOptions {
  /** A name that no other command of the session has. */
  name: string;
  stateFile: string;
  /** The environment of pith itself. */
  env: Env;
  signal: AbortSignal;
}

/**
 * Runs the user's own shell start-up once and writes down the state that it leaves; returns its options, or why it
 * cannot be used. Interactive, because most start-up files stop early otherwise.
 */
export async function runStartupFiles(resources: ShellResources, options: StartupOptions): Promise<string[] | string> {
  const { name, stateFile, env, signal } = options;
  const cookie = `${resources.cookie}.${name}`;
  const login = env.PITH_BASH_NO_LOGIN || env.CLAUDE_BASH_NO_LOGIN ? [] : ["-l"];
  let ended = await startUp(resources, options, login);
  // Ctrl+C in the moment of its birth was meant for us.
  if (ended.signal === "SIGINT" && !signal.aborted) ended = await startUp(resources, options, login);
  // A profile may end in another shell; ~/.bashrc counts all the same.
  if (ended.quick && login.length > 0 && !writtenState(stateFile, cookie))
    ended = await startUp(resources, options, []);
  resources.watchdog?.end(name);
  const left = writtenState(stateFile, cookie);
  if (!left) return `The shell's start-up files could not be used (${ended.text}); commands run without them.`;
  return left.options.filter((option) => !promptOptions.has(option));
}

interface StartupEnd {
  text: string;
  quick: boolean;
  signal: string | number | null;
}

async function startUp(
  { shell, folder, cookie: session, libc, watchdog }: ShellResources,
  { name, stateFile, env: base, signal }: StartupOptions,
  login: readonly string[],
): Promise<StartupEnd> {
  const cookie = `${session}.${name}`;
  const env = commandEnv(base);
  const ending = dumpScript(stateFile, cookie, `${unsetPrompt}${keepPath(env)}${exportsOf(env, unattended(base))}`);
  const script = `${login.length > 0 ? readRc : ""}{ ${ending}; } 2>/dev/null`;
  const child = spawn([shell.path, ...login, "-i", "-c", script], {
    // Not the project's directory: a start-up should not come across files of strangers.
    cwd: [base.HOME, folder].find((path) => path !== undefined && isDirectory(path)) ?? folder,
    env: { ...env, HISTFILE: "/dev/null", [cookieName]: cookie },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  watchdog?.begin(name, child.pid);
  const variable = `${cookieName}=${cookie}`;
  const tree: ProcessTree = { group: child.pid, cgroup: undefined, variable, orphans: libc ? "ours" : "lost" };
  const done = new AbortController();
  const patience = sleep(patienceMs, AbortSignal.any([signal, done.signal]));
  const end = await Promise.race([child.exited.then(() => "ended" as const), patience]);
  done.abort();
  const quick = end === "ended";
  // Only where something is left, since to look for the processes of a tree reads the whole process table. An
  // interactive shell ends by HUP only, its children by TERM; they are asked, so that they release their locks.
  if (!quick || leftovers(tree) === "some") await endTree(tree, ["SIGHUP", "SIGTERM"]);
  const slow = end === "slept" ? `took longer than ${patienceMs / 1000} s` : "took all the time that the command had";
  const text = quick ? `they ended with ${child.exitCode ?? child.signalCode}` : `they ${slow}`;
  return { quick, signal: child.signalCode, text };
}

/** Reads ~/.bashrc where a login shell has not: aliases and functions are there. */
const readRc = `{ for f in ~/.bash_profile ~/.bash_login ~/.profile; do [[ ! -r $f ]] || break; done
if [[ -r ~/.bashrc && ! ( -r $f && $(<"$f") == *bashrc* ) ]]; then . ~/.bashrc; fi; unset f; } >/dev/null 2>&1
`;

/** Variables and options that are for people at a prompt only. */
const unsetPrompt = `\\builtin unset HISTFILE PROMPT_COMMAND PS0 PS1 PS2; `;
const promptOptions = new Set(["monitor", "history", "histexpand", "emacs", "vi", "notify", "ignoreeof"]);

/**
 * Puts directories of PATH that login files have dropped first again, and before all those of an environment that was
 * active when pith was started: login files often write PATH anew.
 */
function keepPath({ PATH = "", VIRTUAL_ENV, CONDA_PREFIX }: Env): string {
  const dirs = PATH.split(":").filter((dir) => dir.startsWith("/"));
  const active = dirs.filter((dir) => dir === `${VIRTUAL_ENV}/bin` || dir === `${CONDA_PREFIX}/bin`);
  const put = (dir: string) => `\\builtin export PATH=${shellQuote(dir)}:"$PATH"; `;
  return [
    ...dirs.reverse().map((dir) => `[[ :$PATH: == *:${shellQuote(dir)}:* ]] || ${put(dir)}`),
    ...active.reverse().map((dir) => `[[ $PATH: == ${shellQuote(dir)}:* ]] || ${put(dir)}`),
  ].join("");
}

const exportsOf = (env: Env, over: Readonly<Record<string, string>>): string =>
  [...environments.map((name) => [name, env[name]] as const), ...Object.entries(over)]
    .flatMap(([name, value]) => (value ? [`\\builtin export ${name}=${shellQuote(value)}; `] : []))
    .join("");

const environments = ["VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV"];

const patienceMs = 10_000;
