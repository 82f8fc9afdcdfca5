// Through the real program: every protocol against its strict server, and one session through all of them.
import { describe, expect, test } from "bun:test";
import { awsKeys, awsRegion } from "../../packages/llm/src/test/fake/bedrock-signature.ts";
import { benches } from "../../packages/llm/src/test/lab.ts";
import { type Served, serve } from "../../packages/llm/src/test/serve.ts";
import { pith } from "../pith.ts";
import { scratch } from "../scratch.ts";

const key = "key-for-tests";

/** Model and environment with which a person points pith at each server. */
const ways: Readonly<Record<string, (url: string) => { model: string; env: Record<string, string> }>> = {
  "openai-completions": (url) => ({ model: "openai/some-model", env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } }),
  "azure-openai-responses": (url) => ({
    model: "azure/gpt-5.5",
    env: { AZURE_OPENAI_BASE_URL: url, AZURE_OPENAI_API_KEY: key },
  }),
  "anthropic-messages": (url) => ({
    model: "anthropic/claude-sonnet-4-5",
    env: { ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ""), ANTHROPIC_API_KEY: key },
  }),
  "google-generative-ai": (url) => ({
    model: "gemini/gemini-3.1-pro-preview",
    env: { GEMINI_BASE_URL: url.replace(/\/v1beta$/, ""), GEMINI_API_KEY: key },
  }),
  "bedrock-converse-stream": (url) => ({
    model: "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    env: {
      BEDROCK_BASE_URL: url,
      AWS_REGION: awsRegion,
      AWS_ACCESS_KEY_ID: awsKeys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: awsKeys.secretAccessKey,
    },
  }),
  "ollama-chat": (url) => ({ model: "ollama/qwen3", env: { OLLAMA_HOST: url } }),
};

const scene = (turn: number) => [
  {
    thinking: `thought ${turn}`,
    text: "I look.",
    calls: [
      { id: `call_${turn}a`, name: "read", args: { path: "a.txt" } },
      { id: `call_${turn}b`, name: "read", args: { path: "none.txt" } },
    ],
  },
  { text: `answer ${turn}` },
];

function servedBy(api: string, turn: number): Served {
  const bench = benches[api];
  if (!bench) throw new Error(`no server for ${api}`);
  return serve(bench.fake, ...scene(turn));
}

describe("a prompt with two calls goes through", () => {
  test.each(Object.entries(ways))("%s", async (api, way) => {
    using dir = scratch();
    dir.write({ "work/a.txt": "the content\n", "home/.pith/config.yml": "profile: default\n" });
    using served = servedBy(api, 1);
    const { model, env } = way(served.url);
    const { code, out, err } = await pith(dir, ["-p", "--model", model, "--thinking", "high", "look"], { env });
    expect({ code, out, err: code === 0 ? "" : err }).toEqual({ code: 0, out: "answer 1\n", err: "" });
    expect(served.refusals).toEqual([]);
    const bodies = served.asks.map(({ raw }) => raw);
    expect(bodies.at(-1)?.includes("the content")).toBe(true);
    // The cache has one name per session.
    if (!api.endsWith("responses")) return;
    const names = bodies.map((body) => /"prompt_cache_key":"([\w-]+)"/.exec(body)?.[1] ?? "none");
    expect([new Set(names).size, names.includes("none")]).toEqual([1, false]);
  });
});

test("one session changes its model at every prompt, and every server accepts what the others left", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "the content\n", "home/.pith/config.yml": "profile: default\n" });
  let turn = 0;
  for (const round of [1, 2])
    for (const [api, way] of Object.entries(ways)) {
      using served = servedBy(api, ++turn);
      const { model, env } = way(served.url);
      const args = [
        "-p",
        "--model",
        model,
        "--thinking",
        "high",
        ...(turn === 1 ? [] : ["--continue"]),
        `prompt ${turn}`,
      ];
      const { code, out, err } = await pith(dir, args, { env });
      expect({ round, api, code, out, err: code === 0 ? "" : err }).toEqual({
        round,
        api,
        code: 0,
        out: `answer ${turn}\n`,
        err: "",
      });
      expect(served.refusals).toEqual([]);
      const prompts = new Set(served.asks.at(-1)?.raw.match(/prompt \d+/g));
      expect(prompts.size).toBe(turn);
    }
}, 120_000);
