import { expect, test } from "bun:test";
import { judgeCounts, lower, type Ratchet } from "./ratchet.ts";

const ratchet: Ratchet = { rule: "toy", unit: "lines", limit: 10, tight: true };
const counts = (all: Record<string, number>) => new Map(Object.entries(all));

test("a count above the limit is refused without an entry, and above its entry", () => {
  const judge = (all: Record<string, number>) => judgeCounts(counts(all), { a: 20 }, ratchet).findings;
  expect(judge({ a: 20, b: 10 })).toEqual([]);
  expect(judge({ a: 21 })[0]).toMatch(/a grew from 20 to 21/);
  expect(judge({ a: 20, b: 11 })[0]).toMatch(/b has 11 lines; above 10 it needs an entry in scripts\/gate\/toy.json/);
});

test("a count below its entry is refused by a tight ratchet, and only a hint for another", () => {
  const judge = (tight: boolean) =>
    judgeCounts(counts({ a: 12, b: 15 }), { a: 20, c: 30 }, { ...ratchet, softLimit: 15, tight });
  expect(judge(true)).toMatchObject({ findings: { length: 3 }, hints: [] });
  expect(judge(false)).toMatchObject({ findings: [], hints: { length: 2 } });
});

test("writing down lowers and drops entries, and adds only what is allowed without one for now", () => {
  const write = (tight: boolean) =>
    lower(counts({ a: 12, b: 15, c: 30, d: 9 }), { a: 20, d: 20, e: 20 }, { ...ratchet, softLimit: 15, tight });
  expect(write(true)).toEqual({ a: 12 });
  expect(write(false)).toEqual({ a: 12, b: 15 });
});

test("an entry follows what moved, as long as that did not grow", () => {
  const moving: Ratchet = { ...ratchet, isMoved: (entry, now) => entry.key.at(-1) === now.key.at(-1) };
  const allowed = { "old#f": 20, "old#g": 20 };
  expect(judgeCounts(counts({ "new#f": 20, "old#g": 20 }), allowed, moving).findings).toEqual([]);
  expect(judgeCounts(counts({ "new#f": 21, "old#g": 20 }), allowed, moving).findings[0]).toMatch(/new#f has 21/);
  expect(judgeCounts(counts({ "new#h": 20 }), allowed, moving).findings[0]).toMatch(/new#h has 20/);
  expect(lower(counts({ "new#f": 18, "old#g": 20 }), allowed, moving)).toEqual({ "old#g": 20, "new#f": 18 });
});

test("a tight ratchet refuses more entries, or a higher sum, than may stay", () => {
  const judge = (goal: Partial<Ratchet>) =>
    judgeCounts(counts({ a: 20, b: 15, c: 9 }), { a: 20, b: 15 }, { ...ratchet, ...goal }).findings;
  expect(judge({ maxEntries: 2, maxTotal: 35 })).toEqual([]);
  expect(judge({ maxEntries: 1 })).toEqual(["2 have more than 10 lines; 1 may."]);
  expect(judge({ maxTotal: 34 })).toEqual(["35 lines in all; 34 may be."]);
  expect(judge({ maxEntries: 1, tight: false })).toEqual([]);
});
