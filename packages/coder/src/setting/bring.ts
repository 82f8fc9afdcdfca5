import { check } from "./check.ts";
import { foreignUserFiles, type Relative, type RelativeHomes } from "./foreign.ts";
import { dataIn, readLayer } from "./layer.ts";
import type { Key, Value } from "./schema.ts";

export interface Brought {
  files: string[];
  values: Map<Key, Value<Key>>;
  /** Names that have no place here, or values of another type. */
  strange: string[];
  /** What is wrong with files. */
  warnings: string[];
}

/** What the settings of a relative say: what is ours, and what is not. */
export async function readForeign(homes: RelativeHomes, who: Relative): Promise<Brought> {
  const brought: Brought = { files: [], values: new Map(), strange: [], warnings: [] };
  for (const file of foreignUserFiles(homes, who)) {
    const layer = await readLayer({ file, from: "user", missing: "is fine", of: "a relative" });
    if (!layer) continue;
    brought.files.push(file);
    brought.warnings.push(...layer.warnings);
    for (const [key, value] of Object.entries(layer.values) as [Key, Value<Key>][]) brought.values.set(key, value);
    const models = layer.warnings.length > 0 ? noModels : modelsIn(dataIn(file, layer.text ?? ""));
    for (const [key, name] of Object.entries(models.values) as [Key, string][])
      if (check(key, name).ok) brought.values.set(key, name);
    brought.strange.push(
      ...layer.strange.filter((name) => name !== "" && !models.names.includes(name)),
      ...models.strange,
    );
  }
  return brought;
}

interface Models {
  values: { [K in Key]?: unknown };
  /** The names that say it. */
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
 * Whom they ask: pi in two keys, omp by role. It is taken over where somebody wants that, and does not count by itself:
 * keys that they keep for it are theirs.
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
