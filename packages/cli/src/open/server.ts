import { lstatSync } from "node:fs";
import { join } from "node:path";

/** Where the server of a home listens. */
export const socketOf = (home: string): string => join(home, "serve.sock");

/**
 * Whether what listens there is this user's. A home may stand in a folder that others write, and whoever puts a socket
 * there, or a link to one, would be told all that is said and could answer what he likes.
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

/** Of a session that cannot be opened because somebody has it: what to do where that is the server. */
export async function heldByServer(home: string, message: string): Promise<string | undefined> {
  const pid = Number(/in use by process (\d+)/.exec(message)?.[1]);
  if (!pid) return undefined;
  const said = (await (await askServer(home, "/v1/sessions"))?.json().catch(() => undefined)) as
    | { pid?: number }
    | undefined;
  return said?.pid === pid ? `${message} It lives in the server: pith attach shows it.` : undefined;
}
