import { expect, test } from "bun:test";
import { CircleDetector } from "./circle.ts";
import type { Ledger, LedgerCall } from "./ledger.ts";

/** The report after each of these calls, one a step. */
function told(rows: readonly Partial<LedgerCall>[]): (string | undefined)[] {
  const all: LedgerCall[] = [];
  const since = (key: string) => all.slice(all.findLastIndex((row) => row.moves && row.key !== key) + 1);
  const ledger = { rows: all, since: (key: string) => since(key).filter((row) => row.key === key) };
  const circles = new CircleDetector(ledger as unknown as Ledger);
  return rows.map((row, step) => {
    const call = { type: "toolCall" as const, id: `${step}`, name: "look", arguments: {} };
    const usual = { effect: "read", failed: false, moves: false, wrote: [], repeat: false };
    all.push({ ...usual, key: `key ${step}`, call, result: "the same", step, ...row });
    return circles.look(() => [])?.what;
  });
}

const times = (count: number, row: (at: number) => Partial<LedgerCall>) =>
  Array.from({ length: count }, (_, at) => row(at));
const named = (name: string) => ({ type: "toolCall" as const, id: "1", name, arguments: {} });
const none = [undefined];

test("different calls with equal results are a circle after twice as many steps, and then again", () => {
  const said = told(times(40, () => ({})));
  expect(said.findIndex((what) => what !== undefined)).toBe(16);
  expect(said.filter((what) => what !== undefined)).toHaveLength(2);
});

test("calls that act elsewhere or ask a person are no circle when their results are equal", () => {
  expect([...new Set(told(times(60, () => ({ effect: "net", call: named("browser_click") }))))]).toEqual(none);
  expect([...new Set(told(times(60, () => ({ call: named("ask"), result: "yes" }))))]).toEqual(none);
  expect(told(times(60, () => ({ key: "ask", call: named("ask") }))).some((what) => what !== undefined)).toBe(true);
});

test("a job may be polled for ever, and one new result begins the count anew", () => {
  expect([...new Set(told(times(200, () => ({ key: "job", call: named("job") }))))]).toEqual(none);
  expect([...new Set(told(times(60, (at) => ({ result: at % 10 === 0 ? `${at}` : "no" }))))]).toEqual(none);
});
