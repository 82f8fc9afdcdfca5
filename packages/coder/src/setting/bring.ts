import { checkValue } from "./check.ts";
import { foreignUserFiles, type Relative, type RelativeHomes } from "./foreign.ts";
import { dataIn, readLayer } from "./layer.ts";
import type { Key, SettingTable, Value } from "./schema.ts";

/** Settings of another product, as far as they can be taken over. */
export interface ForeignSettings {
  files: string[];
  values: Map<Key, Value<Key>>;
  /** Names that have no place here, or values of another type. */
  strange: string[];
  /** Reports of files that could not be read. */
  warnings: string[];
}

/** Reads the settings of another product: values that are ours too, and names that are not. */
export async function readForeign(table: SettingTable, homes: RelativeHomes, who: Relative): Promise<ForeignSettings> {
  const brought: ForeignSettings = { files: [], values: new Map(), strange: [], warnings: [] };
  for (const file of foreignUserFiles(homes, who)) {
    const layer = await readLayer(table, { file, from: "user", missing: "is fine", of: "a relative" });
    if (!layer) continue;
    brought.files.push(file);
    brought.warnings.push(...layer.warnings);
    for (const [key, value] of Object.entries(layer.values) as [Key, Value<Key>][]) brought.values.set(key, value);
    const models = layer.warnings.length > 0 ? noModels : modelsIn(dataIn(file, layer.text ?? ""));
    for (const [key, name] of Object.entries(models.values) as [Key, string][])
      if (checkValue(table.specOf(key), name).ok) brought.values.set(key, name);
    brought.strange.push(
      ...layer.strange.filter((name) => name !== "" && !models.names.includes(name)),
      ...models.strange,
    );
  }
  return brought;
}

interface Models {
  values: { [K in Key]?: unknown };
  /** Names of the keys that were read. */
  names: readonly string[];
  strange: readonly string[];
}
const noModels: Models = { values: {}, names: [], strange: [] };
const roles: Readonly<Record<string, Key>> = {
  default: "model",
  smol: "roles.smol",
  slow: "roles.slow",
  plan: "roles.plan",
};

/**
 * Reads the models that another product asks: pi names one in two keys, omp one per role. They are only taken over on
 * request; as a layer of settings they do not count, since no key is shared.
 */
function modelsIn(data: unknown): Models {
  const { defaultProvider, defaultModel, modelRoles } = (data ?? {}) as Record<string, unknown>;
  if (typeof defaultProvider === "string" && typeof defaultModel === "string")
    return {
      values: { model: `${defaultProvider}/${defaultModel}` },
      names: ["defaultProvider", "defaultModel"],
      strange: [],
    };
  if (typeof modelRoles !== "object" || modelRoles === null) return noModels;
  const known = Object.entries(modelRoles).filter(([role]) => Object.hasOwn(roles, role));
  const strange = Object.keys(modelRoles).filter((role) => !Object.hasOwn(roles, role));
  return {
    values: Object.fromEntries(known.map(([role, name]) => [roles[role], name])),
    names: ["modelRoles"],
    strange: strange.map((role) => `modelRoles.${role}`),
  };
}
