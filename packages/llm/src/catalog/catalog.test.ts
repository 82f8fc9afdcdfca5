import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Api, apiNamed } from "../vendor/api.ts";
import { vendors } from "../vendor/table.ts";
import { type Catalog, modelIn, shippedCatalog } from "./catalog.ts";

const findModel = async (vendor: string, id: string) => modelIn(await shippedCatalog(vendor), vendor, id);

test("a known model has its window, its limits, its prices and its kinds of input", async () => {
  expect(await findModel("openai", "gpt-4o")).toEqual({
    vendor: "openai",
    id: "gpt-4o",
    api: "openai-responses",
    name: "GPT-4o",
    contextWindow: 128_000,
    maxOutput: 16_384,
    input: ["text", "image"],
    reasoning: false,
    cost: { input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 0 },
    compat: { supportsStrictMode: true },
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

test("every generated file is loaded by its vendor's name, says where it is from and holds usable models", async () => {
  const files = readdirSync(join(import.meta.dir, "data")).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? []);
  expect(files.length).toBeGreaterThan(50);
  for (const vendor of files) {
    const catalog = (await shippedCatalog(vendor)) as Catalog;
    expect(catalog.source).toMatch(/^@.* \d.*MIT/);
    expect([vendor, vendors.some((row) => row.id === vendor)]).toEqual([vendor, true]);
    for (const [id, model] of Object.entries(catalog.models)) {
      expect([vendor, id, model.contextWindow >= model.maxOutput && model.maxOutput > 0]).toEqual([vendor, id, true]);
      expect([
        vendor,
        id,
        [model.cost, ...(model.cost.tiers ?? [])].every(
          ({ input, output, cacheRead, cacheWrite }) => Math.min(input, output, cacheRead, cacheWrite) >= 0,
        ),
      ]).toEqual([vendor, id, true]);
      expect([vendor, id, apiNamed(model.api ?? catalog.api)]).toEqual([vendor, id, (model.api ?? catalog.api) as Api]);
    }
  }
});

test("the usual model of every vendor with a catalog is in it", async () => {
  const listed = await Promise.all(
    vendors.map(async ({ id, usual }) => ({ id, usual, models: (await shippedCatalog(id))?.models })),
  );
  const known = listed.filter(({ usual, models }) => usual !== undefined && models);
  expect(known.length).toBeGreaterThan(5);
  expect(known.filter(({ usual = "", models = {} }) => !Object.hasOwn(models, usual)).map(({ id }) => id)).toEqual([]);
});
