import { expect, test } from "bun:test";
import { join } from "node:path";
import { openReading, sampleFiles } from "../../../test/read.ts";

const { run } = openReading("read-database");

const db = join(sampleFiles, "shop.db");
const asked = async (rest: string) => (await run(`${db}${rest}`)).text.replace(`${db}: `, "");

test("a database is its tables, a table its shape and first rows, a row its values", async () => {
  expect(await asked("")).toStartWith(
    "item (30 rows)\n  id | name   | price\n  ---+--------+------\n  1  | item 1 | 1.5\n  2  | item 2 | 3\nlog (2 rows)\n  at\n",
  );
  expect(await asked("")).toMatch(/\ntag \(1 rows\)\n/);
  expect(await asked(":item")).toBe(
    "CREATE TABLE item(id integer primary key, name text not null, price real default 1.5)\n\nid | name   | price\n---+--------+------\n1  | item 1 | 1.5\n2  | item 2 | 3\n3  | item 3 | 4.5\n4  | item 4 | 6\n5  | item 5 | 7.5\n\n[First 5 rows; page with item?limit=20&offset=5]",
  );
  expect(await asked(":item:7")).toBe("id: 7\nname: item 7\nprice: 10.5");
  expect(await asked(":log:1")).toBe("at: now");
  expect(await asked(":item:99")).toBe("No row '99' in item");
});

test("rows are paged, ordered and chosen; what would do more is refused", async () => {
  expect(await asked(":item?limit=2&offset=3&order=price:desc")).toBe(
    "id | name    | price\n---+---------+------\n27 | item 27 | 40.5\n26 | item 26 | 39\n\n[More rows: offset=5]",
  );
  expect(await asked(":item?where=name LIKE '%1' AND id > 20&limit=5")).toContain("21 | item 21");
  expect(await asked("?q=SELECT count(*) AS n, 'a;b' AS t FROM item")).toBe("n  | t\n---+----\n30 | a;b");
  const refused: [string, RegExp][] = [
    [":item?order=colour", /no column 'colour'/],
    [":item?colour=1", /Unknown query parameter colour/],
    [":item?limit=0", /limit must be/],
    [":item?where=1; DROP TABLE item", /comments or semicolons/],
    [":item?where=1 -- x", /comments or semicolons/],
    [":item?where=1 UNION SELECT 1", /must not hold UNION/],
    [":item:7?limit=1", /takes no query parameters/],
    ["?q=", /q must not be empty/],
    ["?q=SELECT 1&limit=3", /cannot be combined with limit/],
    [":item?q=SELECT 1", /cannot be combined with a table/],
    ["?q=SELECT ?", /bound parameters/],
    ["?q=DELETE FROM item", /q must be a SELECT; DELETE is refused/],
    ["?q=WITH x AS (SELECT 1) DELETE FROM item", /syntax error/],
    ["?q=PRAGMA user_version = 3", /must be a SELECT/],
    ["?q=ATTACH 'x' AS y", /must be a SELECT/],
    [":none", /no such table/],
  ];
  for (const [rest, message] of refused)
    expect(await run(`${db}${rest}`)).toMatchObject({ failed: true, text: expect.stringMatching(message) });
  expect(await asked("")).toStartWith("item (30 rows)");
});
