import { statSync } from "node:fs";
import { type Entry, type OutlineFilter, type OutlineRow, outlineFilters } from "@pith/agent";
import type { Coder } from "@pith/coder";
import type { Timers } from "@pith/tui";
import { pathRows } from "./path.ts";

/** A longer record is shown from its end at first: only its path, as far as somebody looks. */
const longBytes = 8 * 1024 * 1024;
/** Milliseconds for which a long record is read at a time; keys are heard in between. */
const sliceMs = 12;

/** The part of the tree that is shown. */
export interface TreeChoice {
  filter: OutlineFilter;
  query: string;
  /** The entry that is chosen. */
  id?: string | undefined;
}

/** The rows of the tree that a filter and a search leave, and the chosen one of them. */
export class TreeRows {
  rows: readonly OutlineRow[];
  at: number;
  filter: OutlineFilter;
  query: string;
  /** Entries of a long record that were read so far, while it is read. */
  reading: number | undefined;
  /** True while only the path was read. */
  partial: boolean;
  readonly #coder: Coder;
  readonly #timers: Timers;
  readonly #changed: () => void;
  readonly #path: ReturnType<typeof pathRows> | undefined;
  #cancel = () => {};

  constructor(coder: Coder, timers: Timers, { filter, query, id }: TreeChoice, changed: () => void) {
    this.#coder = coder;
    this.#timers = timers;
    this.#changed = changed;
    this.filter = filter;
    this.query = query;
    this.#path = isLong(coder) ? pathRows(coder.record) : undefined;
    this.partial = this.#path !== undefined;
    this.rows = this.#path ? this.#path.take(200) : coder.walk.outline(filter, query);
    this.at = indexOf(this.rows, id) ?? placeOf(this.rows);
    if (this.partial && (query !== "" || filter !== "default")) this.load();
  }

  get current(): OutlineRow | undefined {
    return this.rows[this.at];
  }

  /** Reads the rows again; of a long record in slices. */
  load(): void {
    this.#cancel();
    const { walk } = this.#coder;
    if (!this.#path) {
      this.#put(walk.outline(this.filter, this.query));
      return;
    }
    const steps = walk.outlined(this.filter, this.query);
    this.reading = 0;
    const slice = () => {
      const until = this.#timers.now() + sliceMs;
      do {
        const step = steps.next();
        this.reading = step.done ? undefined : step.value;
        if (step.done) this.#put(step.value);
      } while (this.reading !== undefined && this.#timers.now() < until);
      if (this.reading !== undefined) this.#cancel = this.#timers.after(1, slice);
      this.#changed();
    };
    this.#cancel = this.#timers.after(1, slice);
  }

  search(query: string): void {
    this.query = query;
    this.load();
  }

  show(filter: OutlineFilter): void {
    this.filter = filter;
    this.load();
  }

  /** Shows the next filter, or the one before. */
  turn(by: 1 | -1): void {
    const next = (outlineFilters.indexOf(this.filter) + by + outlineFilters.length) % outlineFilters.length;
    this.show(outlineFilters[next] ?? "default");
  }

  move(by: number, end: "stop" | "wrap" = "stop"): void {
    if (this.partial && this.#path && this.at + by < 0) {
      const more = this.#path.take(500);
      this.rows = [...more, ...this.rows];
      this.at += more.length;
    }
    const last = this.rows.length - 1;
    const to = this.at + by;
    const wraps = end === "wrap" && (to < 0 || to > last);
    this.at = wraps ? (to < 0 ? last : 0) : Math.max(0, Math.min(last, to));
  }

  close(): void {
    this.#cancel();
  }

  #put(rows: readonly OutlineRow[]): void {
    const was = this.current?.entry;
    this.partial = false;
    this.rows = rows;
    this.at = indexOf(rows, was?.id) ?? placeOf(rows, was);
  }
}

function indexOf(rows: readonly OutlineRow[], id: string | undefined): number | undefined {
  const index = rows.findIndex(({ entry }) => entry.id === id);
  return index === -1 ? undefined : index;
}

/** The row of the leaf, or the last row of the path before it or before the given entry. */
function placeOf(rows: readonly OutlineRow[], from?: Entry): number {
  const leaf = rows.findLastIndex(({ leaf }) => leaf);
  const before = rows.findLastIndex(({ active, entry }) => active && (!from || entry.timestamp <= from.timestamp));
  return Math.max(0, leaf === -1 || from ? before : leaf);
}

function isLong({ file }: Coder): boolean {
  return (file === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0)) > longBytes;
}
