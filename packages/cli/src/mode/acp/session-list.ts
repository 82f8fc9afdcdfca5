import { type ListSessionsRequest, type ListSessionsResponse, RequestError } from "@agentclientprotocol/sdk";
import {
  deleteSession,
  findSession,
  type ListedSession,
  listSessions,
  openSessionDatabase,
  readHeader,
  sessionDatabaseFile,
} from "@pith/agent";
import type { Io } from "../../io/io.ts";
import { sessionsFolder } from "../../open/folder.ts";

const pageSize = 50;

/** Lists sessions, the newest first, page by page; a cursor names the last one of a page. */
export async function listPage({ cwd, cursor }: ListSessionsRequest, io: Io): Promise<ListSessionsResponse> {
  const database = await openSessionDatabase(sessionDatabaseFile(io.home));
  try {
    const all = listSessions(database, await folderOf(io)).filter((one) => !cwd || one.cwd === cwd);
    const sorted = all.toSorted((a, b) => b.modified - a.modified || a.id.localeCompare(b.id));
    const from = cursor ? sorted.findIndex(({ id }) => id === cursor) + 1 : 0;
    if (cursor && from === 0) throw RequestError.invalidParams({ cursor }, "there is no such place in the list");
    const page = sorted.slice(from, from + pageSize);
    const isLast = from + pageSize >= sorted.length;
    return { sessions: page.map(infoOf), nextCursor: isLast ? undefined : page.at(-1)?.id };
  } finally {
    database.close();
  }
}

const infoOf = ({ id, cwd, name, first, modified }: ListedSession) => ({
  sessionId: id,
  cwd,
  title: name ?? first?.split("\n")[0]?.slice(0, 80),
  updatedAt: new Date(modified).toISOString(),
});

/** Finds the file of a session: by its whole id, never by a beginning or a path, as a person may name one. */
export function recordOf(id: string, sessions: string): string {
  const found = /^[\w.-]+$/.test(id) && !id.endsWith(".jsonl") ? findSession(id, sessions, "") : undefined;
  if (!found?.ok || readHeader(found.value)?.id !== id) throw RequestError.resourceNotFound(id);
  return found.value;
}

/** Moves a session to the trash; `pith session restore` brings it back. */
export async function removeSession(id: string, io: Io): Promise<void> {
  const sessions = await folderOf(io);
  const removed = deleteSession(recordOf(id, sessions), sessions, io.clock.now());
  if (!removed.ok) throw RequestError.internalError(undefined, removed.message);
}

async function folderOf(io: Io): Promise<string> {
  const folder = await sessionsFolder(io);
  if (!folder.ok) throw RequestError.internalError(undefined, folder.message);
  return folder.value;
}
