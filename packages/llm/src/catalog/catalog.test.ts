import { expect, test } from "bun:test";
import { findModel } from "./catalog.ts";
import data from "./data/openai.json";

test("a known model has its window, its limits, its prices and its kinds of input", async () => {
  expect(await findModel("openai", "gpt-4o")).toEqual({
    vendor: "openai",
    id: "gpt-4o",
    api: "openai-completions",
    name: "GPT-4o",
    contextWindow: 128_000,
    maxOutput: 16_384,
    input: ["text", "image"],
    reasoning: false,
    cost: { input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 0 },
    known: true,
  });
});

test("an unknown vendor or model is not there, whatever it is called", async () => {
  for (const [vendor, id] of [
    ["openai", "no-such-model"],
    ["openai", "constructor"],
    ["nobody", "gpt-4o"],
    ["constructor", "gpt-4o"],
    ["__proto__", "x"],
  ] as const)
    expect(await findModel(vendor, id)).toBeUndefined();
});

test("the data says where it comes from, and every model in it is usable", () => {
  expect(data.source).toMatch(/pi-ai .*MIT/);
  for (const [id, model] of Object.entries(data.models)) {
    expect([id, model.contextWindow >= model.maxOutput && model.maxOutput > 0]).toEqual([id, true]);
    expect([id, Object.values(model.cost).every((price) => price >= 0)]).toEqual([id, true]);
  }
});
