import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPlain } from "@pith/kit";
import type { Candidate, Reader } from "./item.ts";
import type { Kind } from "./kind/kind.ts";
import { rule, skill, standingRule, stickyRule } from "./read/words.ts";

type Candidates = readonly Candidate<Kind>[];

/** What is kept from start to start: only what every start needs, and nothing that executes. */
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

const version = 3;
const most = { bytes: 16 * 1024 * 1024, files: 5000 };

/**
 * What files were read as, from start to start, by what the system says of each file. Disposable: one that is gone or
 * broken only costs the time to read them again.
 */
export class Shelf {
  readonly #file: string;
  #rows: Map<string, Row> | undefined;
  #state: "kept" | "changed" = "kept";

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
    // The last ones that were needed are at the end.
    this.#known().delete(path);
    this.#known().set(path, { stamp, read, found });
    this.#state = "changed";
  }

  /** Writes it, if something is new. */
  save(): void {
    if (this.#state === "kept" || !this.#rows) return;
    this.#state = "kept";
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      const rows = [...this.#rows].slice(-most.files);
      const fresh = `${this.#file}.${process.pid}`;
      writeFileSync(fresh, JSON.stringify({ version, rows }), { mode: 0o600, flag: "wx" });
      renameSync(fresh, this.#file);
    } catch {
      // It is for the next start only.
    }
  }

  #known(): Map<string, Row> {
    if (this.#rows) return this.#rows;
    this.#rows = new Map();
    const mine = process.getuid?.();
    const file = readPlain(this.#file, { maxBytes: most.bytes, owner: (uid) => mine === undefined || uid === mine });
    try {
      const kept = file.ok ? (JSON.parse(file.value) as { version?: number; rows?: [string, Row][] }) : {};
      if (kept.version === version && Array.isArray(kept.rows)) this.#rows = new Map(kept.rows);
    } catch {
      // Not as we write it.
    }
    return this.#rows;
  }
}
