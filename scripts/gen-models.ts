// Writes packages/llm/src/catalog/data/<vendor>.json from the model data that @earendil-works/pi-ai publishes.
// Use: node bin/bun scripts/gen-models.ts <directory of the unpacked package>
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "../packages/llm/src/catalog/catalog.ts";

/** Our vendors by the name of their file in the package, where the two differ. */
const renamed: Record<string, string> = {
  azure: "azure-openai-responses",
  bedrock: "amazon-bedrock",
  gemini: "google",
  moonshot: "moonshotai",
  "moonshot-cn": "moonshotai-cn",
  vertex: "google-vertex",
};
const same =
  "anthropic ant-ling baseten cerebras cloudflare-ai-gateway cloudflare-workers-ai deepseek fireworks github-copilot groq huggingface kimi-coding meta minimax minimax-cn mistral nvidia openai opencode opencode-go openrouter qwen-token-plan qwen-token-plan-cn qwen-token-plan-individual together vercel-ai-gateway xai xiaomi xiaomi-token-plan-ams xiaomi-token-plan-cn xiaomi-token-plan-sgp zai zai-coding-cn";
const files = { ...renamed, ...Object.fromEntries(same.split(" ").map((name) => [name, name])) };

/** A protocol of theirs that we reach by another of the same vendor. */
const apis: Record<string, { api: string; url: string }> = { "mistral-conversations": { api: "openai-completions", url: "https://api.mistral.ai/v1" } };

/** What of their notes on servers our encoders know. */
const quirks = [
  ...["sendSessionAffinityHeaders", "sessionAffinityFormat"],
  ...["maxTokensField", "supportsDeveloperRole", "thinkingFormat", "supportsReasoningEffort", "chatTemplateArgs", "supportsUsageInStreaming", "supportsStore"],
  ...["supportsStrictMode", "requiresReasoningContentOnAssistantMessages", "cacheControlFormat", "zaiToolStream", "supportsOpenAIGrammarTools"],
  ...["forceAdaptiveThinking", "supportsEagerToolInputStreaming", "supportsCacheControlOnTools", "allowEmptySignature", "supportsLongCacheRetention"],
];

/** The fields of a published model that we read. */
interface Published {
  id: string;
  name: string;
  api: string;
  baseUrl: string;
  reasoning: boolean;
  input: ("text" | "image")[];
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number };
  contextWindow: number;
  maxTokens: number;
  compat?: Record<string, unknown>;
  thinkingLevelMap?: Record<string, string | null>;
}

const root = process.argv[2];
if (!root) {
  process.stderr.write("Use: node bin/bun scripts/gen-models.ts <directory of the unpacked @earendil-works/pi-ai>\n");
  process.exit(2);
}
const about = readJson<{ name: string; version: string; license: string; author: string }>("package.json");

for (const [vendor, file] of Object.entries(files)) {
  const groups = readJson<Record<string, Record<string, Published>>>(`dist/providers/data/${file}.json`);
  // A price below nothing stands for "depends": such a model is better not known than known as free.
  const published = Object.values(groups).flatMap((group) => Object.values(group).filter(isPriced).map(spoken));
  const api = mostOf(published.map((model) => model.api));
  const urls = Object.fromEntries([...new Set(published.map((model) => model.api))].map((own) => [own, urlOf(published.filter((model) => model.api === own))]));
  const models = Object.fromEntries(published.map((model) => [model.id, facts(model, api)] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
  const catalog: Catalog = { source: `${about.name} ${about.version}, ${about.author}, ${about.license} licence`, api, urls, models };
  const path = join(import.meta.dir, `../packages/llm/src/catalog/data/${vendor}.json`);
  writeFileSync(path, `${layOut(catalog)}\n`);
  process.stdout.write(`${vendor}: ${Object.keys(models).length} models\n`);
}

function spoken(model: Published): Published {
  const other = apis[model.api];
  return other ? { ...model, api: other.api, baseUrl: other.url } : model;
}

function isPriced({ cost }: Published): boolean {
  return Math.min(cost.input, cost.output) >= 0;
}

function urlOf(models: readonly Published[]): string {
  return mostOf(models.map((model) => model.baseUrl));
}

function mostOf(values: readonly string[]): string {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? "";
}

function facts(model: Published, usual: string): Catalog["models"][string] {
  const { input, output, cacheRead, cacheWrite } = model.cost;
  const compat = Object.fromEntries(Object.entries(model.compat ?? {}).filter(([key]) => quirks.includes(key)));
  const levels = levelsOf(model.thinkingLevelMap ?? {});
  return {
    name: model.name,
    ...(model.api === usual ? {} : { api: model.api }),
    contextWindow: model.contextWindow,
    maxOutput: Math.min(model.maxTokens, model.contextWindow),
    input: model.input,
    reasoning: model.reasoning,
    cost: { input, output, cacheRead, cacheWrite },
    ...(Object.keys(compat).length > 0 ? { compat } : {}),
    ...(Object.keys(levels).length > 0 ? { thinkingLevelMap: levels } : {}),
  };
}

/** They know one level above ours: where it is all there is above `high`, it is our highest. */
function levelsOf({ max, ...levels }: Record<string, string | null>): Record<string, string | null> {
  return max && !levels.xhigh ? { ...levels, xhigh: max } : levels;
}

/** One line per model, so that a change of one model is a change of one line. */
function layOut({ models, ...head }: Catalog): string {
  const rows = Object.entries(models).map(([id, model]) => `    ${JSON.stringify(id)}: ${JSON.stringify(model)}`);
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "models": {\n${rows.join(",\n")}\n  }\n}`;
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root ?? "", path), "utf8"));
}
