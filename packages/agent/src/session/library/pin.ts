import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const pinFile = (sessions: string): string => join(sessions, ".pinned.json");

/** Ids of the sessions that stand first in every list. */
export function pinned(sessions: string): Set<string> {
  try {
    const ids = JSON.parse(readFileSync(pinFile(sessions), "utf8"));
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []);
  } catch {
    return new Set();
  }
}

/** Pins a session, or takes its pin away; says which. */
export function togglePin(sessions: string, id: string): "pinned" | "unpinned" {
  const ids = pinned(sessions);
  const was = ids.delete(id);
  if (!was) ids.add(id);
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  const fresh = `${pinFile(sessions)}.${process.pid}.tmp`;
  writeFileSync(fresh, `${JSON.stringify([...ids])}\n`, { mode: 0o600 });
  renameSync(fresh, pinFile(sessions));
  return was ? "unpinned" : "pinned";
}
