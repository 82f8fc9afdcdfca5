import type { Compat } from "../model/compat.ts";
import type { Api, AuthStyle } from "./api.ts";

/** A vendor, as far as it is known before talking to it. */
export interface VendorRow {
  id: string;
  /** Other names in use. */
  also?: readonly string[];
  /** Protocol, unless the catalog has another one for a model. */
  api: Api;
  /** Address; `{NAME}` is filled from the environment. */
  url: string;
  /** Variables with a key; the first one set wins. */
  keys: readonly string[];
  /** Variables with another address; by default the first key's name with `_BASE_URL`. */
  bases?: readonly string[];
  /** Other variables that show that the user wants this vendor. */
  signs?: readonly string[];
  /** A local server: needs no key, and may read a prompt for minutes. */
  local?: true;
  /** Default model. */
  usual?: string;
  /** Exchanges the key for another one before use. */
  exchange?: "gitlab";
  /** Header of the key, if not the protocol's usual one. */
  auth?: AuthStyle;
  headers?: Readonly<Record<string, string>>;
  compat?: Compat;
}

/** Makes rows of vendors of one protocol. */
const vendorOf =
  (api: Api) =>
  (id: string, url: string, keys: string | readonly string[], more: Partial<VendorRow> = {}): VendorRow => ({
    id,
    api,
    url,
    keys: [keys].flat(),
    ...more,
  });
const chat = vendorOf("openai-completions");
const messages = vendorOf("anthropic-messages");
const responses = vendorOf("openai-responses");
const ollama = vendorOf("ollama-chat");
const tokenPlan = (region: string) => `https://token-plan.${region}.maas.aliyuncs.com/compatible-mode/v1`;
const plain: Compat = { supportsStore: false, supportsDeveloperRole: false };
const local = { local: true, compat: plain } as const;

