import { foreignUserFiles, type Relative } from "./foreign.ts";
import { readLayer } from "./layer.ts";
import type { Key, Value } from "./schema.ts";

export interface Brought {
  files: string[];
  values: Map<Key, Value<Key>>;
  /** Names that have no place here, or values of another type. */
  strange: string[];
}

/** What the settings of a relative say: what is ours, and what is not. */
export async function readForeign(userHome: string, who: Relative): Promise<Brought> {
  const brought: Brought = { files: [], values: new Map(), strange: [] };
  for (const file of foreignUserFiles(userHome, who)) {
    const layer = await readLayer({ file, from: "user", missing: "is fine", of: "a relative" });
    if (!layer) continue;
    brought.files.push(file);
    for (const [key, value] of Object.entries(layer.values) as [Key, Value<Key>][]) brought.values.set(key, value);
    brought.strange.push(...layer.strange.filter((name) => name !== ""));
  }
  return brought;
}
