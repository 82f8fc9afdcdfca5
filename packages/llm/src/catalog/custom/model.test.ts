// models.yml as users of relatives write it, up to the request that comes of it.
import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { resolveModel } from "../../resolve.ts";
import { ask, collect, failureIn, reply, user } from "../../test/fixture.ts";
import { readCustom } from "./custom.ts";

const seen: { path: string; headers: Headers; body: Record<string, unknown> }[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    seen.push({
      path: new URL(request.url).pathname,
      headers: request.headers,
      body: (await request.json()) as Record<string, unknown>,
    });
    return new Response("no", { status: 400 });
  },
});
const base = `http://127.0.0.1:${server.port}`;
const folder = scratch();
const home = folder.path;
afterAll(() => {
  server.stop(true);
  folder[Symbol.dispose]();
});

/** Body of a request to a model of this file. */
async function sent(models: string, name: string, env: Record<string, string> = {}, effort: "off" | "high" = "high") {
  writeFileSync(join(home, "models.yml"), models);
  const resolved = await resolveModel(name, { env, home });
  if (!resolved.ok) throw new Error(resolved.message);
  const { model, stream } = resolved.value;
  const said = reply(
    [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "yes" },
    ],
    { api: model.api, provider: model.vendor, model: model.id },
  );
  const events = await collect(stream, ask([user("hi"), said, user("on")], { model, effort, system: ["be brief"] }));
  return { ...(seen.at(-1) as (typeof seen)[number]), model, failure: failureIn(events) };
}

describe("values are taken from the environment", () => {
  const file = (apiKey: string, header = "blue") =>
    `# mine
providers:
  mine: # a proxy
    baseUrl: ${base}/v1
    apiKey: ${JSON.stringify(apiKey)}
    headers: { x-team: "${header}" }
    models: [{ id: m }]
`;

  test.each([
    ["$MY_KEY", "from-env-0123456"],
    [`\${MY_KEY}`, "from-env-0123456"],
    ["MY_KEY", "from-env-0123456"],
    [`pre-\${MY_KEY}-post`, "pre-from-env-0123456-post"],
    ["cash$$money", "cash$money"],
    ["$!not-a-command", "!not-a-command"],
    ["literal-key", "literal-key"],
  ])("%s", async (apiKey, key) => {
    const { headers } = await sent(file(apiKey, `\${TEAM}/$TEAM`), "mine/m", {
      MY_KEY: "from-env-0123456",
      TEAM: "red",
    });
    expect([headers.get("authorization"), headers.get("x-team")]).toEqual([`Bearer ${key}`, "red/red"]);
  });

  test("and one that is not set is named", async () => {
    writeFileSync(join(home, "models.yml"), file(`\${NOT_SET}`));
    expect(await resolveModel("mine/m", { env: {}, home })).toMatchObject({
      ok: false,
      message: "NOT_SET is not set, which models.yml asks for",
    });
  });

  test("also into the address", async () => {
    const models = `providers:\n  mine: { baseUrl: "\${WHERE}/\${VERSION}", auth: none, models: [{ id: m }] }\n`;
    expect((await sent(models, "mine/m", { WHERE: base, VERSION: "v9" })).path).toBe("/v9/chat/completions");
    expect(await resolveModel("mine/m", { env: { WHERE: base }, home })).toMatchObject({
      ok: false,
      message: "mine needs VERSION",
    });
  });
});

