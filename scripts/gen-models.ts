// Writes packages/llm/src/catalog/data/<vendor>.json from the model data that @earendil-works/pi-ai publishes.
// Use: node bin/bun scripts/gen-models.ts <directory of the unpacked package>
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "../packages/llm/src/catalog/catalog.ts";

/** Our vendors: the name of their file in the package, and the protocol we speak with them. */
const vendors: Record<string, { file: string; api: string }> = {
  openai: { file: "openai", api: "openai-completions" },
};

/** The fields of a published model that we read. */
interface Published {
  id: string;
  name: string;
  reasoning: boolean;
  input: ("text" | "image")[];
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number };
  contextWindow: number;
  maxTokens: number;
}

const root = process.argv[2];
if (!root) {
  process.stderr.write("Use: node bin/bun scripts/gen-models.ts <directory of the unpacked @earendil-works/pi-ai>\n");
  process.exit(2);
}
const about = readJson<{ name: string; version: string; license: string; author: string }>("package.json");

for (const [vendor, { file, api }] of Object.entries(vendors)) {
  const groups = readJson<Record<string, Record<string, Published>>>(`dist/providers/data/${file}.json`);
  const published = Object.values(groups).flatMap((group) => Object.values(group));
  const models = Object.fromEntries(published.map((model) => [model.id, facts(model)] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
  const catalog: Catalog = { source: `${about.name} ${about.version}, ${about.author}, ${about.license} licence`, api, models };
  const path = join(import.meta.dir, `../packages/llm/src/catalog/data/${vendor}.json`);
  writeFileSync(path, `${layOut(catalog)}\n`);
  process.stdout.write(`${vendor}: ${Object.keys(models).length} models\n`);
}

function facts(model: Published): Catalog["models"][string] {
  const { input, output, cacheRead, cacheWrite } = model.cost;
  return {
    name: model.name,
    contextWindow: model.contextWindow,
    maxOutput: model.maxTokens,
    input: model.input,
    reasoning: model.reasoning,
    cost: { input, output, cacheRead, cacheWrite },
  };
}

/** One line per model, so that a change of one model is a change of one line. */
function layOut({ models, ...head }: Catalog): string {
  const rows = Object.entries(models).map(([id, model]) => `    ${JSON.stringify(id)}: ${JSON.stringify(model)}`);
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "models": {\n${rows.join(",\n")}\n  }\n}`;
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root ?? "", path), "utf8"));
}
