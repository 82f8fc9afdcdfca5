import { describe, expect, test } from "bun:test";
import type { Image, Message } from "../../message/message.ts";
import type { Request, StreamEvent } from "../../message/stream.ts";
import { ask, failureIn, model, reply, result, user } from "../../test/fixture.ts";
import { bedrockConverse } from "./bedrock.ts";
import { BedrockDecoder } from "./decode.ts";

const claude = {
  ...model,
  vendor: "bedrock",
  id: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  api: "bedrock-converse-stream",
};
const byThis = { api: claude.api, provider: claude.vendor, model: claude.id };
const encode = (request: Request) => bedrockConverse({}).encode(request).join("");
const body = (messages: readonly Message[], more: Partial<Request> = {}) =>
  JSON.parse(encode(ask(messages, { model: claude, ...more })));
const image: Image = { type: "image", data: "aGk=", mimeType: "image/jpeg" };
const tool = { name: "read", description: "Reads.", parameters: { type: "object" } };
const point = { cachePoint: { type: "default" } };

test("a request names the model in its path only, and marks the cache where the model has one", () => {
  expect(bedrockConverse({}).path({ id: "a.b-v1:0" })).toBe("/model/a.b-v1%3A0/converse-stream");
  const asked = { system: ["s"], tools: [tool], maxOutput: 100 };
  expect(body([user("x")], asked)).toEqual({
    inferenceConfig: { maxTokens: 100 },
    toolConfig: {
      tools: [{ toolSpec: { name: "read", description: "Reads.", inputSchema: { json: { type: "object" } } } }, point],
    },
    system: [{ text: "s" }, point],
    messages: [{ role: "user", content: [{ text: "x" }, point] }],
  });
  expect(encode(ask([user("x")], { ...asked, model: { ...claude, id: "meta.llama3" } }))).not.toContain("cachePoint");
  expect(
    encode(ask([user("x")], { ...asked, model: { ...claude, id: "amazon.nova-pro-v1:0" } })).split("cachePoint"),
  ).toHaveLength(3);
  expect(
    encode(ask([user("x")], { ...asked, model: { ...claude, compat: { cacheRetention: "none" } } })),
  ).not.toContain("cachePoint");
});

test("that a tool has no other arguments is said only where the model takes it", () => {
  const closed = { ...tool, parameters: { type: "object", additionalProperties: false } };
  const of = (id: string) => encode(ask([user("x")], { tools: [closed], model: { ...claude, id } }));
  expect(of("anthropic.claude-opus-4-6-v1")).toContain("additionalProperties");
  expect(of("amazon.nova-pro-v1:0")).not.toContain("additionalProperties");
});

test("thinking is asked for in the words of who made the model", () => {
  const fields = (more: Partial<Request>) =>
    body([user("x")], { maxOutput: 8000, ...more }).additionalModelRequestFields;
  expect(fields({ effort: "low" })).toEqual({
    thinking: { type: "enabled", budget_tokens: 4096 },
    anthropic_beta: ["interleaved-thinking-2025-05-14"],
  });
  expect(fields({ effort: "low", model: { ...claude, id: "anthropic.claude-opus-4-6-v1" } })).toEqual({
    thinking: { type: "adaptive" },
    output_config: { effort: "low" },
  });
  expect(fields({ effort: "low", model: { ...claude, id: "openai.gpt-oss-120b-1:0" } })).toEqual({
    reasoning_effort: "low",
  });
  for (const more of [
    { effort: "off" as const },
    {},
    { effort: "low" as const, model: { ...claude, id: "meta.llama3" } },
  ])
    expect(fields(more)).toBeUndefined();
});

test("thoughts go back to the model that had them, results hold images and say whether they failed", () => {
  const thought = { type: "thinking" as const, thinking: "hm", thinkingSignature: "sig" };
  const hidden = { type: "thinking" as const, thinking: "", thinkingSignature: "YmxvYg==", redacted: true };
  const call = { type: "toolCall" as const, id: "call_1|fc_1", name: "read", arguments: { path: "a" } };
  const sent = body(
    [
      user("x"),
      reply([thought, hidden, { type: "text", text: "y" }, call], byThis),
      { ...result("call_1|fc_1", [image]), isError: true },
    ],
    {
      tools: [tool],
    },
  );
  expect(sent.messages[1].content).toEqual([
    { reasoningContent: { reasoningText: { text: "hm", signature: "sig" } } },
    { reasoningContent: { redactedContent: "YmxvYg==" } },
    { text: "y" },
    { toolUse: { toolUseId: "call_1", name: "read", input: { path: "a" } } },
  ]);
  const content = [{ text: "(an image)" }, { image: { format: "jpeg", source: { bytes: "aGk=" } } }];
  expect(sent.messages[2].content[0]).toEqual({ toolResult: { toolUseId: "call_1", content, status: "error" } });
});

describe("an answer", () => {
  const decode = (...events: object[]): StreamEvent[] => {
    const decoder = new BedrockDecoder();
    const out: StreamEvent[] = [];
    for (const event of events) decoder.push(JSON.stringify(event), out);
    if (!decoder.ended) decoder.end(out);
    return out;
  };
  const stop = (stopReason: string) => ({ stopReason });

  test("is over with its figures, or with its body if none come", () => {
    expect(decode({ usage: { inputTokens: 1 } }, stop("end_turn"))).toMatchObject([
      { type: "usage" },
      { type: "stop", reason: "stop", raw: "end_turn" },
    ]);
    expect(decode(stop("end_turn"), { metrics: {} })).toEqual([{ type: "stop", reason: "stop", raw: "end_turn" }]);
  });

  test.each([
    [[stop("guardrail_intervened")], "refused"],
    [[stop("malformed_tool_use")], "malformed"],
    [[{ start: { toolUse: { name: "read" } } }, stop("tool_use")], "malformed"],
    [[{ internalServerException: { message: "m" } }], "server"],
    [[{ modelTimeoutException: { message: "m" } }], "timeout"],
    [[{ validationException: { message: "Input is too long for requested model." } }], "overflow"],
    [[{ frameError: { message: "m" } }], "malformed"],
    [[{ delta: { text: "x" } }], "cut"],
  ])("%j is %s", (events, kind) => {
    expect(failureIn(decode(...events))?.kind).toBe(kind as never);
  });

  test("with kinds of events nobody knows yet is read past them", () => {
    expect(decode({}, { tomorrow: { text: "x" } }, stop("end_turn")).map(({ type }) => type)).toEqual(["stop"]);
  });
});
