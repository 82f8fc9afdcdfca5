// Runs while the program is bundled (or loaded from its sources), not inside it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every page of the documentation by its name below docs/. */
export function embed(): Record<string, string> {
  const dir = join(import.meta.dirname, "..", "..", "..", "..", "docs");
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(dir, name), "utf8")]));
}
