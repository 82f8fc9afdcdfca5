import { join } from "node:path";
import { parseJson, readPlain, recordOf, tryOr, writeWhole } from "@pith/kit";
import type { Candidate, Reader } from "./item.ts";
import type { CapabilityKind } from "./kind/kind.ts";
import { rule, skill, standingRule, stickyRule } from "./read/words.ts";

type Candidates = readonly Candidate<CapabilityKind>[];

/** Readers whose results are cached: only those that every start needs, and none of things that execute. */
const names: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [skill, "skill"],
  [rule, "rule"],
  [standingRule, "standing rule"],
  [stickyRule, "sticky rule"],
]);

interface Row {
  stamp: string;
  read: string;
  found: Candidates;
}

const version = 4;
const most = { bytes: 16 * 1024 * 1024, files: 5000 };

/**
 * Caches the items of files from start to start, by the state of each file. Disposable: without it files are only read
 * again.
 */
export class CapabilityCache {
  readonly #file: string;
  #rows: Map<string, Row> | undefined;
  #isChanged = false;

  constructor(home: string) {
    this.#file = join(home, "cache", "capabilities.json");
  }

  get(path: string, stamp: string, reader: Reader<never>): Candidates | undefined {
    const name = names.get(reader);
    const row = name === undefined ? undefined : this.#known().get(path);
    return row?.stamp === stamp && row.read === name ? row.found : undefined;
  }

  set(path: string, stamp: string, reader: Reader<never>, found: Candidates): void {
    const read = names.get(reader);
    if (read === undefined) return;
    // The rows that were used last are at the end; when there are too many, the first ones go.
    this.#known().delete(path);
    this.#known().set(path, { stamp, read, found });
    this.#isChanged = true;
  }

  /** Writes the cache if it has changed. */
  save(): void {
    if (!this.#isChanged || !this.#rows) return;
    this.#isChanged = false;
    const rows = [...this.#rows].slice(-most.files);
    // When it cannot be written, the next start reads the files again.
    tryOr(() => writeWhole(this.#file, JSON.stringify({ version, rows })));
  }

  #known(): Map<string, Row> {
    if (this.#rows) return this.#rows;
    const mine = process.getuid?.();
    const file = readPlain(this.#file, { maxBytes: most.bytes, owner: (uid) => mine === undefined || uid === mine });
    const kept = recordOf(file.ok && parseJson(file.value));
    const isRead = kept.version === version && Array.isArray(kept.rows);
    // A broken cache counts as none.
    this.#rows = tryOr(() => new Map(isRead ? (kept.rows as [string, Row][]) : []), new Map());
    return this.#rows;
  }
}
