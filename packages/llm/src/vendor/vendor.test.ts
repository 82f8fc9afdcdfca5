import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { shippedCatalog } from "../catalog/catalog.ts";
import { apiNamed } from "./api.ts";
import { catalogUrl, serverOf, type VendorServer } from "./server.ts";
import { vendors } from "./table.ts";
import { isConfigured, vendorIn, vendorsFor } from "./vendor.ts";

/** The variables of keys that are documented for vendors. */
const variables =
  "OPENAI GEMINI GROQ CEREBRAS FIREWORKS FIREPASS TOGETHER AIMLAPI SYNTHETIC NVIDIA NANO_GPT VENICE LITELLM XIAOMI MOONSHOT XAI OPENROUTER MISTRAL ZAI ZHIPU MINIMAX MINIMAX_CODE MINIMAX_CODE_CN OPENCODE QIANFAN ZENMUX VLLM ALIBABA_CODING_PLAN DEEPSEEK KILO OLLAMA_CLOUD WAFER_PASS WAFER_SERVERLESS LM_STUDIO OLLAMA LLAMA_CPP AI_GATEWAY CLOUDFLARE_AI_GATEWAY QWEN_PORTAL AZURE_OPENAI GOOGLE_CLOUD ANTHROPIC"
    .split(" ")
    .map((name) => `${name}_API_KEY`)
    .concat(
      "HF_TOKEN",
      "HUGGINGFACE_HUB_TOKEN",
      "QWEN_OAUTH_TOKEN",
      "XAI_OAUTH_TOKEN",
      "COPILOT_GITHUB_TOKEN",
      "ANTHROPIC_OAUTH_TOKEN",
      "AWS_BEARER_TOKEN_BEDROCK",
    );

test.each(variables)("%s connects a vendor", (variable) => {
  expect(vendors.some((row) => isConfigured(row, { [variable]: "x" }))).toBe(true);
});

test("names and aliases are unique, and every row is whole", () => {
  const names = vendors.flatMap((row) => [row.id, ...(row.also ?? [])]);
  expect(new Set(names).size).toBe(names.length);
  for (const row of vendors) {
    expect([row.id, URL.parse(row.url.replace(/\{\w+\}/g, "x"))?.protocol]).toEqual([
      row.id,
      row.local ? "http:" : "https:",
    ]);
    expect(apiNamed(row.api)).toBe(row.api);
    expect(row.id).not.toMatch(/[/:\s]/);
  }
});

test("the documentation names every vendor, and every key whose name does not follow from it", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../../docs/models.md")).text();
  for (const { id, keys } of vendors) {
    expect([id, page.includes(`\`${id}\``)]).toEqual([id, true]);
    const usual = `${id.toUpperCase().replace(/\W/g, "_")}_API_KEY`;
    for (const key of keys)
      if (key !== usual && !vendors.some((row) => `${row.id.toUpperCase().replace(/\W/g, "_")}_API_KEY` === key))
        expect([id, key, page.includes(`\`${key}\``)]).toEqual([id, key, true]);
  }
});

test("a vendor is found by the names people and other programs use", () => {
  const id = (name: string) => vendorIn(vendorsFor({}, []), name)?.id;
  expect(["google", "amazon-bedrock", "azure-openai-responses", "google-vertex", "lmstudio", "nobody"].map(id)).toEqual(
    ["gemini", "bedrock", "azure", "vertex", "lm-studio", undefined],
  );
});

test("every model of every catalog has an address, at the vendor's own server and in the region asked", async () => {
  const env = {
    AWS_REGION: "eu-west-1",
    AZURE_OPENAI_RESOURCE_NAME: "r",
    CLOUDFLARE_ACCOUNT_ID: "a",
    CLOUDFLARE_GATEWAY_ID: "g",
    GOOGLE_CLOUD_LOCATION: "us-east5",
  };
  const shown: Record<string, string> = {};
  for (const vendor of vendors) {
    const catalog = await shippedCatalog(vendor.id);
    for (const api of new Set([
      vendor.api,
      ...Object.values(catalog?.models ?? {}).map((model) => model.api ?? (catalog?.api as string)),
    ])) {
      const place = serverOf(vendor, env, catalogUrl(vendor, api, catalog), apiNamed(api));
      expect([vendor.id, api, place.ok && !/[{}]/.test(decodeURI(place.value.endpoint.shown))]).toEqual([
        vendor.id,
        api,
        true,
      ]);
      shown[`${vendor.id} ${api}`] = place.ok ? place.value.endpoint.shown : "";
    }
  }
  expect(shown).toMatchObject({
    "openai openai-responses": "https://api.openai.com/v1",
    "openai openai-completions": "https://api.openai.com/v1",
    "bedrock bedrock-converse-stream": "https://bedrock-runtime.eu-west-1.amazonaws.com",
    "vertex google-vertex": "https://us-east5-aiplatform.googleapis.com/v1/publishers/google",
    "azure azure-openai-responses": "https://r.openai.azure.com/openai/v1",
    "gemini google-generative-ai": "https://generativelanguage.googleapis.com/v1beta",
    "opencode anthropic-messages": "https://opencode.ai/zen/v1",
    "opencode openai-responses": "https://opencode.ai/zen/v1",
    "openrouter openai-completions": "https://openrouter.ai/api/v1",
    "cloudflare-ai-gateway openai-completions": "https://gateway.ai.cloudflare.com/v1/a/g/compat",
    "minimax anthropic-messages": "https://api.minimax.io/anthropic/v1",
  });
});

