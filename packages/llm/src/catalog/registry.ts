import { join } from "node:path";
import { fail, isRecord, ok, parseJson, type Result, readPlain, recordOf } from "@pith/kit";
import type { Model } from "../model/model.ts";
import { type Vendor, vendorsFor } from "../vendor/vendor.ts";
import { type Catalog, modelIn, shippedCatalog, unknownModel } from "./catalog.ts";
import type { CustomModel } from "./custom/model.ts";

/** All known vendors and models: shipped, refreshed, and the user's own. */
export interface ModelRegistry {
  vendors: readonly Vendor[];
  warnings: readonly string[];
  catalog(vendor: Vendor): Promise<Catalog | undefined>;
  /** The model of an exact id; undefined when it is unknown. */
  find(vendor: Vendor, id: string): Promise<Model | undefined>;
  /** The model with the user's changes applied. */
  over(vendor: Vendor, model: Model): Model;
  /** The model ids of a vendor, the user's own first. */
  ids(vendor: Vendor): Promise<string[]>;
}

export async function openRegistry(
  home: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Result<ModelRegistry, "models">> {
  const file = home === undefined ? undefined : customFile(home);
  const read = file === undefined ? undefined : readPlain(file, { maxBytes });
  if (read?.ok === false && read.kind !== "missing") return fail("models", `${file}: ${read.message}`);
  const text = read?.ok ? read.value : undefined;
  // Loads the reader only if the file exists.
  const custom =
    file === undefined || text === undefined
      ? undefined
      : await (await import("./custom/custom.ts")).readCustom(file, text);
  if (custom && !custom.ok) return custom;
  const known = new Map<string, Promise<Catalog | undefined>>();
  const catalog = (vendor: Vendor) => {
    const loading = known.get(vendor.id) ?? load(home, vendor.id);
    known.set(vendor.id, loading);
    return loading;
  };
  const over = (vendor: Vendor, model: Model) => {
    const said = vendor.custom?.overrides.find(({ id }) => id === model.id);
    return said ? changed(model, said) : model;
  };
  return ok({
    over,
    vendors: vendorsFor(env, custom?.value.vendors ?? []),
    warnings: custom?.value.warnings ?? [],
    catalog,
    async find(vendor, id) {
      const row = vendor.custom?.models.find((model) => model.id === id);
      const known = modelIn(await catalog(vendor), vendor.id, id);
      const model = row ? changed(known ?? unknownModel(vendor.id, id, vendor.api), row) : known;
      return model && over(vendor, model);
    },
    async ids(vendor) {
      const listed = vendor.custom?.models.map((model) => model.id) ?? [];
      return [...new Set([...listed, ...Object.keys((await catalog(vendor))?.models ?? {})])];
    },
  });
}

/** Applies the user's facts over the known ones; of the price, rate by rate. */
function changed(model: Model, { facts }: CustomModel): Model {
  const { tiers: _, ...rates } = model.cost;
  return {
    ...model,
    ...facts,
    cost: facts.cost ? { ...rates, ...facts.cost } : model.cost,
    compat: { ...model.compat, ...facts.compat },
    // Without a window the model is known by name only.
    known: model.known || facts.contextWindow !== undefined,
  };
}

const customFile = (home: string): string => join(home, "models.yml");

/** Path of a refreshed catalog. */
export const cachedCatalog = (home: string, vendor: string): string => join(home, "cache", "models", `${vendor}.json`);

/**
 * The shipped catalog with refreshed facts over it: the refreshed one has newer models, the shipped one more fields.
 */
async function load(home: string | undefined, vendor: string): Promise<Catalog | undefined> {
  const cached = home === undefined ? undefined : readPlain(cachedCatalog(home, vendor), { maxBytes });
  const shipped = await shippedCatalog(vendor);
  const fresh = cached?.ok ? parse(cached.value) : undefined;
  if (!fresh || !shipped) return fresh ?? shipped;
  const models = Object.fromEntries(
    Object.entries(fresh.models).map(([id, facts]) => [id, { ...shipped.models[id], ...facts }]),
  );
  return { ...shipped, models: { ...shipped.models, ...models } };
}

function parse(text: string): Catalog | undefined {
  const catalog = recordOf(parseJson(text));
  return isRecord(catalog.models) ? (catalog as unknown as Catalog) : undefined;
}

const maxBytes = 4 * 1024 * 1024;