describe("models of a relative's file", () => {
  const compatible = (compat: string) => `providers:
  mine: { baseUrl: "${base}", apiKey: k, models: [{ id: m, reasoning: true, compat: { ${compat} } }] }
`;

  test("may have a server, a protocol and headers of their own", async () => {
    const models = `providers:
  mine:
    baseUrl: ${base}/chat
    apiKey: k
    models:
      - { id: a }
      - { id: b, baseUrl: "${base}/claude", api: anthropic-messages, headers: { x-own: "1" } }
`;
    expect((await sent(models, "mine/a")).path).toBe("/chat/chat/completions");
    const { path, headers } = await sent(models, "mine/b");
    expect([path, headers.get("x-own"), headers.get("x-api-key")]).toEqual(["/claude/v1/messages", "1", "k"]);
  });

  test("are changed by overrides without a list, price by price, and unknown ids stay unknown", async () => {
    const models = `providers:
  anthropic:
    modelOverrides:
      claude-sonnet-4-5: { name: Mine, cost: { output: 99 }, contextWindow: 1000 }
      nobody: { contextWindow: 5 }
`;
    const { model } = await sent(models, "anthropic/claude-sonnet-4-5", {
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: base,
    });
    expect(model).toMatchObject({ name: "Mine", contextWindow: 1000, cost: { input: 3, output: 99, cacheRead: 0.3 } });
    const unknown = await resolveModel("anthropic/nobody", {
      env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: base },
      home,
    });
    expect(unknown).toMatchObject({ ok: true, value: { model: { known: false, contextWindow: 128_000 } } });
  });

  test("carry sampling parameters and extra fields into the request", async () => {
    const models = (api: string) =>
      `providers:
  mine:
    baseUrl: ${base}
    apiKey: k
    api: ${api}
    models: [{ id: m, samplingParams: { temperature: 0.2 }, compat: { extraBody: { top_k: 40 } } }]
`;
    for (const api of ["openai-completions", "openai-responses", "anthropic-messages"])
      expect((await sent(models(api), "mine/m")).body).toMatchObject({ temperature: 0.2, top_k: 40, model: "m" });
    expect((await sent(models("ollama-chat"), "mine/m")).body.options).toMatchObject({ temperature: 0.2, top_k: 40 });
  });

  test("say in either way which levels of thinking they have", async () => {
    const models = `providers:
  mine:
    baseUrl: ${base}
    apiKey: k
    models:
      - { id: listed, reasoning: true, thinking: { mode: effort, efforts: [low, max], effortMap: { low: little } } }
      - { id: mapped, reasoning: true, thinkingLevelMap: { minimal: null, high: lots, max: most } }
`;
    expect((await sent(models, "mine/listed")).model.thinkingLevelMap).toEqual({
      minimal: null,
      low: "little",
      medium: null,
      high: null,
      xhigh: "max",
    });
    const { model, body } = await sent(models, "mine/mapped");
    expect([model.thinkingLevelMap, body.reasoning_effort]).toEqual([
      { minimal: null, high: "lots", xhigh: "most" },
      "lots",
    ]);
  });

  test.each([
    ["vercelGatewayRouting: { only: [a] }", { providerOptions: { gateway: { only: ["a"] } } }],
    [
      "openRouterRouting: { order: [x], allow_fallbacks: false }",
      { provider: { order: ["x"], allow_fallbacks: false } },
    ],
    ["vllmPriority: 3", { priority: 3 }],
    ["supportsStore: true", { store: false }],
    ["thinkingFormat: qwen", { enable_thinking: true }],
    [
      "thinkingFormat: chat-template, chatTemplateKwargs: { a: { $var: thinking.enabled }, b: 1 }",
      { chat_template_kwargs: { a: true, b: 1 } },
    ],
  ])("with compat { %s }", async (compat, expected) => {
    const models = compatible(compat);
    const { body } = await sent(models, "mine/m");
    expect(body).toMatchObject(expected);
  });

  test.each([
    ["supportsDeveloperRole: true", '"role":"developer"'],
    ["requiresReasoningContentForToolCalls: true, reasoningContentField: reasoning", '"reasoning":"hm"'],
    ["requiresThinkingAsText: true", "<thinking>"],
  ])("with compat { %s } among the messages", async (compat, words) => {
    const models = compatible(compat);
    expect(JSON.stringify((await sent(models, "mine/m")).body.messages)).toContain(words);
  });
});

test("a switch of the wrong kind is told with its line instead of failing later, so is a misspelt one", async () => {
  const file =
    "providers:\n  mine:\n    baseUrl: http://h\n    compat:\n      thinkingFormat: 7\n      supportsStore: maybe\n    models:\n      - id: a\n        compat: { maxTokenField: max_tokens }\n        cost: { input: 1, tiers: [{ inputTokensAbove: lots }] }\n";
  const read = await readCustom("m.yml", file);
  expect(read.ok ? [] : read.message.split("\n")).toEqual([
    expect.stringMatching(/^m\.yml:5: providers\.mine\.compat\.thinkingFormat: expected one of openai, .*found 7$/),
    'm.yml:6: providers.mine.compat.supportsStore: expected true or false, found "maybe"',
    'm.yml:10: providers.mine.models.0.cost.tiers.0.inputTokensAbove: expected a number, found "lots"',
  ]);
  const misspelt = await readCustom("m.yml", "providers:\n  openai:\n    compat: { maxTokenField: max_tokens }\n");
  expect(misspelt).toMatchObject({
    ok: true,
    value: { warnings: ["m.yml:3: providers.openai.compat.maxTokenField: unknown key; did you mean maxTokensField?"] },
  });
});

test("fields that only pi or omp use are ignored without a message", async () => {
  const file = `providers:
  mine:
    baseUrl: http://h
    auth: none
    disableStrictTools: true
    compat: { supportsTemperature: false, supportsToolChoice: false, supportsLongPromptCacheRetention: false }
    models:
      - id: a
        supportsTools: false
        inputLimits: { images: { maxPerMessage: 4 } }
        promptCache: { short: 300 }
        contextPromotionTarget: big
`;
  expect(await readCustom("m.yml", file)).toMatchObject({
    ok: true,
    value: {
      warnings: [],
      vendors: [
        { keyless: true, compat: { supportsLongCacheRetention: false }, models: [{ facts: { tools: false } }] },
      ],
    },
  });
});