/** All vendors, in the order in which a default is chosen. */
export const vendors: readonly VendorRow[] = [
  chat("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", { usual: "gpt-5.5" }),
  messages(
    "anthropic",
    "https://api.anthropic.com",
    ["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"],
    { bases: ["ANTHROPIC_BASE_URL"], usual: "claude-opus-5-5" },
  ),
  {
    id: "gemini",
    also: ["google"],
    api: "google-generative-ai",
    url: "https://generativelanguage.googleapis.com",
    keys: ["GEMINI_API_KEY"],
    usual: "gemini-3.8-flash",
  },
  chat("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", {
    usual: "anthropic/claude-opus-5.5",
    auth: "bearer",
    headers: { "x-title": "pith" },
  }),
  chat("deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY", { usual: "deepseek-v4-pro" }),
  chat("xai", "https://api.x.ai/v1", "XAI_API_KEY", { usual: "grok-4.7" }),
  chat("xai-oauth", "https://api.x.ai/v1", ["XAI_OAUTH_TOKEN", "XAI_API_KEY"], { bases: ["XAI_BASE_URL"] }),
  chat("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", {
    usual: "devstral-latest",
    compat: { ...plain, maxTokensField: "max_tokens", requiresMistralToolIds: true, supportsReasoningEffort: false },
  }),
  chat("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", { usual: "openai/gpt-oss-120b" }),
  chat("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", { usual: "gpt-oss-120b" }),
  chat("zai", "https://api.z.ai/api/coding/paas/v4", "ZAI_API_KEY", { usual: "glm-5.3" }),
  chat("zai-coding-cn", "https://open.bigmodel.cn/api/coding/paas/v4", "ZAI_CODING_CN_API_KEY"),
  chat("zhipu", "https://open.bigmodel.cn/api/coding/paas/v4", "ZHIPU_API_KEY", { also: ["zhipu-coding-plan"] }),
  chat("moonshot", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", { also: ["moonshotai"], usual: "kimi-k3" }),
  chat("moonshot-cn", "https://api.moonshot.cn/v1", "MOONSHOT_CN_API_KEY", { also: ["moonshotai-cn"] }),
  messages("kimi-coding", "https://api.kimi.com/coding", "KIMI_API_KEY", { also: ["kimi-code", "kimi"], usual: "k3" }),
  messages("minimax", "https://api.minimax.io/anthropic", "MINIMAX_API_KEY", { usual: "MiniMax-M3" }),
  messages("minimax-cn", "https://api.minimaxi.com/anthropic", "MINIMAX_CN_API_KEY"),
  chat("minimax-code", "https://api.minimax.io/v1", "MINIMAX_CODE_API_KEY"),
  chat("minimax-code-cn", "https://api.minimaxi.com/v1", "MINIMAX_CODE_CN_API_KEY"),
  chat("fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY", {
    usual: "accounts/fireworks/routers/kimi-latest",
  }),
  chat("firepass", "https://api.fireworks.ai/inference/v1", "FIREPASS_API_KEY"),
  chat("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY", { usual: "moonshotai/Kimi-K3" }),
  chat("huggingface", "https://router.huggingface.co/v1", ["HUGGINGFACE_HUB_TOKEN", "HF_TOKEN"], {
    bases: ["HUGGINGFACE_BASE_URL"],
  }),
  chat("nvidia", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY", { headers: { "nvcf-poll-seconds": "3600" } }),
  chat("baseten", "https://inference.baseten.co/v1", "BASETEN_API_KEY"),
  chat("aimlapi", "https://api.aimlapi.com/v1", "AIMLAPI_API_KEY"),
  chat("synthetic", "https://api.synthetic.new/openai/v1", "SYNTHETIC_API_KEY"),
  chat("nano-gpt", "https://nano-gpt.com/api/v1", "NANO_GPT_API_KEY", { also: ["nanogpt"] }),
  chat("venice", "https://api.venice.ai/api/v1", "VENICE_API_KEY"),
  chat("kilo", "https://api.kilo.ai/api/gateway", "KILO_API_KEY", { also: ["kilocode"] }),
  chat("zenmux", "https://zenmux.ai/api/v1", "ZENMUX_API_KEY"),
  chat("qianfan", "https://qianfan.baidubce.com/v2", "QIANFAN_API_KEY"),
  chat("alibaba-coding-plan", "https://coding-intl.dashscope.aliyuncs.com/v1", "ALIBABA_CODING_PLAN_API_KEY", {
    also: ["alibaba"],
  }),
  chat("qwen-portal", "https://portal.qwen.ai/v1", ["QWEN_OAUTH_TOKEN", "QWEN_PORTAL_API_KEY"], {
    also: ["qwen"],
    bases: ["QWEN_PORTAL_BASE_URL"],
    usual: "coder-model",
  }),
  chat("qwen-token-plan", tokenPlan("ap-southeast-1"), "QWEN_TOKEN_PLAN_API_KEY"),
  chat("qwen-token-plan-cn", tokenPlan("cn-beijing"), "QWEN_TOKEN_PLAN_CN_API_KEY"),
  chat("qwen-token-plan-individual", tokenPlan("ap-southeast-1"), "QWEN_TOKEN_PLAN_INDIVIDUAL_API_KEY"),
  chat("xiaomi", "https://api.xiaomimimo.com/v1", "XIAOMI_API_KEY", { usual: "mimo-v2.6-pro" }),
  chat("xiaomi-token-plan-cn", "https://token-plan-cn.xiaomimimo.com/v1", "XIAOMI_TOKEN_PLAN_CN_API_KEY"),
  chat("xiaomi-token-plan-ams", "https://token-plan-ams.xiaomimimo.com/v1", "XIAOMI_TOKEN_PLAN_AMS_API_KEY"),
  chat("xiaomi-token-plan-sgp", "https://token-plan-sgp.xiaomimimo.com/v1", "XIAOMI_TOKEN_PLAN_SGP_API_KEY"),
  chat("ant-ling", "https://api.ant-ling.com/v1", "ANT_LING_API_KEY"),
  responses("meta", "https://api.meta.ai/v1", "META_API_KEY", { usual: "muse-spark-1.3" }),
  chat("wafer-pass", "https://pass.wafer.ai/v1", "WAFER_PASS_API_KEY"),
  chat("wafer-serverless", "https://pass.wafer.ai/v1", "WAFER_SERVERLESS_API_KEY"),
  chat("opencode", "https://opencode.ai/zen/v1", "OPENCODE_API_KEY", { also: ["opencode-zen", "zen"] }),
  chat("opencode-go", "https://opencode.ai/zen/go/v1", ["OPENCODE_GO_API_KEY", "OPENCODE_API_KEY"]),
  messages("vercel-ai-gateway", "https://ai-gateway.vercel.sh", "AI_GATEWAY_API_KEY", {
    also: ["vercel"],
    usual: "anthropic/claude-opus-5.5",
  }),
  messages(
    "cloudflare-ai-gateway",
    "https://gateway.ai.cloudflare.com/v1/{CLOUDFLARE_ACCOUNT_ID}/{CLOUDFLARE_GATEWAY_ID}/anthropic",
    ["CLOUDFLARE_AI_GATEWAY_API_KEY", "CLOUDFLARE_API_KEY"],
    { also: ["cloudflare"], auth: "cf-aig-authorization" },
  ),
  chat(
    "cloudflare-workers-ai",
    "https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1",
    "CLOUDFLARE_API_KEY",
    { bases: ["CLOUDFLARE_WORKERS_AI_BASE_URL"] },
  ),
  chat("github-copilot", "https://api.githubcopilot.com", "COPILOT_GITHUB_TOKEN", {
    also: ["copilot"],
    auth: "bearer",
    bases: ["COPILOT_BASE_URL"],
    headers: { "openai-intent": "conversation-edits", "x-initiator": "agent", "copilot-vision-request": "true" },
  }),
  messages("gitlab-duo", "https://cloud.gitlab.com/ai/v1/proxy/anthropic", "GITLAB_TOKEN", {
    also: ["gitlab"],
    bases: ["GITLAB_DUO_BASE_URL"],
    exchange: "gitlab",
  }),
  {
    id: "bedrock",
    also: ["amazon-bedrock", "aws"],
    api: "bedrock-converse-stream",
    url: "https://bedrock-runtime.{AWS_REGION}.amazonaws.com",
    keys: ["AWS_BEARER_TOKEN_BEDROCK"],
    signs: [
      "AWS_ACCESS_KEY_ID",
      "AWS_PROFILE",
      "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
      "AWS_CONTAINER_CREDENTIALS_FULL_URI",
      "AWS_WEB_IDENTITY_TOKEN_FILE",
    ],
    bases: ["BEDROCK_BASE_URL"],
    usual: "us.anthropic.claude-opus-5-5",
  },
  {
    id: "azure",
    also: ["azure-openai", "azure-openai-responses"],
    api: "azure-openai-responses",
    url: "https://{AZURE_OPENAI_RESOURCE_NAME}.openai.azure.com/openai/v1",
    keys: ["AZURE_OPENAI_API_KEY"],
  },
  {
    id: "vertex",
    also: ["google-vertex"],
    api: "google-vertex",
    url: "https://{GOOGLE_CLOUD_LOCATION}-aiplatform.googleapis.com",
    keys: ["GOOGLE_CLOUD_API_KEY"],
    signs: ["GOOGLE_APPLICATION_CREDENTIALS"],
    bases: ["GOOGLE_VERTEX_BASE_URL"],
    usual: "gemini-3.8-flash",
  },
  ollama("ollama-cloud", "https://ollama.com", "OLLAMA_CLOUD_API_KEY"),
  ollama("ollama", "http://127.0.0.1:11434", "OLLAMA_API_KEY", {
    bases: ["OLLAMA_BASE_URL", "OLLAMA_HOST"],
    local: true,
  }),
  chat("lm-studio", "http://127.0.0.1:1234/v1", "LM_STUDIO_API_KEY", { ...local, also: ["lmstudio"] }),
  chat("llama.cpp", "http://127.0.0.1:8080", "LLAMA_CPP_API_KEY", { ...local, also: ["llamacpp", "llama-cpp"] }),
  chat("vllm", "http://127.0.0.1:8000/v1", "VLLM_API_KEY", local),
  chat("litellm", "http://127.0.0.1:4000/v1", "LITELLM_API_KEY", local),
];

export const baseVariables = (row: VendorRow): readonly string[] =>
  row.bases ?? [(row.keys[0] ?? "").replace(/_API_KEY$/, "_BASE_URL")];

export const vendorNames: readonly string[] = vendors.map(({ id }) => id);
