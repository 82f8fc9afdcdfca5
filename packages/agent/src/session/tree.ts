import type { Custom, Entry } from "./entry.ts";
import { type Code, customCode, type Head, headOf } from "./index/head.ts";
import { mostShown, none, type Rows, unknown } from "./index/rows.ts";
import { idIn } from "./index/scan.ts";

/** Source of a tree's entries. */
export interface TreeSource {
  /** The entry at an offset; undefined if it cannot be read. */
  load(offset: number, length: number): Entry | undefined;
  /** All rows, if the tree has only those of the end of the file. */
  complete(): Rows;
}

const cacheBytes = 4 << 20;
/** Entries that deliver or withdraw queued input. */
const settles: ReadonlySet<Code> = new Set(["user", "pith.withdrawn"]);
const spoken: ReadonlySet<Code> = new Set(["user", "assistant", "toolResult", "message"]);

/** Entries of a session, and the leaf to which the next attaches. Holds a row per entry and reads entries on demand. */
export class SessionTree {
  #rows: Rows;
  readonly #ground: TreeSource;
  #whole: boolean;
  #leaf: number;
  #leafId: string | null;
  // By offset, oldest first.
  readonly #cache = new Map<number, { entry: Entry; length: number }>();
  #cached = 0;

  constructor(rows: Rows, ground: TreeSource, known: "whole" | "end") {
    this.#rows = rows;
    this.#ground = ground;
    this.#whole = known === "whole";
    this.#leaf = rows.count - 1;
    this.#leafId = this.#leaf === none ? null : this.#idOf(this.#leaf);
  }

