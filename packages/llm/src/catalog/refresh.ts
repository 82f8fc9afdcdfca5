import { fail, messageOf, ok, type Result, recordOf, writeWhole } from "@pith/kit";
import { limits } from "../limit.ts";
import type { Price } from "../model/price.ts";
import { fetchSafely } from "../platform.ts";
import { limitedText } from "../route/body.ts";
import { type Vendor, vendorIn } from "../vendor/vendor.ts";
import type { Catalog, ModelFacts } from "./catalog.ts";
import { cachedCatalog } from "./registry.ts";

/** The public list of models; other servers may serve the same format. */
export const publicList = "https://models.dev/api.json";

/** Vendors that the list names otherwise. */
const renamed: Readonly<Record<string, string>> = {
  "fireworks-ai": "fireworks",
  togetherai: "together",
  zhipuai: "zhipu",
  "kimi-for-coding": "kimi-coding",
  "alibaba-cn": "alibaba-coding-plan",
};

const timeoutMs = 30_000;

/**
 * Fetches the list and stores its models of our vendors as refreshed catalogs. Runs on request only, never at start.
 */
export async function refreshCatalogs(
  home: string,
  url: string,
  vendors: readonly Vendor[],
): Promise<Result<{ vendors: number; models: number }, "network">> {
  let list: unknown;
  try {
    const response = await fetchSafely(url, {
      redirect: "follow",
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: "application/json" },
    });
    if (!response.ok) return fail("network", `${url} answered ${response.status}`);
    list = JSON.parse(await limitedText(response, limits.catalog));
  } catch (error) {
    return fail("network", `the list of models could not be fetched from ${url}: ${messageOf(error)}`);
  }
  const total = { vendors: 0, models: 0 };
  for (const [name, published] of Object.entries(recordOf(list))) {
    const vendor = vendorIn(vendors, renamed[name] ?? name);
    const models = Object.fromEntries(
      Object.entries(recordOf(recordOf(published).models)).flatMap(([id, model]) => factsOf(id, recordOf(model))),
    );
    if (!vendor || Object.keys(models).length === 0) continue;
    const catalog: Catalog = { source: url, api: vendor.api, urls: {}, models };
    writeWhole(cachedCatalog(home, vendor.id), JSON.stringify(catalog));
    total.vendors++;
    total.models += Object.keys(models).length;
  }
  return total.vendors > 0 ? ok(total) : fail("network", `${url} holds no models of vendors that pith knows`);
}

function factsOf(id: string, model: Readonly<Record<string, unknown>>): [string, ModelFacts][] {
  const [limit, cost, modalities] = [recordOf(model.limit), recordOf(model.cost), recordOf(model.modalities)];
  const [contextWindow, output] = [count(limit.context), count(limit.output)];
  if (contextWindow === undefined) return [];
  const long = recordOf(cost.context_over_200k);
  const sees = Array.isArray(modalities.input) && modalities.input.includes("image");
  const facts: ModelFacts = {
    name: typeof model.name === "string" ? model.name : id,
    contextWindow,
    maxOutput: Math.min(output ?? 16_384, contextWindow),
    input: sees ? ["text", "image"] : ["text"],
    reasoning: model.reasoning === true,
    cost: rates(cost),
  };
  if (long.input !== undefined) facts.cost.tiers = [{ inputTokensAbove: 200_000, ...rates(long) }];
  return [[id, facts]];
}

function rates(cost: Readonly<Record<string, unknown>>): Price {
  const price = (value: unknown) => (typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : 0);
  return {
    input: price(cost.input),
    output: price(cost.output),
    cacheRead: price(cost.cache_read),
    cacheWrite: price(cost.cache_write),
  };
}

const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;
