import { afterAll, describe, expect, test } from "bun:test";
import { resolveModel } from "../resolve.ts";
import { survey } from "../survey.ts";
import { describeModel, listModels } from "./local.ts";
import { serverOf } from "./server.ts";
import { vendorIn, vendorsFor } from "./vendor.ts";

const seen: string[] = [];
const answers: Record<string, unknown> = {
  "/api/tags": { models: [{ name: "qwen3:8b" }, { name: "llama3:latest" }] },
  "/api/show": {
    model_info: { "qwen3.context_length": 131_072 },
    capabilities: ["completion", "tools", "thinking", "vision"],
  },
  "/api/v0/models": {
    data: [
      { id: "a", type: "llm", max_context_length: 9000, loaded_context_length: 4096 },
      { id: "e", type: "embeddings" },
    ],
  },
  "/models": { data: [{ id: "served", max_model_len: 2048 }, { id: "my-embed" }] },
  "/v1/models": { data: [{ id: "served", max_model_len: 2048 }] },
  "/props": { default_generation_settings: { n_ctx: 12_345 }, modalities: { vision: true } },
};
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url);
    seen.push(`${pathname} ${request.headers.get("authorization") ?? "-"}`);
    if (pathname === "/web/models") return new Response("<html>", { headers: { "content-type": "text/html" } });
    return answers[pathname] ? Response.json(answers[pathname]) : new Response("no", { status: 404 });
  },
});
afterAll(() => server.stop(true));
const base = `http://127.0.0.1:${server.port}`;

const endpoint = (id: string, env: Record<string, string>) => {
  const vendor = vendorIn(vendorsFor(env, []), id);
  const place = vendor && serverOf(vendor, env);
  if (!place?.ok) throw new Error(id);
  return place.value.endpoint;
};

const at = (vendor: string, where: Record<string, string>, env: Record<string, string> = {}) => ({
  vendor,
  endpoint: endpoint(vendor, where),
  env,
  timeoutMs: 2000,
});

describe("a server on this machine tells what it has", () => {
  test("Ollama, with windows that fit the machine unless its own variable says more", async () => {
    const ollama = at("ollama", { OLLAMA_HOST: base });
    expect(await listModels(ollama)).toEqual([{ id: "qwen3:8b" }, { id: "llama3:latest" }]);
    expect(await describeModel(ollama, "qwen3:8b")).toEqual({
      id: "qwen3:8b",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      contextWindow: 32_768,
      input: ["text", "image"],
      reasoning: true,
    });
    expect(await describeModel({ ...ollama, env: { OLLAMA_CONTEXT_LENGTH: "65536" } }, "qwen3:8b")).toMatchObject({
      contextWindow: 65_536,
    });
  });

  test("and the list of models tells the same as the conversation will have", async () => {
    const listed = await survey({ env: { OLLAMA_HOST: base } });
    const ollama = listed.ok ? listed.value.vendors.find((vendor) => vendor.id === "ollama") : undefined;
    expect(
      ollama?.models.map(({ id, contextWindow, maxOutput, reasoning }) => [id, contextWindow, maxOutput, reasoning]),
    ).toEqual([
      ["qwen3:8b", 32_768, 16_384, true],
      ["llama3:latest", 32_768, 16_384, true],
    ]);
  });

  test("LM Studio, llama.cpp and vLLM, each in its own way", async () => {
    expect(await listModels(at("lm-studio", { LM_STUDIO_BASE_URL: `${base}/v1` }))).toEqual([
      { id: "a", contextWindow: 4096, input: ["text"] },
    ]);
    expect(await listModels(at("vllm", { VLLM_BASE_URL: `${base}/v1` }))).toEqual([
      { id: "served", contextWindow: 2048 },
    ]);
    expect(await describeModel(at("llama.cpp", { LLAMA_CPP_BASE_URL: base }), "other")).toEqual({
      id: "other",
      contextWindow: 12_345,
      input: ["text", "image"],
    });
  });

  test("and whoever answers with something else, or not at all, is nobody", async () => {
    expect(await listModels(at("vllm", { VLLM_BASE_URL: `${base}/web` }))).toBeUndefined();
    expect(await listModels(at("vllm", { VLLM_BASE_URL: "http://127.0.0.1:1/v1" }))).toBeUndefined();
  });

  test("and no key is ever sent to find out", () => {
    expect(seen.length).toBeGreaterThan(5);
    for (const line of seen) expect(line).toEndWith(" -");
  });
});

test("a bare name that a local server has is asked there, and one that it does not have is not", async () => {
  const env = { VLLM_BASE_URL: `${base}/v1`, OPENAI_API_KEY: "k-0123456789" };
  expect(await resolveModel("served", { env })).toMatchObject({
    ok: true,
    value: { model: { vendor: "vllm", id: "served" } },
  });
  expect(await resolveModel("gpt-from-tomorrow", { env })).toMatchObject({ ok: false, kind: "vendor" });
});

test("a local server that is configured gives the default, with what it says of the model", async () => {
  expect(await resolveModel(undefined, { env: { VLLM_BASE_URL: `${base}/v1`, VLLM_API_KEY: "k" } })).toMatchObject({
    ok: true,
    value: { model: { vendor: "vllm", id: "served", contextWindow: 2048, maxOutput: 1024, known: true }, near: true },
  });
});