  get rows(): Rows {
    return this.#rows;
  }
  get isWhole(): boolean {
    return this.#whole;
  }
  get leaf(): string | null {
    return this.#leafId;
  }
  get size(): number {
    this.#complete();
    return this.#rows.count;
  }
  has(id: string): boolean {
    return this.#find(id) !== none;
  }
  get(id: string): Entry | undefined {
    const row = this.#find(id);
    return row === none ? undefined : this.#entry(row);
  }
  /** All entries in the order of the record. */
  *all(): Generator<Entry> {
    this.#complete();
    for (let row = 0; row < this.#rows.count; row++) yield this.#entry(row);
  }

  /** Adds an entry below the leaf and makes it the leaf. */
  add(entry: Entry, offset: number, length: number): void {
    const { code, name, refId }: Partial<Head> = headOf(entry) ?? {};
    const ref = refId === undefined ? none : this.#rows.find(refId, (row) => this.#idOf(row) === refId);
    this.#leaf = this.#rows.push({
      offset,
      length,
      parent: this.#leaf,
      ref,
      id: entry.id,
      code: code ?? "other",
      name,
    });
    this.#leafId = entry.id;
    this.#keep(offset, length, entry);
  }

  /** Moves the leaf; the next entry forks from there. */
  moveTo(id: string | null): void {
    const row = id === null ? none : this.#find(id);
    if (id !== null && row === none) throw new Error(`no entry ${id}`);
    this.#leaf = row;
    this.#leafId = id;
  }

  /** Entries from the root to `id`, by default the leaf. */
  pathTo(id: string | null = this.#leafId): Entry[] {
    return [...this.path(id)];
  }

  /** The same, one at a time: a path may be longer than what fits into memory. */
  *path(id: string | null = this.#leafId): Generator<Entry> {
    this.#complete();
    const rows: number[] = [];
    this.#walk(this.#rowOf(id), (row) => {
      rows.push(row);
      return "go on";
    });
    for (const row of rows.reverse()) yield this.#entry(row);
  }

  /**
   * End of a path that the model is shown: from what the last compaction kept, else the whole path, or of a very long
   * one as much as any model could be shown, from a message of the user on.
   */
  recent(id: string | null = this.#leafId): Entry[] {
    const rows: number[] = [];
    let stop = 0;
    let bytes = 0;
    const end = this.#walk(this.#rowOf(id), (row) => {
      // Rows only point back, so a smaller number is before the stop.
      if (row < stop) return "enough";
      rows.push(row);
      if (stop === 0 && this.#rows.code(row) === "compaction")
        stop = this.#rows.ref(row) === none ? row : this.#rows.ref(row);
      bytes += this.#rows.length(row);
      return row > stop && (stop > 0 || bytes <= mostShown) ? "go on" : "enough";
    });
    if (stop === 0 && bytes > mostShown)
      while (rows.length > 1 && this.#rows.code(rows.at(-1) ?? none) !== "user") rows.pop();
    if (end === "unread") {
      this.#complete();
      return this.recent(id);
    }
    return rows.reverse().map((row) => this.#entry(row));
  }

  /** True if the path is longer than what a model is shown of it. */
  get isLong(): boolean {
    let bytes = 0;
    this.#walk(this.#leaf, (row) => {
      bytes += this.#rows.length(row);
      return bytes <= mostShown && this.#rows.code(row) !== "compaction" ? "go on" : "enough";
    });
    return bytes > mostShown;
  }

  /** Entries from `id`, by default the leaf, towards the root. */
  *back(id: string | null = this.#leafId): Generator<Entry> {
    for (let at = id; at !== null; ) {
      const entry = this.get(at);
      if (!entry) return;
      yield entry;
      at = entry.parentId;
    }
  }

  /** The newest entry of a code on the path, as far as the file is known. */
  last(code: Code, accept: (entry: Entry) => boolean = () => true): Entry | undefined {
    for (const row of this.#climb(this.#leaf, code)) {
      const entry = this.#entry(row);
      if (accept(entry)) return entry;
    }
    return undefined;
  }

  /** The newest `custom` entry of a name on the path, as far as the file is known. */
  lastCustom(name: string, accept: (entry: Custom) => boolean = () => true): Custom | undefined {
    for (const row of this.#climb(this.#leaf, customCode(name), name)) {
      const entry = this.#entry(row);
      if (entry.type === "custom" && entry.customType === name && accept(entry)) return entry;
    }
    return undefined;
  }

  /**
   * Input queued on a path that still waits, as far as the file is known. Delivery or withdrawal anywhere in the tree
   * counts: moving back does not queue it again.
   */
  queued(id: string | null = this.#leafId): Entry[] {
    const waiting = new Set(this.#climb(this.#rowOf(id), "pith.inbox"));
    const oldest = [...waiting].at(-1);
    if (oldest === undefined) return [];
    const rows = this.#rows;
    for (let row = oldest + 1; row < rows.count; row++) if (settles.has(rows.code(row))) waiting.delete(rows.ref(row));
    return [...waiting].reverse().map((row) => this.#entry(row));
  }

  /** Number of messages on the path, as far as the file is known. */
  countMessages(): number {
    let count = 0;
    this.#walk(this.#leaf, (row) => {
      if (spoken.has(this.#rows.code(row))) count++;
      return "go on";
    });
    return count;
  }

  /** Children of an entry (of null: the roots), oldest first. */
  children(id: string | null): Entry[] {
    this.#complete();
    const parent = this.#rowOf(id);
    const children: Entry[] = [];
    for (let row = parent + 1; row < this.#rows.count; row++)
      if (this.#rows.parent(row) === parent) children.push(this.#entry(row));
    return children;
  }

  /** Labels by the entry they mark: the last one counts, an empty one removes. */
  labels(): Map<string, string> {
    const labels = new Map<string, string>();
    for (const entry of this.#ofCode("label")) {
      if (entry.type !== "label") continue;
      if (entry.label) labels.set(entry.targetId, entry.label);
      else labels.delete(entry.targetId);
    }
    return labels;
  }

  /** Name of the session: the newest in the file, on any path. */
  get name(): string | undefined {
    for (let row = this.#rows.count - 1; row >= 0; row--) {
      if (this.#rows.code(row) !== "session_info") continue;
      const entry = this.#entry(row);
      return entry.type === "session_info" ? entry.name?.trim() || undefined : undefined;
    }
    return undefined;
  }

  /** Replaces the rows of the end of a file by those of all of it. */
  becomeWhole(rows: Rows): void {
    if (this.#leaf !== none) {
      const place = this.#rows.offset(this.#leaf);
      this.#leaf = rows.count - 1;
      while (this.#leaf > none && rows.offset(this.#leaf) !== place) this.#leaf--;
    }
    this.#rows = rows;
    this.#whole = true;
  }

  /** Switches to another record: holders of this tree see its entries. */
  switchTo({ rows, leaf }: SessionTree): void {
    this.#rows = rows;
    this.#whole = true;
    this.#cache.clear();
    this.#cached = 0;
    this.#leaf = rows.count - 1;
    this.#leafId = leaf;
  }

  *#climb(from: number, code: Code, name?: string): Generator<number> {
    for (
      let row = this.#rows.climb(from, code, name);
      row >= 0;
      row = this.#rows.climb(this.#rows.parent(row), code, name)
    )
      yield row;
  }

  *#ofCode(code: Code): Generator<Entry> {
    this.#complete();
    for (let row = 0; row < this.#rows.count; row++) if (this.#rows.code(row) === code) yield this.#entry(row);
  }

  #complete(): void {
    if (!this.#whole) this.becomeWhole(this.#ground.complete());
  }

  #rowOf(id: string | null): number {
    return id === this.#leafId ? this.#leaf : id === null ? none : this.#find(id);
  }

  #find(id: string): number {
    const find = () => this.#rows.find(id, (row) => this.#idOf(row) === id);
    const row = find();
    if (row !== none || this.#whole) return row;
    this.#complete();
    return find();
  }

  /** Visits rows towards the root. `unread`: the path continues before the known part of the file. */
  #walk(from: number, visit: (row: number) => "go on" | "enough"): "enough" | "root" | "unread" {
    let row = from;
    while (row >= 0) {
      if (visit(row) === "enough") return "enough";
      row = this.#rows.parent(row);
    }
    return row === unknown ? "unread" : "root";
  }

  #entry(row: number): Entry {
    const offset = this.#rows.offset(row);
    const known = this.#cache.get(offset);
    if (known) return known.entry;
    const length = this.#rows.length(row);
    const entry = this.#ground.load(offset, length) ?? this.#damaged(row);
    entry.id = idIn(this.#rows, row, entry.id);
    if (this.#rows.isRelinked(row)) {
      const parent = this.#rows.parent(row);
      entry.parentId = parent === none ? null : this.#idOf(parent);
    }
    this.#keep(offset, length, entry);
    return entry;
  }

  /** Replaces an entry that can no longer be read, so that its children stay reachable. */
  #damaged(row: number): Entry {
    const parent = this.#rows.parent(row);
    const id = this.#rows.shortId(row) ?? `damaged-${this.#rows.offset(row)}`;
    const parentId = parent < 0 ? null : this.#idOf(parent);
    return {
      type: "custom",
      id,
      parentId,
      timestamp: new Date(0).toISOString(),
      customType: "pith.damaged",
      data: { offset: this.#rows.offset(row) },
    };
  }

  #idOf(row: number): string {
    return this.#rows.shortId(row) ?? this.#entry(row).id;
  }

  #keep(offset: number, length: number, entry: Entry): void {
    this.#cache.set(offset, { entry, length });
    this.#cached += length;
    for (const [place, old] of this.#cache) {
      if (this.#cached <= cacheBytes || place === offset) return;
      this.#cache.delete(place);
      this.#cached -= old.length;
    }
  }
}
