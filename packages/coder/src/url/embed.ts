// Runs while the program is bundled (or loaded from its sources), not inside it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every page of the documentation by its name below docs/, and the manual. */
export function embed(): Record<string, string> {
  const dir = join(import.meta.dirname, "..", "..", "..", "..", "docs");
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:md|1)$/.test(name));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(dir, name), "utf8")]));
}
