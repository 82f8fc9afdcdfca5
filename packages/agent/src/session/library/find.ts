import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { fail, ok, type Result } from "@pith/kit";
import { allSessionFiles, lastSession, readHeader } from "./place.ts";

/** The one session that a word names: a path, or the beginning of an id. Ids are looked for in this directory first. */
export function findSession(word: string, sessions: string, cwd: string): Result<string, "missing" | "ambiguous"> {
  const path = isAbsolute(word) ? word : resolve(cwd, word);
  if (word.endsWith(".jsonl") || word.includes("/")) return existsSync(path) ? ok(path) : fail("missing", `${path} does not exist.`);
  const named = allSessionFiles(sessions).filter((file) => idOf(file).startsWith(word.toLowerCase()));
  const here = named.length > 1 ? named.filter((file) => readHeader(file)?.cwd === cwd) : named;
  const found = here.length > 0 ? here : named;
  const [only] = found;
  if (!only) return fail("missing", `No session begins with ${word}.`);
  if (found.length === 1) return ok(only);
  const shown = found.slice(0, 8).map(idOf).join(", ");
  return fail("ambiguous", `${found.length} sessions begin with ${word}: ${shown}${found.length > 8 ? ", …" : ""}`);
}

/** The id in a file's name. */
export const idOf = (file: string): string => (/_([^_]+)\.jsonl$/.exec(basename(file))?.[1] ?? basename(file, ".jsonl")).toLowerCase();

/** The session to go on with: the last one of this terminal when it was in this directory, else the last one of the directory. */
export function recentSession(sessions: string, cwd: string, home: string, terminal: string | undefined): string | undefined {
  const crumb = terminal === undefined ? undefined : readCrumb(crumbFile(home, terminal));
  if (crumb && crumb.cwd === cwd && existsSync(crumb.file)) return crumb.file;
  return lastSession(sessions, cwd);
}

/** Remembers what this terminal worked on last. A breadcrumb that cannot be kept is no reason to stop. */
export function leaveCrumb(home: string, terminal: string | undefined, cwd: string, file: string): void {
  if (terminal === undefined) return;
  try {
    mkdirSync(join(home, "terminal-sessions"), { recursive: true, mode: 0o700 });
    writeFileSync(crumbFile(home, terminal), `${cwd}\n${file}\n`, { mode: 0o600 });
  } catch {}
}

const crumbFile = (home: string, terminal: string): string => join(home, "terminal-sessions", terminal.replace(/[^\w.-]+/g, "-").slice(0, 100));

function readCrumb(file: string): { cwd: string; file: string } | undefined {
  try {
    const [cwd = "", session = ""] = readFileSync(file, "utf8").split("\n");
    return session ? { cwd, file: session } : undefined;
  } catch {
    return undefined;
  }
}

/** What a terminal is known by: its pane or window where it says so, else its device. */
export function terminalId(env: Readonly<Record<string, string | undefined>>, device: string | undefined): string | undefined {
  for (const name of ["TMUX_PANE", "KITTY_WINDOW_ID", "WEZTERM_PANE", "TERM_SESSION_ID", "WT_SESSION", "STY"]) {
    const value = env[name];
    if (value) return `${name}-${name === "TMUX_PANE" ? `${env.TMUX?.split(",")[1] ?? ""}-` : ""}${value}`;
  }
  return device && device !== "not a tty" ? device : undefined;
}
