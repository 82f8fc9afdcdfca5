import type { Model } from "../model/model.ts";

/** Facts of one model in a catalog; `api` only where it differs from the catalog's. */
export type ModelFacts = Omit<Model, "vendor" | "id" | "api" | "known"> & { api?: string };

/** A generated file (`scripts/gen/models.ts`), or a refreshed copy in the same form. */
export interface Catalog {
  /** Origin of the facts and their licence. */
  source: string;
  /** The protocol of most of the models. */
  api: string;
  /** The vendor's server for each protocol. */
  urls: Readonly<Record<string, string>>;
  models: Readonly<Record<string, ModelFacts>>;
}

/** The catalog that ships with pith, or nothing. Loaded when asked for. */
export async function shippedCatalog(vendor: string): Promise<Catalog | undefined> {
  return Object.hasOwn(files, vendor) ? ((await files[vendor]?.())?.default as Catalog | undefined) : undefined;
}

/** The model of this id in a catalog, or undefined. */
export function modelIn(catalog: Catalog | undefined, vendor: string, id: string): Model | undefined {
  const facts = catalog && Object.hasOwn(catalog.models, id) ? catalog.models[id] : undefined;
  return facts && catalog && { vendor, id, api: catalog.api, ...facts, known: true };
}

/** A model that no catalog knows, with conservative guesses. */
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

/** The same for a vendor. A local server reserves memory for the whole window, so its models get a small one. */
export const guessedModel = ({ id: vendor, api, local }: Server, id: string): Model => ({
  ...unknownModel(vendor, id, api),
  ...(local ? { contextWindow: 32_768, maxOutput: 8192 } : {}),
});

interface Server {
  id: string;
  api: string;
  local?: true;
}

// A specifier each, so that the wall check and the bundler see them all.
const files: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  "alibaba-coding-plan": () => import("./data/alibaba-coding-plan.json", { with: { type: "json" } }),
  "ant-ling": () => import("./data/ant-ling.json", { with: { type: "json" } }),
  anthropic: () => import("./data/anthropic.json", { with: { type: "json" } }),
  azure: () => import("./data/azure.json", { with: { type: "json" } }),
  baseten: () => import("./data/baseten.json", { with: { type: "json" } }),
  bedrock: () => import("./data/bedrock.json", { with: { type: "json" } }),
  cerebras: () => import("./data/cerebras.json", { with: { type: "json" } }),
  "cloudflare-ai-gateway": () => import("./data/cloudflare-ai-gateway.json", { with: { type: "json" } }),
  "cloudflare-workers-ai": () => import("./data/cloudflare-workers-ai.json", { with: { type: "json" } }),
  deepseek: () => import("./data/deepseek.json", { with: { type: "json" } }),
  firepass: () => import("./data/firepass.json", { with: { type: "json" } }),
  fireworks: () => import("./data/fireworks.json", { with: { type: "json" } }),
  gemini: () => import("./data/gemini.json", { with: { type: "json" } }),
  "github-copilot": () => import("./data/github-copilot.json", { with: { type: "json" } }),
  "gitlab-duo": () => import("./data/gitlab-duo.json", { with: { type: "json" } }),
  groq: () => import("./data/groq.json", { with: { type: "json" } }),
  huggingface: () => import("./data/huggingface.json", { with: { type: "json" } }),
  kilo: () => import("./data/kilo.json", { with: { type: "json" } }),
  "kimi-coding": () => import("./data/kimi-coding.json", { with: { type: "json" } }),
  meta: () => import("./data/meta.json", { with: { type: "json" } }),
  minimax: () => import("./data/minimax.json", { with: { type: "json" } }),
  "minimax-cn": () => import("./data/minimax-cn.json", { with: { type: "json" } }),
  "minimax-code": () => import("./data/minimax-code.json", { with: { type: "json" } }),
  "minimax-code-cn": () => import("./data/minimax-code-cn.json", { with: { type: "json" } }),
  mistral: () => import("./data/mistral.json", { with: { type: "json" } }),
  moonshot: () => import("./data/moonshot.json", { with: { type: "json" } }),
  "moonshot-cn": () => import("./data/moonshot-cn.json", { with: { type: "json" } }),
  "nano-gpt": () => import("./data/nano-gpt.json", { with: { type: "json" } }),
  nvidia: () => import("./data/nvidia.json", { with: { type: "json" } }),
  "ollama-cloud": () => import("./data/ollama-cloud.json", { with: { type: "json" } }),
  openai: () => import("./data/openai.json", { with: { type: "json" } }),
  opencode: () => import("./data/opencode.json", { with: { type: "json" } }),
  "opencode-go": () => import("./data/opencode-go.json", { with: { type: "json" } }),
  openrouter: () => import("./data/openrouter.json", { with: { type: "json" } }),
  "qwen-portal": () => import("./data/qwen-portal.json", { with: { type: "json" } }),
  "qwen-token-plan": () => import("./data/qwen-token-plan.json", { with: { type: "json" } }),
  "qwen-token-plan-cn": () => import("./data/qwen-token-plan-cn.json", { with: { type: "json" } }),
  "qwen-token-plan-individual": () => import("./data/qwen-token-plan-individual.json", { with: { type: "json" } }),
  synthetic: () => import("./data/synthetic.json", { with: { type: "json" } }),
  together: () => import("./data/together.json", { with: { type: "json" } }),
  venice: () => import("./data/venice.json", { with: { type: "json" } }),
  "vercel-ai-gateway": () => import("./data/vercel-ai-gateway.json", { with: { type: "json" } }),
  vertex: () => import("./data/vertex.json", { with: { type: "json" } }),
  "wafer-serverless": () => import("./data/wafer-serverless.json", { with: { type: "json" } }),
  xai: () => import("./data/xai.json", { with: { type: "json" } }),
  "xai-oauth": () => import("./data/xai-oauth.json", { with: { type: "json" } }),
  xiaomi: () => import("./data/xiaomi.json", { with: { type: "json" } }),
  "xiaomi-token-plan-ams": () => import("./data/xiaomi-token-plan-ams.json", { with: { type: "json" } }),
  "xiaomi-token-plan-cn": () => import("./data/xiaomi-token-plan-cn.json", { with: { type: "json" } }),
  "xiaomi-token-plan-sgp": () => import("./data/xiaomi-token-plan-sgp.json", { with: { type: "json" } }),
  zai: () => import("./data/zai.json", { with: { type: "json" } }),
  "zai-coding-cn": () => import("./data/zai-coding-cn.json", { with: { type: "json" } }),
  zenmux: () => import("./data/zenmux.json", { with: { type: "json" } }),
  zhipu: () => import("./data/zhipu.json", { with: { type: "json" } }),
};
