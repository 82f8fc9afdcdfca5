import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Blobs,
  bucket,
  fileName,
  fileStorage,
  forkSession,
  type Header,
  idOf,
  Journal,
  type JournalOptions,
  memoryStorage,
  recentSessions,
  rememberFolder,
  rememberTerminalSession,
  type Storage,
} from "@pith/agent";
import { type Clock, defined, fail, isInside, messageOf, ok, type Result } from "@pith/kit";

/**
 * `fork` goes on in a copy; `read` shows a session that another process may be writing, and keeps what is added in
 * memory. With `at` the next entry follows that one, and a copy ends with it.
 */
export type SessionChoice =
  /** Goes on with the session in the storage, or begins one there. */
  | { open: "storage"; storage: Storage }
  | { open: "new"; parent?: string }
  | { open: "none" }
  | { open: "last" }
  | { open: "file" | "fork" | "read"; path: string; at?: string };

export interface RecordOptions {
  cwd: string;
  /** The folder of all sessions. */
  sessions: string;
  /** The directory of pith's own files. */
  home: string;
  /** Identifies the terminal, so that each goes on with its own session. */
  terminal: string | undefined;
  blobs: Blobs;
  /** Writes that wait for the disk. */
  sync: "turn" | "entry" | "never";
  clock: Clock;
  /** Masks every entry. */
  mask?: JournalOptions["mask"];
}

export interface OpenedRecord {
  journal: Journal;
  /** Notices for people about how it was opened. */
  notes: string[];
}

/** Opens the session that was chosen, or begins one. */
export function openRecord(choice: SessionChoice, options: RecordOptions): Result<OpenedRecord, "session"> {
  try {
    const opened = openChosen(choice, options);
    const file = opened.ok ? opened.value.journal.file : undefined;
    if (file === undefined || choice.open === "read") return opened;
    rememberTerminalSession(options.home, options.terminal, options.cwd, file);
    rememberFolder(options.home, file);
    return opened;
  } catch (error) {
    return fail("session", `The session cannot be opened: ${messageOf(error)}`);
  }
}

function openChosen(choice: SessionChoice, options: RecordOptions): Result<OpenedRecord, "session"> {
  const { cwd, sessions, clock, blobs, mask } = options;
  if (choice.open === "none")
    return ok({ journal: Journal.create({ clock, mask, storage: () => memoryStorage() }, { cwd }), notes: [] });
  if (choice.open === "storage") return openStored(choice.storage, options);
  if (choice.open === "new") return ok({ journal: begin(options, choice.parent), notes: [] });
  if (choice.open === "last") return openLast(options);
  const file = choice.path;
  if (choice.open === "fork") {
    const forked = forkSession({
      file,
      sessions,
      cwd,
      take: choice.at === undefined ? "all" : { upTo: choice.at },
      clock,
    });
    if (!forked.ok) return fail("session", forked.message);
    const opened = openChosen({ open: "file", path: forked.value.file }, options);
    return opened.ok ? ok({ ...opened.value, notes: [...forked.value.warnings, ...opened.value.notes] }) : opened;
  }
  const opened = Journal.open(
    { storage: fileStorage(file, syncOf(options.sync)), clock, blobs, mask },
    choice.open === "read" ? "read" : "write",
  );
  if (!opened.ok) return fail("session", `${opened.message}${adviceOn(opened.kind, file, sessions)}`);
  const { journal, notes } = opened.value;
  if (journal.header.cwd && journal.header.cwd !== cwd)
    notes.push(`This session was recorded in ${journal.header.cwd}; it goes on in ${cwd}.`);
  if (choice.at !== undefined) {
    if (!journal.tree.has(choice.at)) {
      void journal.close();
      return fail("session", `${file} has no entry ${choice.at}.`);
    }
    journal.tree.moveTo(choice.at);
  }
  return opened;
}

function openStored(storage: Storage, { cwd, clock, mask }: RecordOptions): Result<OpenedRecord, "session"> {
  if (storage.size() === undefined)
    return ok({ journal: Journal.create({ clock, mask, storage: () => storage }, { cwd }), notes: [] });
  const opened = Journal.open({ storage, clock, mask });
  return opened.ok ? opened : fail("session", opened.message);
}

/** Opens the last session. One that is in use, or was written by a newer pith, is reported and skipped. */
function openLast(options: RecordOptions): Result<OpenedRecord, "session"> {
  const passed: string[] = [];
  for (const path of recentSessions(options.sessions, options.cwd, options.home, options.terminal)) {
    const opened = openChosen({ open: "file", path }, options);
    if (opened.ok) return ok({ ...opened.value, notes: [...passed, ...opened.value.notes] });
    passed.push(opened.message);
  }
  const none = `There is no ${passed.length > 0 ? "other" : "earlier"} session in this directory; a new one begins.`;
  return ok({ journal: begin(options), notes: [...passed, none] });
}

/** Advises a person about a session that cannot be opened. */
function adviceOn(failure: string, file: string, sessions: string): string {
  if (failure === "locked")
    return ` pith --fork ${isInside(sessions, file) ? idOf(file) : file} goes on in a copy of it.`;
  return failure === "newer" ? " Only that version can go on with it; pith sessions lists the others." : "";
}

/** Copies the record to another file and goes on there. */
export async function saveRecord(
  journal: Journal,
  file: string,
  home: string,
): Promise<Result<undefined, "unwritable">> {
  const saved = await journal.saveTo(fileStorage(file));
  if (saved.ok) rememberFolder(home, file);
  return saved;
}

/** Saves a record that could not be written to a folder. Returns a line for people; undefined when nothing is missing. */
export async function rescueRecord(journal: Journal, folder: string, home: string): Promise<string | undefined> {
  await journal.sync();
  if (!journal.isBehind) return undefined;
  const name = join(folder, `pith-${fileName(journal.header)}`);
  let file = name;
  for (let count = 2; existsSync(file); count++) file = name.replace(/\.jsonl$/, `-${count}.jsonl`);
  const saved = await saveRecord(journal, file, home);
  return saved.ok
    ? `The session was saved to ${file}; pith -r ${file} goes on with it.`
    : `${saved.message}; what was said last is lost.`;
}

const syncOf = (sync: RecordOptions["sync"]) => (sync === "entry" ? "on every append" : "on sync");

type RecordPlace = Pick<RecordOptions, "cwd" | "sessions" | "sync">;

const storageIn =
  ({ cwd, sessions, sync }: RecordPlace) =>
  (header: Header): Storage =>
    fileStorage(join(bucket(sessions, cwd), fileName(header)), syncOf(sync));

const begin = ({ clock, blobs, mask, ...place }: RecordOptions, parentSession?: string): Journal =>
  Journal.create({ clock, blobs, mask, storage: storageIn(place) }, defined({ cwd: place.cwd, parentSession }));

/** Makes a session that goes on from another one. Nothing of it is written yet. */
export const nextRecord = (journal: Journal, from: string, place: RecordPlace): Journal =>
  journal.next(storageIn(place), { cwd: place.cwd, parentSession: from });
