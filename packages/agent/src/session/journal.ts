import { type Clock, codeOf, fail, messageOf, ok, plural, type Result, shortId, sleep, tryOr, uuid7 } from "@pith/kit";
import { type Entry, type EntryDraft, formatVersion, type Header } from "./entry.ts";
import { fromLine, toLine } from "./format/line.ts";
import { type PreparedStorage, prepareStorage } from "./format/repair.ts";
import { damageNotes } from "./index/damage-notes.ts";
import { readHead } from "./index/head.ts";
import { loadRows, readBeginning, saveRows, tailRows } from "./index/open.ts";
import { Rows } from "./index/rows.ts";
import { type ReadBytes, type Scan, Scanner, scan, scanLines } from "./index/scan.ts";
import type { Blobs } from "./store/blob.ts";
import { BufferedStorage } from "./store/buffered-storage.ts";
import { readOnly, type Storage } from "./store/storage.ts";
import { SessionTree } from "./tree.ts";

/** Storage and services of a journal. */
export interface JournalOptions {
  storage: Storage;
  clock: Clock;
  /** Storage of images; without it they stay in the lines. */
  blobs?: Blobs;
  /** Masks each entry when it is written, and when it is read: an older one may hold more secrets. */
  mask?: ((entry: Entry) => Entry) | undefined;
  /** Called when the record cannot be written, can be again, or turns out to be partly unreadable. */
  onFault?: (message: string) => void;
}

/** A draft that may have an id and time from another record. */
export type PlacedDraft = EntryDraft & { id?: string; timestamp?: string };

export interface OpenedJournal {
  journal: Journal;
  /** Damage and its repair, for people. */
  notes: string[];
}
export type JournalFailure = "missing" | "foreign" | "newer" | "locked";

/** Bytes of a long file read at a time in the background, and the pause after it. */
const partBytes = 4 << 20;
const pauseMs = 10;

/** Files up to this size are read whole if they have no index. */
const smallFile = 4 << 20;

/**
 * Record of a conversation: a header line, then entries, append-only. Sole writer of its storage and owner of the tree.
 * An entry is returned after it was written, so announcing it states a fact.
 */
export class Journal {
  #header: Header;
  readonly tree: SessionTree;
  #tape: BufferedStorage;
  readonly #recording: Omit<JournalOptions, "storage">;
  /** Offset of the entries; undefined until the header is written. */
  #begin: number | undefined;
  /** End of the known part. */
  #end: number;
  /** Rows in the index file. */
  #kept: number;
  readonly #missing = new Set<string>();
  readonly #bytes: ReadBytes = (from, to) => this.#tape.read(from, to);
  readonly #faults: string[] = [];
  #hears: ((fault: string) => void) | undefined;
  #closed = false;
  #completing = false;

