import { expect, test } from "bun:test";
import type { Model } from "@pith/llm";
import { plainSettings } from "../test/settings.ts";
import { profileOf, withProfile } from "./profile.ts";

const model: Model = {
  vendor: "ollama",
  id: "small",
  api: "ollama-chat",
  name: "small",
  contextWindow: 32_768,
  maxOutput: 8192,
  input: ["text"],
  reasoning: false,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  known: true,
};

test.each<[string, Partial<Model>, Parameters<typeof plainSettings>[0], string]>([
  ["one of a vendor", {}, {}, "default"],
  ["one on this machine that nobody knows the size of", { local: true }, {}, "local"],
  ["one on this machine of 40 billion", { local: true, size: 40 }, {}, "local"],
  ["a larger one", { local: true, size: 40.1 }, {}, "default"],
  ["one that models.yml speaks of", { local: true, size: 7, profile: "orchestrator" }, {}, "orchestrator"],
  ["one that a pattern names", { profile: "default" }, { localModels: ["ollama/*"] }, "local"],
  ["any, where somebody has set it", { local: true, profile: "local" }, { profile: "default" }, "default"],
])("%s is worked with as one expects", (_, more, set, profile) => {
  expect(profileOf({ ...model, ...more }, plainSettings(set))).toBe(profile as "local");
});

test("a server keeps a small model in memory between two inputs, unless models.yml says how long", () => {
  const local = plainSettings({ profile: "local" });
  expect(withProfile(model, local).compat).toEqual({ keepAlive: "30m" });
  expect(withProfile({ ...model, compat: { keepAlive: 0 } }, local).compat).toEqual({ keepAlive: 0 });
  expect(withProfile({ ...model, api: "openai-completions" }, local).compat).toBeUndefined();
  expect(withProfile(model, plainSettings({}))).toBe(model);
});
