import { expect, test } from "bun:test";
import { unknownModel } from "../catalog/catalog.ts";
import { parameterSize, withSize } from "./size.ts";

test.each([
  ["qwen2.5-coder:7b", 7],
  ["Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf", 30],
  ["qwen3:30b-a3b", 30],
  ["mixtral-8x7b-instruct", 56],
  ["Meta-Llama-3.1-8B-Instruct", 8],
  ["smollm2:135m", 0.135],
  ["phi3:3.8b", 3.8],
  ["kimi-k2:1t-cloud", 1000],
  ["gpt-oss:120b", 120],
  ["Qwen2.5-7B-Instruct-1M", 7],
  ["7.6B", 7.6],
  ["669.22M", 0.66922],
  ["gemma-3n-e4b", undefined],
  ["mistral-4bit", undefined],
  ["llama3.2:latest", undefined],
  ["", undefined],
])("of a model that is called %p it is told how large it is", (name, size) => {
  if (size === undefined) expect(parameterSize(name)).toBeUndefined();
  else expect(parameterSize(name)).toBeCloseTo(size, 6);
});

test("only what runs on a machine of one's own is taken for it", () => {
  const of = (id: string, vendor: { id: string; local?: true }) =>
    withSize({ api: "openai-completions", url: "", keys: [], ...vendor }, unknownModel(vendor.id, id, "x"));
  expect(of("a:7b", { id: "vllm", local: true })).toMatchObject({ local: true, size: 7 });
  expect(of("glm-5:cloud", { id: "ollama", local: true }).local).toBeUndefined();
  expect(of("a:7b", { id: "litellm", local: true }).local).toBeUndefined();
  expect(of("a:7b", { id: "openai" })).not.toHaveProperty("size");
});
