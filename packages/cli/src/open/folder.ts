import { join, resolve } from "node:path";
import { findSession } from "@pith/agent";
import { sessionsFolder as folderOf, openSettings } from "@pith/coder";
import { ok, type Result } from "@pith/kit";
import type { Io } from "../io/io.ts";

/** The folder of all sessions: the setting, or the usual place. */
export async function sessionsFolder(
  io: Pick<Io, "cwd" | "home" | "userHome">,
  named?: string,
): Promise<Result<string, string>> {
  if (named !== undefined) return ok(resolve(io.cwd, named));
  const settings = await openSettings({ cwd: io.cwd, home: io.home });
  return settings.ok ? ok(folderOf(settings.value, io)) : settings;
}

/** For every command that looks for sessions. */
export const sessionDir = {
  takes: "text",
  as: "dir",
  about: "where the sessions are, if not in the usual place",
} as const;

/** The file of the session that a word names, and the folder it was looked for in. */
export async function namedSession(
  io: Pick<Io, "cwd" | "home" | "userHome">,
  word: string,
  dir?: string,
): Promise<Result<{ file: string; sessions: string }, string>> {
  const sessions = await sessionsFolder(io, dir);
  if (!sessions.ok) return sessions;
  const file = findSession(word, sessions.value, io.cwd);
  return file.ok ? ok({ file: file.value, sessions: sessions.value }) : file;
}

export const shelfFile = (io: Pick<Io, "home">): string => join(io.home, "search.db");
export const blobFolder = (io: Pick<Io, "home">): string => join(io.home, "blobs");
