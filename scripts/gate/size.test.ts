import { expect, test } from "bun:test";
import { judgeSizes, lower } from "./size.ts";

const lines = (count: number) => new Map([["a.ts", count]]);
const allowed = (count: number) => ({ "a.ts": { lines: count, reason: "one table" } });

test("a file that grew too long is refused, and its author is asked about owners", () => {
  expect(judgeSizes(lines(500), {})).toEqual([]);
  expect(judgeSizes(lines(501), {})[0]).toMatch(/501 lines; above 500 it needs a reason.*Which state does it own/);
  expect(judgeSizes(lines(501), { "a.ts": { lines: 501, reason: "" } })).toHaveLength(1);
  expect(judgeSizes(lines(801), allowed(801))[0]).toMatch(/800 is the limit/);
});

test("a long file with a reason may shrink and never grow", () => {
  expect(judgeSizes(lines(600), allowed(600))).toEqual([]);
  expect(judgeSizes(lines(601), allowed(600))[0]).toMatch(/grew from 600 to 601/);
  expect(judgeSizes(lines(599), allowed(600))[0]).toMatch(/shrank to 599/);
  expect(judgeSizes(new Map(), allowed(600))[0]).toMatch(/does not exist/);
  expect(lower(lines(599), allowed(600))).toEqual(allowed(599));
  expect(lower(lines(601), allowed(600))).toEqual(allowed(600));
  expect(lower(lines(480), allowed(600))).toEqual({});
});