const at = (name: string, env: Record<string, string> = {}): VendorServer | string => {
  const vendor = vendorIn(vendorsFor(env, []), name);
  const place = vendor ? serverOf(vendor, env) : undefined;
  return place?.ok ? place.value : (place?.message ?? "no vendor");
};
const shown = (name: string, env: Record<string, string> = {}) => {
  const place = at(name, env);
  return typeof place === "string" ? place : place.endpoint.shown;
};

describe("a server is", () => {
  test("the vendor's own, unless its variable says otherwise", () => {
    expect(at("anthropic")).toMatchObject({
      moved: false,
      endpoint: { shown: "https://api.anthropic.com/v1", near: false },
    });
    expect(at("anthropic", { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" })).toMatchObject({
      moved: true,
      endpoint: { shown: "http://127.0.0.1:9/v1", near: true },
    });
    expect(shown("gemini", { GEMINI_BASE_URL: "http://host.example" })).toBe("http://host.example/v1beta");
    expect(
      shown("anthropic", {
        CLAUDE_CODE_USE_FOUNDRY: "1",
        FOUNDRY_BASE_URL: "https://f.example",
        ANTHROPIC_BASE_URL: "https://a.example",
      }),
    ).toBe("https://f.example/v1");
  });

  test("filled in from region, account and resource, and what is missing is named", () => {
    expect(shown("bedrock")).toBe("https://bedrock-runtime.us-east-1.amazonaws.com");
    expect(shown("bedrock", { AWS_DEFAULT_REGION: "eu-west-1" })).toBe(
      "https://bedrock-runtime.eu-west-1.amazonaws.com",
    );
    expect(shown("bedrock", { AWS_DEFAULT_REGION: "eu-west-1", AWS_REGION: "ap-south-1" })).toBe(
      "https://bedrock-runtime.ap-south-1.amazonaws.com",
    );
    expect(shown("vertex", { GOOGLE_CLOUD_LOCATION: "us-east5" })).toBe(
      "https://us-east5-aiplatform.googleapis.com/v1/publishers/google",
    );
    expect(shown("vertex", { GCP_PROJECT: "p1" })).toBe(
      "https://aiplatform.googleapis.com/v1/projects/p1/locations/global/publishers/google",
    );
    expect(shown("azure", { AZURE_OPENAI_RESOURCE_NAME: "mine" })).toBe("https://mine.openai.azure.com/openai/v1");
    expect(shown("azure")).toBe(
      "azure needs AZURE_OPENAI_RESOURCE_NAME, or its whole address in AZURE_OPENAI_BASE_URL",
    );
    expect(shown("bedrock", { AWS_REGION: "evil.example/" })).toContain("AWS_REGION");
  });

  test("the same with and without the version in its address", () => {
    for (const base of ["http://h.example", "http://h.example/", "http://h.example/v1"])
      expect(shown("anthropic", { ANTHROPIC_BASE_URL: base })).toBe("http://h.example/v1");
    expect(shown("gemini", { GEMINI_BASE_URL: "http://h.example/v1beta" })).toBe("http://h.example/v1beta");
    expect(shown("ollama", { OLLAMA_BASE_URL: "http://h.example/v1" })).toBe("http://h.example");
  });

  test("found by what Ollama itself reads, with or without scheme and port", () => {
    expect(shown("ollama")).toBe("http://127.0.0.1:11434");
    expect(shown("ollama", { OLLAMA_HOST: "0.0.0.0" })).toBe("http://127.0.0.1:11434");
    expect(shown("ollama", { OLLAMA_HOST: "box.lan:8000" })).toBe("http://box.lan:8000");
    expect(shown("ollama", { OLLAMA_HOST: "https://o.example" })).toBe("https://o.example");
    expect(shown("ollama", { OLLAMA_HOST: "a", OLLAMA_BASE_URL: "http://b:1" })).toBe("http://b:1");
  });
});
