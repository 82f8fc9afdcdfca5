import { join } from "node:path";
import { bucket, fileName, fileStorage, Journal, lastSession, memoryStorage } from "@pith/agent";
import { type Clock, fail, messageOf, ok, type Result } from "@pith/kit";

export type SessionChoice = { open: "new" } | { open: "none" } | { open: "last" } | { open: "file"; path: string };

export interface RecordParts {
  cwd: string;
  /** The folder of all sessions. */
  sessions: string;
  clock: Clock;
  onFault: (message: string) => void;
}

export interface OpenedRecord {
  journal: Journal;
  /** What a person should know of how it was opened. */
  notes: string[];
}

/** Opens the session that was chosen, or begins one. */
export function openRecord(choice: SessionChoice, parts: RecordParts): Result<OpenedRecord, "session"> {
  const { cwd, clock, onFault } = parts;
  if (choice.open === "none") return ok({ journal: Journal.create({ clock, onFault, storage: () => memoryStorage() }, { cwd }), notes: [] });
  if (choice.open === "new") return ok({ journal: begin(parts), notes: [] });
  const file = choice.open === "file" ? choice.path : lastSession(parts.sessions, cwd);
  if (file === undefined) return ok({ journal: begin(parts), notes: ["There is no earlier session in this directory; a new one begins."] });
  try {
    const opened = Journal.open({ storage: fileStorage(file), clock, onFault });
    return opened.ok ? opened : fail("session", opened.message);
  } catch (error) {
    return fail("session", `${file} cannot be opened: ${messageOf(error)}`);
  }
}

const begin = ({ cwd, sessions, clock, onFault }: RecordParts): Journal =>
  Journal.create({ clock, onFault, storage: (header) => fileStorage(join(bucket(sessions, cwd), fileName(header))) }, { cwd });
