// Writes packages/llm/src/catalog/data/<vendor>.json from the model data that two relatives publish:
// @earendil-works/pi-ai, and for vendors it does not know @oh-my-pi/pi-catalog.
// Use: node bin/bun scripts/gen/models.ts <directory of the first, unpacked> <directory of the second>
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "../../packages/llm/src/catalog/catalog.ts";
import type { Rates } from "../../packages/llm/src/model/price.ts";

/** Our vendors by the name of their file in the package, where the two differ. */
const renamed: Record<string, string> = {
  azure: "azure-openai-responses",
  bedrock: "amazon-bedrock",
  gemini: "google",
  moonshot: "moonshotai",
  "moonshot-cn": "moonshotai-cn",
  vertex: "google-vertex",
};
const byName = (...lists: string[]) =>
  Object.fromEntries(lists.flatMap((names) => names.split(" ")).map((name) => [name, name]));
const files = {
  ...renamed,
  ...byName(
    "anthropic ant-ling baseten cerebras cloudflare-ai-gateway cloudflare-workers-ai deepseek fireworks",
    "github-copilot groq huggingface kimi-coding meta minimax minimax-cn mistral nvidia openai opencode opencode-go",
    "openrouter qwen-token-plan qwen-token-plan-cn qwen-token-plan-individual together vercel-ai-gateway xai xiaomi",
    "xiaomi-token-plan-ams xiaomi-token-plan-cn xiaomi-token-plan-sgp zai zai-coding-cn",
  ),
};

/** A protocol of theirs that we reach by another of the same vendor. */
const apis: Record<string, { api: string; url: string }> = {
  "mistral-conversations": { api: "openai-completions", url: "https://api.mistral.ai/v1" },
};

/** What of their notes on servers our encoders know. */
const quirks = [
  "sendSessionAffinityHeaders",
  "sessionAffinityFormat",
  "maxTokensField",
  "supportsDeveloperRole",
  "thinkingFormat",
  "supportsReasoningEffort",
  "chatTemplateArgs",
  "supportsUsageInStreaming",
  "supportsStore",
  "supportsStrictMode",
  "requiresReasoningContentOnAssistantMessages",
  "cacheControlFormat",
  "zaiToolStream",
  "supportsOpenAIGrammarTools",
  "forceAdaptiveThinking",
  "supportsEagerToolInputStreaming",
  "supportsCacheControlOnTools",
  "allowEmptySignature",
  "supportsLongCacheRetention",
];

/** Our vendors by their name in the second package. */
const others: Record<string, string> = {
  zhipu: "zhipu-coding-plan",
  "nano-gpt": "nanogpt",
  ...byName(
    "xai-oauth minimax-code minimax-code-cn firepass synthetic venice kilo zenmux alibaba-coding-plan",
    "qwen-portal wafer-serverless ollama-cloud gitlab-duo",
  ),
};
/**
 * Paid by the month: a model without a price costs nothing more there. Elsewhere such a model is better not known than
 * known as free.
 */
const plans = new Set([
  "xai-oauth",
  "zhipu",
  "minimax-code",
  "minimax-code-cn",
  "firepass",
  "alibaba-coding-plan",
  "qwen-portal",
  "ollama-cloud",
]);
/** Of the second package's notes, those that say what is different and not what is usual. */
const otherQuirks = [
  "maxTokensField",
  "thinkingFormat",
  "supportsReasoningEffort",
  "requiresMistralToolIds",
  "cacheControlFormat",
];

/** The fields of a published model that we read. */
interface Published {
  id: string;
  name: string;
  api: string;
  baseUrl: string;
  reasoning: boolean;
  input: ("text" | "image")[];
  cost: Rates & { tiers?: (Rates & { inputTokensAbove: number })[] };
  contextWindow: number;
  maxTokens: number;
  compat?: Record<string, unknown>;
  thinkingLevelMap?: Record<string, string | null>;
  supportsTools?: boolean;
}

/** The same in the second package. */
interface Other extends Omit<Published, "cost" | "contextWindow" | "maxTokens"> {
  cost: Rates & { longContext?: Rates & { inputThreshold: number; inputThresholdInclusive?: boolean } };
  contextWindow: number | null;
  maxTokens: number | null;
  supportsTools?: boolean;
  thinking?: { efforts?: string[]; effortMap?: Record<string, string> };
}

const [root, otherRoot] = process.argv.slice(2);
if (!root || !otherRoot) {
  process.stderr.write(
    "Use: node bin/bun scripts/gen/models.ts <unpacked @earendil-works/pi-ai> <unpacked @oh-my-pi/pi-catalog>\n",
  );
  process.exit(2);
}

