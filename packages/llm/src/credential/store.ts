import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Database, fail, messageOf, ok, openDatabase, type Result } from "@pith/kit";

/** A stored credential. */
export interface StoredKey {
  id: number;
  vendor: string;
  kind: "key" | "oauth";
  label: string;
  /** The key, or the access token. */
  secret: string;
  /** Other fields of an OAuth login, as JSON: refresh token, expiry, account. */
  data: string;
  /** Epoch milliseconds until which its rate limit holds. */
  blockedUntil: number;
  createdAt: number;
}

/** The user's credentials, in a small database that only they can read. */
export interface KeyStore extends Disposable {
  list(vendor?: string): StoredKey[];
  add(credential: Pick<StoredKey, "vendor" | "kind" | "label" | "secret"> & { data?: string; now: number }): StoredKey;
  remove(id: number): "removed" | "missing";
  block(id: number, until: number): void;
}

export const keyStoreFile = (home: string): string => join(home, "agent.db");

/** Opens the database, making it when asked to; undefined when there is none. */
export async function openKeyStore(
  file: string,
  missing: "is nothing" | "is made",
): Promise<Result<KeyStore | undefined, "credential">> {
  try {
    return ok(await open(file, missing));
  } catch (error) {
    return fail(
      "credential",
      `the stored keys cannot be read (${file}): ${messageOf(error)}. If it is damaged, move it away and add the keys again.`,
    );
  }
}

async function open(file: string, missing: "is nothing" | "is made"): Promise<KeyStore | undefined> {
  const state = statSync(file, { throwIfNoEntry: false });
  // Opening a pipe would wait for its other end.
  if (state && !state.isFile()) throw new Error("it is not a file");
  if (!state) {
    if (missing === "is nothing") return undefined;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  }
  return storeOn(await openDatabase(file, { version: 1, tables, journal: "roll back" }));
}

const tables = [
  // Removed keys are overwritten in the file too.
  "PRAGMA secure_delete = ON",
  `CREATE TABLE IF NOT EXISTS credential (
    id INTEGER PRIMARY KEY AUTOINCREMENT, vendor TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('key', 'oauth')),
    label TEXT NOT NULL, secret TEXT NOT NULL, data TEXT NOT NULL DEFAULT '{}',
    blockedUntil INTEGER NOT NULL DEFAULT 0, createdAt INTEGER NOT NULL)`,
  "CREATE UNIQUE INDEX IF NOT EXISTS credential_once ON credential (vendor, secret)",
];

function storeOn(database: Database): KeyStore {
  const rows = (where: string, ...values: (string | number)[]) =>
    database.all<StoredKey>(`SELECT * FROM credential WHERE ${where} ORDER BY id`, ...values);
  return {
    list: (vendor) => (vendor === undefined ? rows("1") : rows("vendor = ?", vendor)),
    add({ vendor, kind, label, secret, data = "{}", now }) {
      database.run(
        `INSERT INTO credential (vendor, kind, label, secret, data, createdAt) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (vendor, secret) DO UPDATE
         SET kind = excluded.kind, label = excluded.label, data = excluded.data, blockedUntil = 0`,
        ...[vendor, kind, label, secret, data, now],
      );
      return rows("vendor = ? AND secret = ?", vendor, secret)[0] as StoredKey;
    },
    remove(id) {
      const known = rows("id = ?", id).length > 0;
      database.run("DELETE FROM credential WHERE id = ?", id);
      return known ? "removed" : "missing";
    },
    block: (id, until) => database.run("UPDATE credential SET blockedUntil = ? WHERE id = ?", until, id),
    [Symbol.dispose]: () => database.close(),
  };
}
