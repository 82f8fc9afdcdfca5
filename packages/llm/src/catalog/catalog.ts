import type { Model } from "../model/model.ts";
import { files } from "./data/files.gen.ts";

/** Facts of one model in a catalog; `api` only where it differs from the catalog's. */
export type ModelFacts = Omit<Model, "vendor" | "id" | "api" | "known"> & { api?: string };

/** A generated file (`scripts/gen/models.ts`), or a refreshed copy in the same form. */
export interface Catalog {
  /** Origin of the facts and their licence. */
  source: string;
  /** The protocol of most of the models. */
  api: string;
  /** The vendor's server for each protocol. */
  urls: Readonly<Record<string, string>>;
  models: Readonly<Record<string, ModelFacts>>;
}

/** The catalog that ships with pith, or nothing. Loaded when asked for. */
export async function shippedCatalog(vendor: string): Promise<Catalog | undefined> {
  return Object.hasOwn(files, vendor) ? ((await files[vendor]?.())?.default as Catalog | undefined) : undefined;
}

/** The model of this id in a catalog, or undefined. */
export function modelIn(catalog: Catalog | undefined, vendor: string, id: string): Model | undefined {
  const facts = catalog && Object.hasOwn(catalog.models, id) ? catalog.models[id] : undefined;
  return facts && catalog && { vendor, id, api: catalog.api, ...facts, known: true };
}

/** A model that no catalog knows, with conservative guesses. */
export const unknownModel = (vendor: string, id: string, api: string): Model => ({
  vendor,
  id,
  api,
  name: id,
  contextWindow: 128_000,
  maxOutput: 16_384,
  input: ["text"],
  reasoning: false,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  known: false,
});

/** The same for a vendor. A local server reserves memory for the whole window, so its models get a small one. */
export const guessedModel = ({ id: vendor, api, local }: Server, id: string): Model => ({
  ...unknownModel(vendor, id, api),
  ...(local ? { contextWindow: 32_768, maxOutput: 8192 } : {}),
});

interface Server {
  id: string;
  api: string;
  local?: true;
}
