import { resolve } from "node:path";
import { blobFolder, fileBlobs, fileStorage, findSession, Journal, ompBlobFolders } from "@pith/agent";
import { sessionsFolder as folderOf, loadSecrets } from "@pith/coder";
import { ok, type Result } from "@pith/kit";
import { complain, type Io } from "../io/io.ts";
import { settingsIn } from "./setting.ts";

/** Folder of all sessions: the one that is named, the setting, or the usual place. */
export async function sessionsFolder(
  io: Pick<Io, "cwd" | "home" | "userHome" | "env" | "err">,
  named?: string,
): Promise<Result<string, string>> {
  if (named !== undefined) return ok(resolve(io.cwd, named));
  const settings = await settingsIn(io, { cwd: io.cwd });
  return settings.ok ? ok(folderOf(settings.value, io)) : settings;
}

/** Flag of every command that looks for sessions. */
export const sessionDir = {
  takes: "text",
  as: "dir",
  about: "where the sessions are, if not in the usual place",
} as const;

/** Finds the file of the session that a word names, and the folder it was looked for in. */
export async function namedSession(
  io: Pick<Io, "cwd" | "home" | "userHome" | "env" | "err">,
  word: string,
  dir?: string,
): Promise<Result<{ file: string; sessions: string }, string>> {
  const sessions = await sessionsFolder(io, dir);
  if (!sessions.ok) return sessions;
  const file = findSession(word, sessions.value, io.cwd);
  return file.ok ? ok({ file: file.value, sessions: sessions.value }) : file;
}

/** Opens that session to be read, and tells what is odd about it. */
export async function readSession(
  io: Io,
  word: string,
  dir?: string,
): Promise<Result<{ journal: Journal; file: string }, string>> {
  const session = await namedSession(io, word, dir);
  if (!session.ok) return session;
  const blobs = fileBlobs(blobFolder(io.home), () => io.clock.now(), ompBlobFolders(io.userHome, io.env));
  const { file } = session.value;
  const storage = fileStorage(file);
  // Keys are hidden in new sessions; this one may be older, or another program's.
  const { Secrets } = await loadSecrets();
  const mask = new Secrets({ env: io.env, home: io.home }).maskAll;
  const onFault = (message: string) => complain(io, message);
  const opened = Journal.open({ storage, clock: io.clock, blobs, mask, onFault }, "read");
  if (!opened.ok) return opened;
  for (const note of opened.value.notes) complain(io, note);
  return ok({ journal: opened.value.journal, file });
}
