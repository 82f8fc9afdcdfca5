import { expect, test } from "bun:test";
import { type Body, cacheOf, moneyOf } from "./cache.ts";

const long = "word ".repeat(2000);
const body = (...texts: string[]): Body => ({
  system: [{ type: "text", text: long, cache_control: { type: "ephemeral" } } as object],
  messages: texts.map((text, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: [Object.assign({ type: "text", text }, at === texts.length - 1 ? { cache_control: {} } : {})],
  })),
});

test("what stands before a mark is written once, read from then on, and written anew when it changes", () => {
  const count = cacheOf("anthropic");
  const first = count(body("one"));
  expect([first.cacheRead, first.input]).toEqual([0, 0]);
  const second = count(body("one", "two", "three"));
  expect(second.cacheRead).toBe(first.cacheWrite);
  const other = count(Object.assign(body("one", "two", "three"), { tools: [{ name: "new" }] }));
  expect(other.cacheRead).toBe(0);
});

test("without marks a prefix is kept in steps, and a short one not at all", () => {
  const count = cacheOf("openai");
  const said = (...texts: string[]): Body => ({ messages: texts.map((content) => ({ role: "user", content })) });
  expect(count(said("hi")).cacheRead).toBe(0);
  expect(count(said("hi", "there")).cacheRead).toBe(0);
  const first = count(said(long));
  const second = count(said(long, "more"));
  expect([first.cacheRead, second.cacheRead % 128]).toEqual([0, 0]);
  expect(second.cacheRead).toBeGreaterThan(1024);
  expect(second.input).toBeLessThan(200);
});

test("a request costs its tokens at the rates of the catalog", () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
  expect(moneyOf({ input: 1000, cacheRead: 10_000, cacheWrite: 2000 }, 100, price)).toBeCloseTo(0.015, 6);
});
