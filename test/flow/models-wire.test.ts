// The whole program against a strict server of every protocol: a tool call, its result, an answer, and nothing refused.
import { expect, test } from "bun:test";
import { benches, serve } from "../../packages/llm/src/test/index.ts";
import { pith } from "../pith.ts";
import { scratch } from "../scratch.ts";

// The fake Ollama tells nothing of its models.
const note =
  "pith: The catalog does not know ollama/qwen3: using it as it is, assuming 32,768 tokens of context, 8,192 of output, and text only. models.yml can tell more of it (pith help models).\n";

/**
 * A name and the environment that leads it to a server. The address is what people write: without what the vendor's
 * tools leave out.
 */
const ways: Record<string, (origin: string) => { model: string; env: Record<string, string> }> = {
  "openai-completions": (origin) => ({
    model: "openai/gpt-5.5",
    env: { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: "key-for-tests" },
  }),
  "anthropic-messages": (origin) => ({
    model: "anthropic/claude-sonnet-4-5",
    env: { ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: "key-for-tests" },
  }),
  "google-generative-ai": (origin) => ({
    model: "gemini/gemini-2.5-pro",
    env: { GEMINI_BASE_URL: origin, GEMINI_API_KEY: "key-for-tests" },
  }),
  "azure-openai-responses": (origin) => ({
    model: "azure/gpt-5",
    env: { AZURE_OPENAI_BASE_URL: `${origin}/openai/v1`, AZURE_OPENAI_API_KEY: "key-for-tests" },
  }),
  "bedrock-converse-stream": (origin) => ({
    model: "bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    env: { BEDROCK_BASE_URL: origin, AWS_BEARER_TOKEN_BEDROCK: "key-for-tests" },
  }),
  "ollama-chat": (origin) => ({ model: "ollama/qwen3", env: { OLLAMA_HOST: origin } }),
};

/** Marks of the end of the cache, which moves on with the conversation. */
const marks = /,"cache_control":\{"type":"ephemeral"\}|,\{"cachePoint":\{"type":"default"\}\}/g;
/** The end of the list and of the body. */
const closing = "]}".length;

test.each(Object.keys(ways))("%s", async (api) => {
  using dir = scratch();
  // Additional prompts for small models are tested elsewhere.
  dir.write({ "home/.pith/config.yml": "profile: default\n" });
  const fake = benches[api]?.fake;
  if (!fake) throw new Error(api);
  const calls = ["call_one12", "call_two12"].map((id) => ({ id, name: "read", args: { path: ".keep" } }));
  using served = serve(fake, { thinking: "let me look", text: "Looking.", calls }, { text: "Both are empty." });
  const { model, env } = ways[api]?.(new URL(served.url).origin) ?? { model: "", env: {} };
  const err = api === "ollama-chat" ? note : "";
  const first = await pith(dir, ["-p", "read it twice", "--model", model, "--thinking", "low"], { env });
  expect({ ...first, refusals: served.refusals }).toEqual({
    code: 0,
    signal: null,
    out: "Both are empty.\n",
    err,
    refusals: [],
  });
  const again = await pith(dir, ["-p", "and again", "-c"], { env });
  expect({ ...again, refusals: served.refusals }).toEqual({
    code: 0,
    signal: null,
    out: "Both are empty.\n",
    // Assumptions about a model are shown once in a session.
    err: "",
    refusals: [],
  });
  // The level of thinking is the session's too: what was sent before is sent again, to the last byte.
  const [before = "", now = ""] = served.asks.slice(-2).map(({ raw }) => raw.replace(marks, ""));
  expect(now.slice(0, before.length - closing)).toBe(before.slice(0, -closing));
});
