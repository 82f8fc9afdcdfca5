import { lstatSync } from "node:fs";
import { join } from "node:path";

/** Socket at which the server of a home listens. */
export const socketOf = (home: string): string => join(home, "serve.sock");

/**
 * True when a socket is the user's. A home may stand in a folder that others write, and a stranger's socket in it, or a
 * link to one, would be told everything and could answer anything.
 */
export function isOurs(socket: string): boolean {
  const there = lstatSync(socket, { throwIfNoEntry: false });
  return there?.isSocket() === true && there.uid === (process.getuid?.() ?? there.uid);
}

/** Asks the server of this home; undefined where none of this user's runs. */
export async function askServer(
  home: string,
  path: string,
  init: BunFetchRequestInit = {},
): Promise<Response | undefined> {
  if (!isOurs(socketOf(home))) return undefined;
  const over = { ...init, unix: socketOf(home), signal: AbortSignal.timeout(5000) } as BunFetchRequestInit;
  return fetch(`http://pith${path}`, over).catch(() => undefined);
}

/** Message about a session that is in use, where the server has it; undefined where another process does. */
export async function heldByServer(home: string, message: string): Promise<string | undefined> {
  const pid = Number(/in use by process (\d+)/.exec(message)?.[1]);
  if (!pid) return undefined;
  const said = (await (await askServer(home, "/v1/sessions"))?.json().catch(() => undefined)) as
    | { pid?: number }
    | undefined;
  return said?.pid === pid ? `${message} It lives in the server: pith attach shows it.` : undefined;
}