  private constructor(
    header: Header,
    recording: JournalOptions,
    known: { begin: number | undefined; end: number; rows: Rows; kept: number; part: "whole" | "end" },
  ) {
    this.#header = header;
    this.#recording = recording;
    this.#tape = new BufferedStorage(recording.storage, (text) => this.#fault(text));
    this.#begin = known.begin;
    this.#end = known.end;
    this.#kept = known.kept;
    const load = (offset: number, length: number) => this.#load(offset, length);
    this.tree = new SessionTree(known.rows, { load, complete: () => this.#allRows() }, known.part);
  }

  /** Creates a session; nothing is written before the first entry. */
  static create(
    recording: Omit<JournalOptions, "storage"> & { storage: (header: Header) => Storage },
    about: { cwd: string; parentSession?: string },
  ): Journal {
    const now = recording.clock.now();
    const timestamp = new Date(now).toISOString();
    const header: Header = { type: "session", version: formatVersion, id: uuid7(now), timestamp, ...about };
    const known = { begin: undefined, end: 0, rows: new Rows(), kept: 0, part: "whole" } as const;
    return new Journal(header, { ...recording, storage: recording.storage(header) }, known);
  }

  /** Opens an existing session. */
  static open(recording: JournalOptions, access: "write" | "read" = "write"): Result<OpenedJournal, JournalFailure> {
    let { storage } = recording;
    try {
      if (storage.size() === undefined) return fail("missing", `${storage.file ?? "The session"} does not exist.`);
      const locked = access === "write" ? storage.lock?.() : undefined;
      if (locked && !locked.ok && locked.kind === "locked") return fail("locked", locked.message);
      // If it cannot be written, the first append reports it and continues in memory.
      if (access === "read" || locked?.ok === false)
        storage = readOnly(storage, locked?.ok === false ? locked.message : "it is open for reading only");
      const prepared = prepareStorage(storage, recording.clock);
      if (prepared.ok) return ok(Journal.#read(recording, prepared.value, access));
      void storage.close();
      return prepared;
    } catch (error) {
      void storage.close();
      if (codeOf(error) === undefined) throw error;
      return fail("missing", `${storage.file ?? "The session"} cannot be read: ${messageOf(error)}`);
    }
  }

  static #read(recording: JournalOptions, prepared: PreparedStorage, access: "write" | "read"): OpenedJournal {
    const { storage, header } = prepared;
    const size = storage.size() ?? 0;
    const read = (from: number, to: number) => storage.read(from, to);
    const beginning = readBeginning(read, size);
    const begin = typeof beginning === "string" ? 0 : beginning.end;
    const kept = loadRows(storage.side, read, size);
    const rows = kept ?? new Rows();
    const from = kept?.end ?? begin;
    const keptCount = rows.count;
    const end = kept || size - begin <= smallFile ? undefined : tailRows(read, begin, size);
    const scanned = end?.scan ?? scan(read, from, size, rows, "gone");
    if (access === "write") mend(storage, scanned);
    const known = {
      begin: size > 0 ? begin : undefined,
      end: storage.size() ?? 0,
      rows: end?.rows ?? rows,
      kept: keptCount,
      part: end && !end.whole ? "end" : "whole",
    } as const;
    const journal = new Journal(header, { ...recording, storage }, known);
    return { journal, notes: [...prepared.notes, ...damageNotes(scanned)] };
  }

  /** Sets the listener for faults; earlier faults are reported at once. */
  listenFaults(listener: (fault: string) => void): void {
    this.#hears = listener;
    for (const text of this.#faults.splice(0)) listener(text);
  }

  get header(): Header {
    return this.#header;
  }
  get file(): string | undefined {
    return this.#tape.storage.file;
  }
  /** True while entries are only in memory. */
  get isBehind(): boolean {
    return this.#tape.isBehind;
  }

  /** Appends an entry below the leaf and returns it, written. */
  append(draft: PlacedDraft): Entry {
    return this.appendAll([draft])[0] as Entry;
  }

  /** Appends entries with one write, each below the one before. */
  appendAll(drafts: readonly PlacedDraft[]): Entry[] {
    if (drafts.length === 0) return [];
    const timestamp = new Date(this.#recording.clock.now()).toISOString();
    let parentId = this.tree.leaf;
    const taken = new Set<string>();
    const entries = drafts.map((draft) => {
      const { type, id = this.#newId(taken), ...rest } = draft;
      const entry = { type, id, parentId, timestamp, ...rest } as Entry;
      parentId = id;
      return this.#recording.mask?.(entry) ?? entry;
    });
    this.#write(entries);
    return entries;
  }

  /** Prepares for a first append like this one. */
  prepare(drafts: readonly EntryDraft[]): void {
    if (this.#begin !== undefined) return;
    this.#tape.storage.prepare?.();
    const { mask } = this.#recording;
    for (const draft of drafts) {
      const entry = { id: "", parentId: null, timestamp: "", ...draft } as Entry;
      toLine(mask?.(entry) ?? entry, undefined);
    }
  }

  /** Lines of all entries as recorded; each is valid until the next. */
  *lines(): Generator<Buffer> {
    const { mask } = this.#recording;
    for (const { bytes } of scanLines(this.#bytes, this.#begin ?? 0, this.#end))
      if (readHead(bytes)) yield mask ? maskedLine(bytes, mask) : bytes;
  }

  async sync(): Promise<void> {
    if (this.#begin === undefined) return;
    await this.#tape.sync();
    this.#keepRows();
    if (!this.tree.isWhole && !this.#completing && !this.#closed) void this.#completeInPauses();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.sync();
    await this.#tape.storage.close();
  }

  /** Copies the session to another storage and continues there, when this one can no longer be written. */
  async saveTo(storage: Storage): Promise<Result<undefined, "unwritable">> {
    const old = this.#tape.storage;
    try {
      if (storage.size() !== undefined) throw new Error("it is already there");
      this.#tape.saveTo(storage);
    } catch (error) {
      return fail("unwritable", `The session could not be saved to ${storage.file ?? "memory"}: ${messageOf(error)}`);
    }
    this.#kept = 0;
    await old.close();
    await this.sync();
    return ok(undefined);
  }

  /** Creates a session with the same services; nothing is written yet. */
  next(storage: (header: Header) => Storage, about: { cwd: string; parentSession: string }): Journal {
    return Journal.create({ ...this.#recording, storage }, about);
  }

  /** Continues with another record: holders of this journal or its tree continue there. */
  async switchTo(next: Journal): Promise<void> {
    const old = this.#tape;
    this.#header = next.header;
    this.#tape = next.#tape;
    this.#begin = next.#begin;
    this.#end = next.#end;
    this.#kept = next.#kept;
    this.tree.switchTo(next.tree);
    next.listenFaults((text) => this.#fault(text));
    await old.sync();
    await old.storage.close();
  }

  // While only the end of a long file is known, its ids are not: a longer id cannot collide.
  #newId(taken: Set<string>): string {
    const { rows, isWhole } = this.tree;
    const id =
      shortId((candidate) => taken.has(candidate) || rows.isTaken(candidate)) + (isWhole ? "" : shortId(() => false));
    taken.add(id);
    return id;
  }

  #write(entries: readonly Entry[]): void {
    const head = this.#begin === undefined ? Buffer.from(`${JSON.stringify(this.header)}\n`) : Buffer.alloc(0);
    const lines = entries.map((entry) => Buffer.from(`${toLine(entry, this.#recording.blobs)}\n`));
    const start = this.#tape.append(
      lines.length === 1 && head.length === 0 ? (lines[0] as Buffer) : Buffer.concat([head, ...lines]),
    );
    if (this.#begin === undefined) this.#begin = start + head.length;
    // Another program wrote to the file in between; its entries count too.
    if (start > this.#end) scan(this.#bytes, this.#end, start, this.tree.rows, this.tree.isWhole ? "gone" : "unread");
    let offset = start + head.length;
    entries.forEach((entry, index) => {
      const length = (lines[index] as Buffer).length - 1;
      this.tree.add(entry, offset, length);
      offset += length + 1;
    });
    this.#end = offset;
  }

  #load(offset: number, length: number): Entry | undefined {
    const line = this.#tape.read(offset, offset + length)?.toString("utf8") ?? "";
    const entry = fromLine(line, this.#recording.blobs, (ref) => this.#tellMissing(ref));
    if (entry && this.#recording.mask) return this.#recording.mask(entry);
    if (!entry)
      this.#fault(`An entry of the session (${plural(length, "byte")} at ${offset}) cannot be read; it is left out.`);
    return entry;
  }

  #fault(text: string): void {
    this.#recording.onFault?.(text);
    if (this.#hears) this.#hears(text);
    else this.#faults.push(text);
  }

  #tellMissing(ref: string): void {
    if (this.#missing.has(ref)) return;
    this.#missing.add(ref);
    this.#fault(`Something that the session kept aside is gone or damaged (${ref}).`);
  }

  #allRows(): Rows {
    const rows = new Rows();
    scan(this.#bytes, this.#begin ?? 0, this.#end, rows, "gone");
    return rows;
  }

  /** Reads the rest of a long file in small parts, so that the next opening finds an index. */
  async #completeInPauses(): Promise<void> {
    this.#completing = true;
    const rows = new Rows();
    const scanner = new Scanner(this.#bytes, rows, "gone");
    for (let at = this.#begin ?? 0, paused = 0; at < this.#end; ) {
      const end = this.#end;
      for (const line of scanLines(this.#bytes, at, end)) {
        scanner.take(line);
        if (line.offset - paused < partBytes) continue;
        paused = line.offset;
        await sleep(pauseMs);
        if (this.#closed || this.tree.isWhole) return;
      }
      at = end;
    }
    this.tree.becomeWhole(rows);
    this.#keepRows();
  }

  // The index is written at syncs, not with every entry; missing rows are read from the session itself.
  #keepRows(): void {
    const { side } = this.#tape.storage;
    const { rows, isWhole } = this.tree;
    if (!side || !isWhole || this.#tape.isBehind || rows.count === this.#kept) return;
    saveRows(side, rows, this.#kept);
    this.#kept = rows.count;
  }
}

/** Masks a line; returns the same bytes if nothing changes. */
function maskedLine(bytes: Buffer, mask: (entry: Entry) => Entry): Buffer {
  const entry = JSON.parse(bytes.toString("utf8")) as Entry;
  const shown = mask(entry);
  return shown === entry ? bytes : Buffer.from(JSON.stringify(shown));
}

/** Repairs the end of the file: removes half a line, adds a missing newline. */
function mend(storage: Storage, { torn, unended }: Scan): void {
  // If this fails, so does the first append, and reports it.
  tryOr(() => {
    if (torn) storage.cut(torn.offset);
    else if (unended) storage.append(Buffer.from("\n"));
  });
}
