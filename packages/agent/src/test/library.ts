// Sessions in a folder of their own, for tests of this folder.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../session/journal.ts";
import { bucket, fileName } from "../session/library/files.ts";
import { fileStorage } from "../session/store/disk.ts";

let time = 1_700_000_000_000;
/** Every look at it is a millisecond later. */
export const clock = { now: () => time++ };

/** A maker of paths that are free; `atEnd` is told how to remove them all. */
export function folders(atEnd: (remove: () => void) => void): () => string {
  const root = mkdtempSync(join(tmpdir(), "pith-library-"));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  let made = 0;
  return () => join(root, String(made++));
}

/** A session in which a person has said some texts. */
export async function session(
  sessions: string,
  cwd = "/project",
  texts = ["one", "two", "three"],
): Promise<{ file: string; ids: string[] }> {
  const journal = Journal.create(
    { storage: (header) => fileStorage(join(bucket(sessions, cwd), fileName(header))), clock, onFault: () => {} },
    { cwd },
  );
  const ids = texts.map(
    (text) => journal.append({ type: "message", message: { role: "user", content: text, timestamp: 0 } }).id,
  );
  await journal.close();
  return { file: journal.file ?? "", ids };
}

export function reopen(file: string): Journal {
  const opened = Journal.open({ storage: fileStorage(file), clock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value.journal;
}

export const fileLines = (file: string): string[] => readFileSync(file, "utf8").trim().split("\n");
