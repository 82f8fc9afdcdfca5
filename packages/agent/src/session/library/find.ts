import { existsSync, readFileSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { fail, isInside, ok, type Result, tryOr, writeWhole } from "@pith/kit";
import { allSessionFiles, defaultSessionsFolder, readHeader, sessionsOf } from "./files.ts";

/** Finds the session for a path or the beginning of an id, first in this directory. */
export function findSession(word: string, sessions: string, cwd: string): Result<string, "missing" | "ambiguous"> {
  const path = isAbsolute(word) ? word : resolve(cwd, word);
  if (word.trim() === "") return fail("missing", "Say which session: the beginning of its id, or its file.");
  if (word.endsWith(".jsonl") || word.includes("/"))
    return existsSync(path) ? ok(path) : fail("missing", `${path} does not exist.`);
  const all = allSessionFiles(sessions);
  const begins = (id: string) => id.toLowerCase().startsWith(word.toLowerCase());
  const byName = all.filter((file) => begins(idOf(file)));
  // Some programs name files otherwise, and users rename them: the id inside counts too.
  const named = byName.length > 0 ? byName : all.filter((file) => begins(readHeader(file)?.id ?? "-"));
  const here = named.length > 1 ? named.filter((file) => readHeader(file)?.cwd === cwd) : named;
  const matches = here.length > 0 ? here : named;
  const [only] = matches;
  if (!only) return fail("missing", `No session begins with ${word}.`);
  if (matches.length === 1) return ok(only);
  const shown = matches.slice(0, 8).map(idOf).join(", ");
  const more = matches.length > 8 ? ", …" : "";
  return fail("ambiguous", `${matches.length} sessions begin with ${word}: ${shown}${more}`);
}

/** Id in a file's name. */
export const idOf = (file: string): string =>
  (/_([^_]+)\.jsonl$/.exec(basename(file))?.[1] ?? basename(file, ".jsonl")).toLowerCase();

/**
 * Sessions to continue, the best first: those of this terminal in this directory, then others of the directory. If
 * sessions are kept elsewhere, the terminal's history in the usual place does not count.
 */
export function* recentSessions(
  sessions: string,
  cwd: string,
  home: string,
  terminal: string | undefined,
): Generator<string> {
  const counts = (crumb: Crumb) =>
    crumb.cwd === cwd && existsSync(crumb.file) && (isUsual || isInside(sessions, crumb.file));
  const isUsual = sessions === defaultSessionsFolder(home);
  const crumbs = terminal === undefined ? [] : readCrumbs(crumbFile(home, terminal));
  const seen = new Set<string>();
  const own = crumbs.filter(counts).map(({ file }) => file);
  for (const list of [own, sessionsOf(sessions, cwd)])
    for (const file of list) {
      if (!seen.has(file)) yield file;
      seen.add(file);
    }
}

/** Remembers the terminal's sessions; a failure is ignored. */
export function rememberTerminalSession(home: string, terminal: string | undefined, cwd: string, file: string): void {
  if (terminal === undefined) return;
  const trail = crumbFile(home, terminal);
  const older = readCrumbs(trail).filter((crumb) => crumb.file !== file && existsSync(crumb.file));
  const crumbs: Crumb[] = [{ cwd, file }, ...older.slice(0, 9)];
  tryOr(() => writeWhole(trail, crumbs.map((crumb) => `${crumb.cwd}\n${crumb.file}\n`).join("")));
}

interface Crumb {
  cwd: string;
  file: string;
}

const crumbFile = (home: string, terminal: string): string =>
  join(home, "terminal-sessions", terminal.replace(/[^\w.-]+/g, "-").slice(0, 100));

/** Newest first. */
function readCrumbs(file: string): Crumb[] {
  const lines = tryOr(() => readFileSync(file, "utf8"), "").split("\n");
  const crumbs: Crumb[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) crumbs.push({ cwd: lines[at] ?? "", file: lines[at + 1] ?? "" });
  return crumbs.filter((crumb) => crumb.file !== "");
}

/** Variables that name a pane or window, with one that tells whose if its numbers repeat. */
const panes: readonly [name: string, of?: string][] = [
  ["TMUX_PANE", "TMUX"],
  ["CMUX_SURFACE_ID"],
  ["ZELLIJ_PANE_ID", "ZELLIJ_SESSION_NAME"],
  ["KITTY_WINDOW_ID", "KITTY_PID"],
  ["WEZTERM_PANE", "WEZTERM_UNIX_SOCKET"],
  ["TERM_SESSION_ID"],
  ["WT_SESSION"],
  ["STY", "WINDOW"],
];

/** Id of a terminal: its pane or window if known, else its device. */
export function terminalId(
  env: Readonly<Record<string, string | undefined>>,
  device: string | undefined,
): string | undefined {
  for (const [name, of] of panes) {
    const [value, owner = ""] = [env[name], of && env[of]];
    // tmux's variable has its socket and a session number too; its process is enough.
    if (value) return [name, value, name === "TMUX_PANE" ? owner.split(",")[1] : owner].filter(Boolean).join("-");
  }
  return device && device !== "not a tty" ? device : undefined;
}
