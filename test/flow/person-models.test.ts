// Model names as a person types them: the right model is used, and guesses are reported.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const key = "sk-0123456789abcdef";

/** A server that keeps what it was asked, knows the models it was given, and speaks Chat Completions and Responses. */
function serve(models: readonly string[], answers: Record<string, () => Response> = {}) {
  const asked: { path: string; model?: string; effort?: string }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (request.method === "GET") {
        asked.push({ path });
        return Response.json({ data: models.map((id) => ({ id })) });
      }
      const body = (await request.json()) as { model: string; reasoning_effort?: string };
      asked.push({ path, model: body.model, ...(body.reasoning_effort ? { effort: body.reasoning_effort } : {}) });
      const own = answers[body.model];
      if (own) return own();
      if (!models.includes(body.model)) return Response.json({ error: { message: "no such model" } }, { status: 404 });
      if (path.endsWith("/responses")) return events(responses);
      if (path.endsWith("/messages")) return events(messages);
      return events([
        { choices: [{ index: 0, delta: { content: "hello" }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      ]);
    },
  });
  return {
    asked,
    origin: `http://127.0.0.1:${server.port}`,
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`, OPENAI_API_KEY: key },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const events = (list: readonly object[]) =>
  new Response(list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
const message = { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "hello" }] };
const responses = [
  { type: "response.created", response: { id: "r" } },
  { type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } },
  { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "hello" },
  { type: "response.output_item.done", output_index: 0, item: message },
  { type: "response.completed", response: { id: "r", status: "completed", output: [message] } },
];
const messages = [
  { type: "message_start", message: { id: "m", usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
];

const records = (dir: Scratch): Record<string, unknown>[] => {
  const base = dir.at("home", ".pith", "sessions");
  const files = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  return files.flatMap((name) =>
    readFileSync(join(base, name), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
};

describe("a model that is named with its vendor", () => {
  test("is asked by that name, also when another one is nearly called so", async () => {
    using dir = scratch();
    using server = serve(["claude-opus-6"]);
    const env = { ANTHROPIC_BASE_URL: server.origin, ANTHROPIC_API_KEY: key };
    const { code, out, err } = await pith(dir, ["-p", "hi", "--model", "anthropic/claude-opus-6"], { env });
    expect({ code, out }).toEqual({ code: 0, out: "hello\n" });
    expect(err).toMatch(/^pith: The catalog does not know anthropic\/claude-opus-6 \(did you mean .*models\.yml/);
    expect(server.asked).toEqual([{ path: "/v1/messages", model: "claude-opus-6" }]);
  });

  test("goes to Azure by the name of its deployment", async () => {
    using dir = scratch();
    using server = serve(["my-deployment"]);
    const env = {
      AZURE_OPENAI_BASE_URL: `${server.origin}/openai/v1`,
      AZURE_OPENAI_API_KEY: key,
      AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "gpt-x=my-deployment",
    };
    for (const name of ["azure/gpt-x", "gpt-x"])
      expect(await pith(dir, ["-p", "hi", "--model", name], { env })).toMatchObject({ code: 0, out: "hello\n" });
    expect(server.asked.map(({ model }) => model)).toEqual(["my-deployment", "my-deployment"]);
    expect((await pith(dir, ["models", "azure"], { env })).out).toContain("azure/gpt-x ");
  });

  test("and whose vendor is nearly one, is answered with the one that was meant", async () => {
    using dir = scratch();
    const near = await pith(dir, ["-p", "hi", "--model", "antropic/claude-opus-5-5"], {
      env: { ANTHROPIC_API_KEY: key },
    });
    expect(near.code).toBe(2);
    expect(near.err).toContain("did you mean anthropic/claude-opus-5-5?");
    expect(near.err).not.toContain("deepseek");
    const far = await pith(dir, ["-p", "hi", "--model", "nosuchvendor/x"], { env: { ANTHROPIC_API_KEY: key } });
    expect(far).toMatchObject({ code: 2, err: expect.stringContaining("known are openai, anthropic") });
  });

  test("a name with a slash goes to a server of one's own only where that server has it", async () => {
    using dir = scratch();
    using server = serve(["org/m"]);
    const { env } = server;
    for (const model of ["antropic/claude-opus-5-5", "nosuchvendor/x"]) {
      const slip = await pith(dir, ["-p", "a secret", "--model", model], { env });
      expect(slip).toMatchObject({ code: 2, err: expect.stringContaining("there is no vendor") });
    }
    expect(server.asked.filter(({ model }) => model !== undefined)).toEqual([]);
    expect(await pith(dir, ["-p", "hi", "--model", "org/m"], { env })).toMatchObject({ code: 0 });
  });

  test("and that its server does not know, is told with the models that it has", async () => {
    using dir = scratch();
    using server = serve(["alpha-1", "beta"]);
    const { code, err } = await pith(dir, ["-p", "hi", "--model", "openai/alpha"], { env: server.env });
    expect(code).toBe(1);
    expect(err).toEndWith("This server has alpha-1, beta.\n");
    expect(server.asked.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/models"]);
  });
});

test("a bare word is matched, and what it was taken for is said", async () => {
  using dir = scratch();
  using server = serve(["claude-opus-5-5"]);
  const env = { ANTHROPIC_BASE_URL: server.origin, ANTHROPIC_API_KEY: key };
  expect(await pith(dir, ["-p", "hi", "--model", "opus"], { env })).toMatchObject({
    code: 0,
    err: "pith: opus → anthropic/claude-opus-5-5\n",
  });
  expect(await pith(dir, ["-c", "-p", "hi"], { env })).toMatchObject({ code: 0, err: "" });
  // A server of one's own is asked what it has; the name of a vendor is the name of no model.
  using own = serve(["my-coder-7b", "other"]);
  const coder = await pith(dir, ["-p", "hi", "--model", "coder"], { env: own.env });
  expect(coder).toMatchObject({ code: 0, err: expect.stringMatching(/^pith: coder → openai\/my-coder-7b\n/) });
  expect(await pith(dir, ["-p", "hi", "--model", "openai"], { env: own.env })).toMatchObject({
    code: 2,
    err: expect.stringContaining('"openai" names no model; write openai/<model>'),
  });
});

test("what is assumed of a model that nobody knows is said once in a session", async () => {
  using dir = scratch();
  using server = serve(["mine"]);
  const say = (...more: string[]) => pith(dir, ["-p", "hi", "--model", "openai/mine", ...more], { env: server.env });
  expect((await say()).err).toMatch(/^pith: The catalog does not know openai\/mine: .*models\.yml/);
  expect((await say("-c")).err).toBe("");
  expect((await say()).err).toContain("The catalog does not know");
});

test("a budget in money is refused for every model without prices, and held where models.yml tells them", async () => {
  using dir = scratch();
  using server = serve(["x", "free", "priced", "half"]);
  dir.write({
    "home/.pith/models.yml": `providers:
  far:
    baseUrl: ${server.origin}/v1
    apiKey: abcdefgh
    models:
      - id: x
      - { id: free, cost: { input: 0, output: 0 } }
      - { id: priced, cost: { input: 1, output: 2 } }
      - { id: half, cost: { input: 1 } }
`,
  });
  const say = (name: string) => pith(dir, ["-p", "hi", "--max-cost", "1", "--model", name]);
  expect(await say("far/x")).toMatchObject({ code: 2, err: expect.stringContaining("prices of far/x are not known") });
  expect(await say("far/half")).toMatchObject({ code: 2, err: expect.stringContaining("of far/half are not known") });
  expect(await say("far/free")).toMatchObject({ code: 0, out: "hello\n" });
  expect(await say("far/priced")).toMatchObject({ code: 0, out: "hello\n" });
  // A plan has no price per token that could be added up.
  const plan = await pith(dir, ["-p", "hi", "--max-cost", "1", "--model", "qwen-token-plan/glm-5.2"], {
    env: { QWEN_TOKEN_PLAN_API_KEY: key },
  });
  expect(plan).toMatchObject({ code: 2, err: expect.stringContaining("--max-tokens") });
  expect(server.asked.map(({ model }) => model)).toEqual(["free", "priced"]);
});

test("the record holds the level of thinking that was sent, and not the one that was wished for", async () => {
  using dir = scratch();
  using server = serve(["thinks"]);
  dir.write({
    "home/.pith/models.yml": `providers:
  mine: { baseUrl: ${server.origin}/v1, auth: none, models: [{ id: thinks, reasoning: true }] }
`,
  });
  expect((await pith(dir, ["-p", "hi", "--model", "mine/thinks:xhigh"])).code).toBe(0);
  expect(server.asked).toEqual([{ path: "/v1/chat/completions", model: "thinks", effort: "high" }]);
  expect(records(dir).flatMap((entry) => entry.thinkingLevel ?? [])).toEqual(["high"]);
});

test("a server that does not work is tried retry.max times, and one that is not there near by once more", async () => {
  using dir = scratch();
  using server = serve([], { broken: () => Response.json({ error: { message: "oh" } }, { status: 500 }) });
  dir.write({ "home/.pith/config.yml": "retry: { max: 7, baseDelayMs: 1 }\n" });
  expect((await pith(dir, ["-p", "hi", "--model", "openai/broken"], { env: server.env })).code).toBe(1);
  expect(server.asked.length).toBe(8);
  const nobody = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };
  const near = await pith(dir, ["-p", "hi", "--model", "openai/x", "--no-session"], { env: nobody });
  expect({ code: near.code, tries: near.err.split("Trying again").length - 1 }).toEqual({ code: 1, tries: 1 });
  const far = await pith(dir, ["-p", "hi", "--model", "openai/x", "--no-session"], {
    env: { OPENAI_BASE_URL: "http://nobody.invalid/v1", OPENAI_API_KEY: key },
  });
  expect({ code: far.code, tries: far.err.split("Trying again").length - 1 }).toEqual({ code: 1, tries: 7 });
  // None of these was an answer.
  expect(JSON.parse((await pith(dir, ["stats", "--json", "--by", "model"])).out.split("\n")[0] ?? "")).toMatchObject({
    replies: 0,
  });
});
