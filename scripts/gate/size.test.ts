import { expect, test } from "bun:test";
import { judgeCounts, lower } from "./ratchet.ts";
import { sizeRatchet } from "./size.ts";

const lines = (count: number) => new Map([["a.ts", count]]);
const allowed = (count: number) => ({ "a.ts": { count, reason: "one table" } });
const judge = (...[counts, list]: [Map<string, number>, Parameters<typeof lower>[1]]) =>
  judgeCounts(counts, list, sizeRatchet).findings;

test("a file that grew too long is refused, and its author is asked about owners", () => {
  expect(judge(lines(500), {})).toEqual([]);
  expect(judge(lines(501), {})[0]).toMatch(/501 lines; above 500 it needs a reason.*Which state does it own/);
  expect(judge(lines(501), { "a.ts": { count: 501, reason: "" } })).toHaveLength(1);
  expect(judge(lines(801), allowed(801))[0]).toMatch(/800 is the limit/);
});

test("a long file with a reason may shrink and never grow", () => {
  expect(judge(lines(600), allowed(600))).toEqual([]);
  expect(judge(lines(601), allowed(600))[0]).toMatch(/grew from 600 to 601/);
  expect(judge(lines(599), allowed(600))[0]).toMatch(/shrank to 599/);
  expect(judge(new Map(), allowed(600))[0]).toMatch(/does not exist/);
  expect(lower(lines(599), allowed(600), sizeRatchet)).toEqual(allowed(599));
  expect(lower(lines(601), allowed(600), sizeRatchet)).toEqual(allowed(600));
  expect(lower(lines(480), allowed(600), sizeRatchet)).toEqual({});
});
