// Writes packages/llm/src/catalog/data/<vendor>.json from the model data of two npm packages, and files.gen.ts, which
// loads them: @earendil-works/pi-ai, and @oh-my-pi/pi-catalog for vendors that the first lacks.
// Use: node bin/bun scripts/gen/models.ts <directory of the first, unpacked> <directory of the second>
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "../../packages/llm/src/catalog/catalog.ts";
import type { Rates } from "../../packages/llm/src/model/price.ts";

/** Files of the first package for vendors that we name otherwise. */
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

/** Protocols that pith does not speak, with another of the same vendor that it does. */
const apis: Record<string, { api: string; url: string }> = {
  "mistral-conversations": { api: "openai-completions", url: "https://api.mistral.ai/v1" },
};

/** Fields of `compat` that our encoders support. */
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

/** Names in the second package of our vendors. */
const others: Record<string, string> = {
  zhipu: "zhipu-coding-plan",
  "nano-gpt": "nanogpt",
  ...byName(
    "xai-oauth minimax-code minimax-code-cn firepass synthetic venice kilo zenmux alibaba-coding-plan",
    "qwen-portal wafer-serverless ollama-cloud gitlab-duo",
  ),
};
/**
 * Vendors that are paid by the month, where a model may lack a price. Models of other vendors without a price are left
 * out, since they would look free.
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
/** Fields of `compat` in the second package that are set only where a model differs. */
const otherQuirks = [
  "maxTokensField",
  "thinkingFormat",
  "supportsReasoningEffort",
  "requiresMistralToolIds",
  "cacheControlFormat",
];

/** Fields of a model in the first package. */
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

/** Fields of a model in the second package. */
interface Other extends Omit<Published, "cost" | "contextWindow" | "maxTokens"> {
  cost: Rates & { longContext?: Rates & { inputThreshold: number; inputThresholdInclusive?: boolean } };
  contextWindow: number | null;
  maxTokens: number | null;
  supportsTools?: boolean;
  thinking?: { efforts?: string[]; effortMap?: Record<string, string> };
}

const data = join(import.meta.dir, "../../packages/llm/src/catalog/data");
const [root, otherRoot] = process.argv.slice(2);
if (!root || !otherRoot) {
  process.stderr.write(
    "Use: node bin/bun scripts/gen/models.ts <unpacked @earendil-works/pi-ai> <unpacked @oh-my-pi/pi-catalog>\n",
  );
  process.exit(2);
}

for (const [vendor, file] of Object.entries(files)) {
  const groups = readJson<Record<string, Record<string, Published>>>(root, `dist/providers/data/${file}.json`);
  // A negative price means "depends".
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
writeLoaders();

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
  writeFileSync(join(data, `${vendor}.json`), `${layOut(catalog)}\n`);
  process.stdout.write(`${vendor}: ${Object.keys(models).length} models\n`);
}

/** Writes an import with a specifier of its own for every catalog, so that the bundler sees them all. */
function writeLoaders(): void {
  const vendors = readdirSync(data).flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? []);
  const rows = vendors.map((name) => `  "${name}": () => import("./${name}.json", { with: { type: "json" } }),\n`);
  const type = "Readonly<Record<string, () => Promise<{ default: unknown }>>>";
  const head = "// Catalogs by vendor, loaded on use. Made by scripts/gen/models.ts.\n";
  writeFileSync(join(data, "files.gen.ts"), `${head}export const files: ${type} = {\n${rows.sort().join("")}};\n`);
}

function sourceOf(folder: string): string {
  const about = readJson<{ name: string; version: string; license: string; author: string }>(folder, "package.json");
  return `${about.name} ${about.version}, ${about.author}, ${about.license} licence`;
}

/**
 * Converts a model of the second package. Leaves out models without a context window, which hold no conversation, and
 * GitLab's own names, which only its client knows.
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
      // Ollama can only switch thinking on and off for most models.
      ...(thinking?.efforts && model.api !== "ollama-chat"
        ? { thinkingLevelMap: wordsOf(thinking.efforts, thinking.effortMap) }
        : {}),
    },
  ];
}

/** Maps a list of effort levels: null for a missing level, the vendor's word where it differs. */
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

/** Takes their `max` for our `xhigh` where a model has no `xhigh`. */
function levelsOf({ max, ...levels }: Record<string, string | null>): Record<string, string | null> {
  return max && !levels.xhigh ? { ...levels, xhigh: max } : levels;
}

/** Writes each model on a line of its own, so that a diff shows changed models only. */
function layOut({ models, ...head }: Catalog): string {
  const rows = Object.entries(models).map(([id, model]) => `    ${JSON.stringify(id)}: ${JSON.stringify(model)}`);
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "models": {\n${rows.join(",\n")}\n  }\n}`;
}

function readJson<T>(folder: string, path: string): T {
  return JSON.parse(readFileSync(join(folder, path), "utf8"));
}
