import { type Clock, messageOf, plural, shortId, uuid7 } from "@pith/kit";
import { type Draft, type Entry, formatVersion, type Header } from "./entry.ts";
import type { Storage } from "./storage.ts";
import { Tree } from "./tree.ts";

/**
 * The record of one conversation: a header line, then entries, only ever appended. It is the one writer of its
 * storage and the owner of the tree. An entry is returned after it was written, so whoever announces it tells a fact.
 */
export class Journal {
  readonly tree = new Tree();
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #onFault: (message: string) => void;
  #headerWritten = false;
  #broken = false;

  readonly header: Header;

  private constructor(header: Header, parts: JournalParts) {
    this.header = header;
    this.#storage = parts.storage;
    this.#clock = parts.clock;
    this.#onFault = parts.onFault;
  }

  /** A new session. Nothing is written before the first entry. */
  static create(parts: Omit<JournalParts, "storage"> & { storage: (header: Header) => Storage }, about: { cwd: string; parentSession?: string }): Journal {
    const header = newHeader(parts.clock, about);
    return new Journal(header, { ...parts, storage: parts.storage(header) });
  }

  /** An existing session; `notes` say what was damaged. */
  static open(parts: JournalParts): { journal: Journal; notes: string[] } | undefined {
    const bytes = parts.storage.read();
    if (bytes === undefined) return undefined;
    const { lines, notes, keepBytes, needsNewline } = readLines(bytes);
    const first = lines.findIndex((line) => line.type === "session");
    if (first === -1) return undefined;
    const journal = new Journal(lines[first] as unknown as Header, parts);
    journal.#headerWritten = true;
    for (const line of lines.slice(first + 1)) journal.#adopt(line, notes);
    if (keepBytes !== undefined) parts.storage.cut(keepBytes);
    if (needsNewline) parts.storage.append("\n");
    return { journal, notes };
  }

  get file(): string | undefined {
    return this.#storage.file;
  }

  /** Appends one entry below the leaf and returns it, written. */
  append(draft: Draft): Entry {
    return this.appendAll([draft])[0] as Entry;
  }

  /** Appends several entries with one write, each below the one before. */
  appendAll(drafts: readonly Draft[]): Entry[] {
    const timestamp = new Date(this.#clock.now()).toISOString();
    let parentId = this.tree.leaf;
    const entries = drafts.map((draft) => {
      const id = shortId((taken) => this.tree.has(taken));
      const { type, ...rest } = draft;
      const entry = { type, id, parentId, timestamp, ...rest } as Entry;
      parentId = id;
      return entry;
    });
    this.#write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    for (const entry of entries) this.tree.add(entry);
    return entries;
  }

  async sync(): Promise<void> {
    if (this.#broken || !this.#headerWritten) return;
    try {
      await this.#storage.sync();
    } catch (error) {
      this.#fault(error);
    }
  }

  async close(): Promise<void> {
    await this.sync();
    await this.#storage.close();
  }

  #write(text: string) {
    if (this.#broken) return;
    try {
      this.#storage.append(this.#headerWritten ? text : `${JSON.stringify(this.header)}\n${text}`);
      this.#headerWritten = true;
    } catch (error) {
      this.#fault(error);
    }
  }

  // A record that cannot be written must not end the work: the run goes on in memory and says so once.
  #fault(error: unknown) {
    if (this.#broken) return;
    this.#broken = true;
    this.#onFault(`The session can no longer be recorded in ${this.#storage.file ?? "memory"} (${messageOf(error)}); it goes on in memory only.`);
  }

  #adopt(line: Record<string, unknown>, notes: string[]) {
    const entry = line as unknown as Entry;
    if (typeof entry.id !== "string" || typeof entry.type !== "string") return;
    if (entry.parentId !== null && !this.tree.has(entry.parentId)) {
      notes.push(`Entry ${entry.id} lost its parent; it was linked to the entry before it.`);
      entry.parentId = this.tree.leaf;
    }
    this.tree.add(entry);
  }
}

export interface JournalParts {
  storage: Storage;
  clock: Clock;
  /** Told once, when the record can no longer be written. */
  onFault: (message: string) => void;
}

function newHeader(clock: Clock, about: { cwd: string; parentSession?: string }): Header {
  const now = clock.now();
  return { type: "session", version: formatVersion, id: uuid7(now), timestamp: new Date(now).toISOString(), ...about };
}

/** Parses what can be parsed. A torn last line is cut off; a damaged one in the middle is passed over. */
function readLines(bytes: Buffer) {
  const lines: Record<string, unknown>[] = [];
  const notes: string[] = [];
  let damaged = 0;
  let keepBytes: number | undefined;
  const raw = bytes.toString("utf8").split("\n");
  const last = raw.pop() ?? "";
  for (const line of raw) {
    if (line.trim() === "") continue;
    const value = parseObject(line);
    if (value) lines.push(value);
    else damaged++;
  }
  let needsNewline = false;
  if (last !== "") {
    const value = parseObject(last);
    needsNewline = value !== undefined;
    if (value) lines.push(value);
    else {
      keepBytes = bytes.lastIndexOf(10) + 1;
      notes.push("The last line of the session was cut off in the middle of a write; it was removed.");
    }
  }
  if (damaged > 0) notes.push(`${plural(damaged, "line")} of the session could not be read and ${damaged === 1 ? "was" : "were"} left out.`);
  return { lines, notes, keepBytes, needsNewline };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
