import type { Model } from "../message/model.ts";

/** What is known of a vendor's model, or nothing. */
export async function findModel(vendor: string, id: string): Promise<Model | undefined> {
  if (!Object.hasOwn(files, vendor)) return undefined;
  const catalog = await files[vendor]?.();
  if (!catalog || !Object.hasOwn(catalog.models, id)) return undefined;
  const facts = catalog.models[id];
  return facts && { vendor, id, api: catalog.api, ...facts, known: true };
}

/** A model the catalog does not know, with careful guesses. */
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

/** One generated file: `scripts/gen-models.ts` writes it. */
export interface Catalog {
  /** Where the facts come from and under which licence. */
  source: string;
  /** The protocol we speak with this vendor. */
  api: string;
  models: Readonly<Record<string, Omit<Model, "vendor" | "id" | "api" | "known">>>;
}

const files: Readonly<Record<string, () => Promise<Catalog>>> = {
  openai: async () => (await import("./data/openai.json", { with: { type: "json" } })).default as unknown as Catalog,
};
