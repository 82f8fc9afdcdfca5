import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { listTables, select } from "./read.ts";
import { changeRow, makeDatabase } from "./write.ts";

const { path: dir } = scratch(afterAll);

const db = join(dir, "shop.db");

beforeAll(() => copyFileSync(join(import.meta.dir, "../../../../test/data/files/shop.db"), db));

const { signal } = new AbortController();

const take = async (query: string, max = 500) => {
  const got = await select(db, query, [], max, signal);
  return got.ok ? got.value.rows : got.message;
};

test("rows are inserted, changed and deleted, and wrong ones refused", async () => {
  const change = async (table: string, how: Parameters<typeof changeRow>[2]) => {
    const got = await changeRow(db, table, how, signal);
    return got.ok ? got.value : got.message;
  };
  expect(await change("log", { do: "insert", values: {} })).toBe(1);
  expect(await change("item", { do: "update", key: "7", values: { name: "it's" } })).toBe(1);
  expect(await take("SELECT name FROM item WHERE id = 7")).toEqual([["it's"]]);
  expect(await change("item", { do: "update", key: "700", values: { name: "x" } })).toBe(0);
  expect(await change("log", { do: "delete", key: "1" })).toBe(1);
  expect(await change("item", { do: "insert", values: { colour: "red" } })).toBe(
    "Unknown column 'colour' in item. Columns: id, name, price",
  );
  expect(await change("pair", { do: "delete", key: "1" })).toContain("cannot be found by one key");
  expect(await change("tag", { do: "delete", key: "1" })).toContain("cannot be found by one key");
  expect(await change("item", { do: "insert", values: { id: 7, name: "x" } })).toContain("UNIQUE constraint failed");
});

test("a database is made out of statements, all of them or none", async () => {
  const path = join(dir, "new", "made.db");
  expect(
    await makeDatabase(path, "CREATE TABLE a (x); INSERT INTO a VALUES (1), (2); CREATE INDEX i ON a (x);", signal),
  ).toMatchObject({ ok: true });
  expect(await listTables(path, 5, signal)).toMatchObject({ value: { tables: [{ name: "a", rows: 2 }] } });
  expect(await makeDatabase(path, "CREATE TABLE b (x)", signal)).toMatchObject({ ok: false });
  for (const script of [
    "CREATE TABLE a (x); CREATE TABLE a (x)",
    `ATTACH '${dir}/other.db' AS o; CREATE TABLE o.x (a)`,
    "CREATE TABLE a (x); VACUUM INTO 'y.db'",
    "not sql",
  ])
    expect(await makeDatabase(join(dir, "none.db"), script, signal)).toMatchObject({ ok: false });
  expect(readdirSync(dir).filter((name) => /none|other|y\.db|tmp/.test(name))).toEqual([]);
});