for (const [vendor, file] of Object.entries(files)) {
  const groups = readJson<Record<string, Record<string, Published>>>(root, `dist/providers/data/${file}.json`);
  // A price below nothing stands for "depends".
  write(
    vendor,
    sourceOf(root),
    Object.values(groups).flatMap((group) => Object.values(group).filter(isPriced).map(spoken)),
  );
}
const otherModels = readJson<Record<string, Record<string, Other>>>(otherRoot, "src/models.json");
for (const [vendor, name] of Object.entries(others)) {
  const models = Object.values(otherModels[name] ?? {}).flatMap(translated);
  write(
    vendor,
    sourceOf(otherRoot),
    models.filter((model) => plans.has(vendor) || model.cost.output > 0),
  );
}

function write(vendor: string, source: string, published: readonly Published[]): void {
  const api = mostOf(published.map((model) => model.api));
  const urls = Object.fromEntries(
    [...new Set(published.map((model) => model.api))].map((api) => [
      api,
      urlOf(published.filter((model) => model.api === api)),
    ]),
  );
  const models = Object.fromEntries(
    published.map((model) => [model.id, facts(model, api)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const catalog: Catalog = { source, api, urls, models };
  const path = join(import.meta.dir, `../../packages/llm/src/catalog/data/${vendor}.json`);
  writeFileSync(path, `${layOut(catalog)}\n`);
  process.stdout.write(`${vendor}: ${Object.keys(models).length} models\n`);
}

function sourceOf(folder: string): string {
  const about = readJson<{ name: string; version: string; license: string; author: string }>(folder, "package.json");
  return `${about.name} ${about.version}, ${about.author}, ${about.license} licence`;
}

/**
 * Only what holds a conversation: a model without a window is something else, and GitLab's own names are known to its
 * client alone.
 */
function translated({
  cost: { longContext, ...rates },
  thinking,
  contextWindow,
  maxTokens,
  compat,
  ...model
}: Other): Published[] {
  if (!contextWindow || model.id.startsWith("duo-chat-")) return [];
  const tiers = longContext && [
    {
      inputTokensAbove: longContext.inputThreshold - (longContext.inputThresholdInclusive ? 1 : 0),
      ...ratesOf(longContext),
    },
  ];
  return [
    {
      ...model,
      contextWindow,
      maxTokens: maxTokens ?? Math.min(16_384, contextWindow),
      cost: { ...ratesOf(rates), ...(tiers ? { tiers } : {}) },
      compat: Object.fromEntries(Object.entries(compat ?? {}).filter(([key]) => otherQuirks.includes(key))),
      // Ollama's own switch knows only on and off for most models.
      ...(thinking?.efforts && model.api !== "ollama-chat"
        ? { thinkingLevelMap: wordsOf(thinking.efforts, thinking.effortMap) }
        : {}),
    },
  ];
}

/** Their list of levels as a map: what is not in it is null, what has another word has it. */
function wordsOf(
  efforts: readonly string[],
  words: Readonly<Record<string, string>> = {},
): Record<string, string | null> {
  const levels = ["minimal", "low", "medium", "high", "xhigh", "max"].flatMap((level): [string, string | null][] => {
    if (efforts.includes(level))
      return words[level] || level === "xhigh" || level === "max" ? [[level, words[level] ?? level]] : [];
    return level === "xhigh" || level === "max" ? [] : [[level, null]];
  });
  return Object.fromEntries(levels);
}

function ratesOf({ input, output, cacheRead, cacheWrite }: Rates): Rates {
  return { input, output, cacheRead, cacheWrite };
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
  const tiers = model.cost.tiers?.map((tier) => ({ inputTokensAbove: tier.inputTokensAbove, ...ratesOf(tier) }));
  const compat = Object.fromEntries(Object.entries(model.compat ?? {}).filter(([key]) => quirks.includes(key)));
  const levels = levelsOf(model.thinkingLevelMap ?? {});
  return {
    name: model.name,
    ...(model.api === usual ? {} : { api: model.api }),
    contextWindow: model.contextWindow,
    maxOutput: Math.min(model.maxTokens, model.contextWindow),
    input: model.input,
    reasoning: model.reasoning,
    ...(model.supportsTools === false ? { tools: false } : {}),
    cost: { ...ratesOf(model.cost), ...(tiers ? { tiers } : {}) },
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

function readJson<T>(folder: string, path: string): T {
  return JSON.parse(readFileSync(join(folder, path), "utf8"));
}
