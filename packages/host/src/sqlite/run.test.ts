import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { select } from "./read.ts";
import { changeRow } from "./write.ts";

const { path: dir } = scratch(afterAll);

const db = join(dir, "shop.db");

beforeAll(() => copyFileSync(join(import.meta.dir, "../../../../test/data/files/shop.db"), db));

const { signal } = new AbortController();

const take = async (query: string, max = 500) => {
  const got = await select(db, query, [], max, signal);
  return got.ok ? got.value.rows : got.message;
};

test("only reading passes, whatever the words", async () => {
  const before = readFileSync(db);
  for (const query of [
    "DELETE FROM item",
    "WITH x AS (SELECT 1) DELETE FROM item",
    "PRAGMA journal_mode = WAL",
    "ATTACH 'x.db' AS x",
    "SELECT 1; DELETE FROM item",
    "SELECT 1) ; DELETE FROM item",
    "SELECT 1) ; DELETE FROM item; --",
    "SELECT 1) UNION SELECT id FROM (item",
    "VACUUM",
    "SELECT load_extension('/tmp/x.so')",
    "INSERT INTO log VALUES (1) RETURNING *",
  ]) {
    const got = await take(query);
    if (typeof got !== "string") expect(got).toEqual([[1]]);
  }
  expect(readFileSync(db).equals(before)).toBe(true);
  expect(await take("SELECT name FROM item ORDER BY id DESC LIMIT 1")).toEqual([["item 30"]]);
  expect(await take("SELECT 1 AS b, 'x' AS \"1\" -- last")).toEqual([[1, "x"]]);
  expect(await take("VALUES (1), (2)")).toEqual([[1], [2]]);
  expect(await take("SELECT ?")).toContain("bound parameters");
});

test("a query that never ends is stopped, and ours goes on", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  expect(
    await select(
      db,
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
      [],
      1,
      stop.signal,
    ),
  ).toMatchObject({
    kind: "aborted",
  });
});

test("a locked database is waited for three seconds and no longer", async () => {
  const { Database } = await import("bun:sqlite");
  using lock = new Database(db);
  lock.run("BEGIN EXCLUSIVE");
  const began = performance.now();
  expect(await changeRow(db, "log", { do: "insert", values: {} }, signal)).toMatchObject({
    ok: false,
    message: expect.stringContaining("locked"),
  });
  expect(performance.now() - began).toBeGreaterThan(2500);
  lock.run("ROLLBACK");
}, 120_000);
