import { expect, test } from "bun:test";
import type { Entry } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import { coderIn } from "../../test/open.ts";

const cost = { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0 };
const usage = { input: 10, output: 10 };
const spentOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === "custom" && entry.customType === "pith.spent" ? [entry.data] : []));
const answerOf = (entries: readonly Entry[]) =>
  entries.find((entry) => entry.type === "message" && entry.message.role === "assistant")?.id ?? "";

test("a budget in dollars ends a run between two requests, over all prompts", async () => {
  using dir = scratch();
  const turns = Array.from({ length: 4 }, () => ({ text: "Hi.", usage }));
  const coder = await coderIn(dir, turns, { maxCost: 0.03 }, { model: { cost } });
  await coder.send({ text: "one" });
  await coder.send({ text: "two" });
  expect(coder.scene.turn).toMatchObject({ name: "idle", end: { reason: "done" } });
  await coder.send({ text: "three" });
  expect(coder.scene.turn).toMatchObject({
    end: { reason: "limit", message: "The budget of $0.03 (--max-cost) is used up: $0.0400 so far." },
  });
  await coder.close();
});

test("a budget in tokens does the same, and an attempt that failed is paid for too", async () => {
  using dir = scratch();
  const failing = { text: "so far", usage, error: { status: 500, retryAfterMs: 1 } };
  const coder = await coderIn(dir, [failing, { text: "Hi.", usage }], { maxTokens: 30 });
  await coder.send({ text: "one" });
  expect(coder.scene.spent.tokens).toBe(40);
  await coder.send({ text: "two" });
  expect(coder.scene.turn).toMatchObject({
    end: { reason: "limit", message: "The budget of 30 tokens (--max-tokens) is used up: 40 so far." },
  });
  await coder.close();
});

test("a summary beside the conversation is paid for: in the record, in the usage and by the budget", async () => {
  using dir = scratch();
  const side = { branch: { text: "Summed up.", usage: { input: 100, output: 20 } } };
  const turns = [{ text: "One." }, { text: "Two." }, { text: "Three." }];
  const coder = await coderIn(dir, turns, { maxTokens: 110 }, { side, model: { cost } });
  await coder.send({ text: "first" });
  await coder.send({ text: "second" });
  expect(await coder.walk.go(answerOf(coder.path()), "own")).toMatchObject({ done: "moved" });
  expect(spentOf(coder.path())).toMatchObject([{ purpose: "branch", provider: "faux", usage: { totalTokens: 120 } }]);
  expect((await coder.usage()).total).toMatchObject({ input: 100, output: 20, cost: expect.closeTo(0.12), replies: 1 });
  expect(coder.scene.spent).toEqual({ tokens: 120, cost: expect.closeTo(0.12) });
  await coder.send({ text: "third" });
  expect(coder.scene.turn).toMatchObject({ end: { reason: "limit" } });
  // Nor is anything asked beside it any more.
  expect(await coder.walk.go(answerOf(coder.path()), "own")).toEqual({ done: "cancelled" });
  expect(coder.scene.spent.tokens).toBe(120);
  await coder.close();
});

test("a summary that failed half way is paid for where the conversation stands", async () => {
  using dir = scratch();
  const side = { branch: { text: ["Sum", "med"], cut: true, usage: { input: 7 } } };
  const coder = await coderIn(dir, [{ text: "One." }, { text: "Two." }], {}, { side });
  await coder.send({ text: "first" });
  await coder.send({ text: "second" });
  const leaf = coder.path().at(-1)?.id;
  expect(await coder.walk.go(answerOf(coder.path()), "own")).toEqual({ done: "cancelled" });
  const path = coder.path();
  // Every try of it.
  const behind = path.slice(path.findIndex(({ id }) => id === leaf) + 1);
  expect(behind.length).toBeGreaterThan(0);
  for (const entry of behind) expect(entry).toMatchObject({ customType: "pith.spent", data: { purpose: "branch" } });
  await coder.close();
});
