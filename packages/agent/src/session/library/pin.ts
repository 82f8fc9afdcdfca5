import { join } from "node:path";
import { fail, messageOf, ok, parseJson, type Result, readPlain, writeWhole } from "@pith/kit";

const pinFile = (sessions: string): string => join(sessions, ".pinned.json");

/** Ids of pinned sessions, which are listed first. */
export function pinnedSessions(sessions: string): Set<string> {
  const read = readPlain(pinFile(sessions), { maxBytes: 1024 * 1024, within: sessions });
  const ids = read.ok ? parseJson(read.value) : [];
  return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []);
}

/** Pins or unpins a session. */
export function togglePin(sessions: string, id: string): Result<"pinned" | "unpinned", "unwritable"> {
  const ids = pinnedSessions(sessions);
  const was = ids.delete(id);
  if (!was) ids.add(id);
  try {
    writeWhole(pinFile(sessions), `${JSON.stringify([...ids])}\n`);
  } catch (error) {
    return fail("unwritable", `The pin could not be kept: ${messageOf(error)}`);
  }
  return ok(was ? "unpinned" : "pinned");
}
