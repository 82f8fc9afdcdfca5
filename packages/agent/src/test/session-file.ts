// Sessions in files, for tests of this folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Journal, type JournalOptions, type OpenedJournal } from "../session/journal.ts";
import { fileStorage } from "../session/store/disk.ts";

export const clock = { now: () => 1_700_000_000_000 };

/** A maker of names for files that are not there yet; `atEnd` is told how to remove them all. */
export function newFiles(atEnd: (remove: () => void) => void): () => string {
  const root = mkdtempSync(join(tmpdir(), "pith-session-"));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  let made = 0;
  return () => join(root, `${made++}`, "session.jsonl");
}

/** Copies a file of `data/`, as another program wrote it. */
export function copyOf(name: string, file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, readFileSync(join(import.meta.dirname, "data", `${name}.jsonl`)));
  return file;
}

export function open(file: string, access: "write" | "read" = "write", faults: string[] = []): OpenedJournal {
  const opened = Journal.open(
    { storage: fileStorage(file), clock, onFault: (message) => faults.push(message) },
    access,
  );
  if (!opened.ok) throw new Error(opened.message);
  return opened.value;
}

export const create = (file: string, more: Partial<JournalOptions> = {}): Journal =>
  Journal.create(
    { clock, onFault: () => {}, ...more, storage: () => more.storage ?? fileStorage(file) },
    { cwd: "/project" },
  );

export const note = (text: string) =>
  ({ type: "custom_message", customType: "t", content: text, display: true }) as const;

/** A line as another program writes it. */
export const line = (id: string, parentId: string | null | undefined, rest: object): string =>
  `${JSON.stringify({ id, parentId, timestamp: "2026-01-01T00:00:00.000Z", ...rest })}\n`;

/** A session of so many entries, each of a size; their ids. */
export async function written(file: string, count: number, size = 20): Promise<string[]> {
  const journal = create(file);
  const ids = Array.from({ length: count }, (_, at) => journal.append(note(`${at} `.padEnd(size, "x"))).id);
  await journal.close();
  return ids;
}
