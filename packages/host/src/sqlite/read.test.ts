import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { isDatabase, listTables, select, tableShape } from "./read.ts";
import { runSql } from "./run.ts";
import { changeRow, makeDatabase } from "./write.ts";

const { path: dir } = scratch(afterAll);

const db = join(dir, "shop.db");

beforeAll(() => copyFileSync(join(import.meta.dir, "../../../../test/data/files/shop.db"), db));

const { signal } = new AbortController();

const take = async (query: string, max = 500) => {
  const got = await select(db, query, [], max, signal);
  return got.ok ? got.value.rows : got.message;
};

test("a database is known by its first bytes, not by its name", () => {
  writeFileSync(join(dir, "text.db"), "not a database");
  expect([isDatabase(db), isDatabase(join(dir, "text.db")), isDatabase(join(dir, "gone.db")), isDatabase(dir)]).toEqual(
    [true, false, false, false],
  );
});

test("tables are listed with their rows, own tables of the engine left out", async () => {
  expect(await listTables(db, 500, signal)).toEqual({
    ok: true,
    value: {
      tables: [
        { name: "item", is: "table", rows: 30 },
        { name: "log", is: "table", rows: 2 },
        { name: "pair", is: "table", rows: 1 },
        { name: "tag", is: "table", rows: 1 },
      ],
      total: 4,
    },
  });
  expect(await listTables(db, 1, signal)).toMatchObject({ value: { tables: [{ name: "item" }], total: 4 } });
});

test("one damaged table does not hide the counts of the others, and views are named as such", async () => {
  const path = join(dir, "part.db");
  expect(
    await makeDatabase(
      path,
      "CREATE TABLE a (x); CREATE TABLE b (x); CREATE VIEW v AS SELECT * FROM a; INSERT INTO b VALUES (1);",
      signal,
    ),
  ).toMatchObject({ ok: true });
  const bytes = readFileSync(path);
  // The second page holds the first table.
  writeFileSync(path, bytes.fill(0xff, 4096, 8192));
  expect(await listTables(path, 500, signal)).toMatchObject({
    value: {
      tables: [
        { name: "a", rows: undefined },
        { name: "b", rows: 1 },
        { name: "v", is: "view", rows: undefined },
      ],
    },
  });
});

test("a generated column can be ordered by, and names have no case", async () => {
  const path = join(dir, "made.db");
  await makeDatabase(
    path,
    "CREATE TABLE Sum (a INT, twice INT GENERATED ALWAYS AS (a * 2) STORED); INSERT INTO Sum (a) VALUES (4);",
    signal,
  );
  expect(await tableShape(path, "sum", signal)).toMatchObject({ value: { columns: ["a", "twice"], key: "rowid" } });
  expect(await changeRow(path, "SUM", { do: "insert", values: { A: 5 } }, signal)).toEqual({ ok: true, value: 1 });
});

test("rows of a table without rowid are read by their key, not written by it", async () => {
  const path = join(dir, "without.db");
  await makeDatabase(
    path,
    "CREATE TABLE t (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t VALUES ('a', 1);",
    signal,
  );
  expect(await tableShape(path, "t", signal)).toMatchObject({ value: { key: "k", rowid: "none" } });
  expect(await changeRow(path, "t", { do: "delete", key: "a" }, signal)).toMatchObject({
    ok: false,
    message: expect.stringContaining("it has no rowid"),
  });
});

test("the key of a table is its one primary key, else the rowid, else none", async () => {
  const key = async (table: string) => {
    const shape = await tableShape(db, table, signal);
    return shape.ok ? shape.value.key : shape.message;
  };
  expect(await Promise.all(["item", "log", "tag", "none"].map(key))).toEqual([
    "id",
    "rowid",
    undefined,
    "no such table: none",
  ]);
});

test("large numbers and bytes arrive as they are", async () => {
  expect(await take("SELECT 9007199254740993, x'00ff', NULL, 1.5, 'ü'")).toEqual([
    ["9007199254740993", "x'00ff'", null, 1.5, "ü"],
  ]);
});

test("reading a database that is written ahead leaves nothing beside it, and sees what is not merged yet", async () => {
  const { Database } = await import("bun:sqlite");
  const path = join(dir, "ahead #1?.db");
  const writer = new Database(path, { create: true });
  writer.run("PRAGMA journal_mode = WAL");
  writer.run("CREATE TABLE t (a)");
  writer.run("INSERT INTO t VALUES (1)");
  expect(await select(path, "SELECT a FROM t", [], 5, signal)).toMatchObject({ value: { rows: [[1]] } });
  writer.close();
  const before = readdirSync(dir);
  expect(await select(path, "SELECT a, 9007199254740993 FROM t", [], 5, signal)).toMatchObject({
    value: { rows: [[1, "9007199254740993"]] },
  });
  expect(readdirSync(dir)).toEqual(before);
});

test("a damaged or missing database is an answer, not a crash", async () => {
  const bad = join(dir, "bad.db");
  const bytes = readFileSync(db);
  bytes.fill(0xee, 100, 4000);
  writeFileSync(bad, bytes);
  expect(await listTables(bad, 5, signal)).toMatchObject({ ok: false, kind: "sql" });
  expect(await runSql(join(dir, "gone.db"), "write", [{ sql: "CREATE TABLE x (a)" }], signal)).toMatchObject({
    ok: false,
    kind: "sql",
  });
  expect(isDatabase(join(dir, "gone.db"))).toBe(false);
});
