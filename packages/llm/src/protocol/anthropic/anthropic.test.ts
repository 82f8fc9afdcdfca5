import { describe, expect, test } from "bun:test";
import type { Image, Message } from "../../message/message.ts";
import type { Request, StreamEvent } from "../../message/stream.ts";
import { ask, failureIn, model, reply, result, user } from "../../test/fixture.ts";
import { anthropicMessages } from "./anthropic.ts";
import { AnthropicDecoder } from "./decode.ts";

const claude = { ...model, vendor: "anthropic", id: "claude-sonnet-4-5", api: "anthropic-messages" };
const byThis = { api: claude.api, provider: claude.vendor, model: claude.id };
const encode = (request: Request) => anthropicMessages({}).encode(request).join("");
const body = (messages: readonly Message[], more: Partial<Request> = {}) =>
  JSON.parse(encode(ask(messages, { model: claude, ...more })));
const image: Image = { type: "image", data: "aGk=", mimeType: "image/png" };
const mark = { cache_control: { type: "ephemeral" } };
const tool = { name: "read", description: "Reads.", parameters: { type: "object" } };
const call = (id: string) => ({ type: "toolCall" as const, id, name: "read", arguments: { path: id } });

test("a request has a limit, and marks for the cache the stable prefix and the last two turns of the user", () => {
  const messages = [
    user("one"),
    reply([{ type: "text", text: "1" }]),
    user("two"),
    reply([{ type: "text", text: "2" }]),
    user("three"),
  ];
  const sent = body(messages, { system: ["stable", "later"], tools: [tool, { ...tool, name: "ls" }] });
  expect(sent).toMatchObject({ model: "claude-sonnet-4-5", max_tokens: claude.maxOutput, stream: true });
  expect(sent.system).toEqual([
    { type: "text", text: "stable" },
    { type: "text", text: "later", ...mark },
  ]);
  expect(sent.tools).toEqual([
    { name: "read", description: "Reads.", input_schema: { type: "object" }, eager_input_streaming: true },
    { name: "ls", description: "Reads.", input_schema: { type: "object" }, eager_input_streaming: true, ...mark },
  ]);
  expect(sent.messages.map((message: { content: object[] }) => message.content)).toEqual([
    [{ type: "text", text: "one" }],
    [{ type: "text", text: "1" }],
    [{ type: "text", text: "two", ...mark }],
    [{ type: "text", text: "2" }],
    [{ type: "text", text: "three", ...mark }],
  ]);
});

test("the cache is marked for an hour where that is wanted, or not at all", () => {
  const text = (compat: object) =>
    anthropicMessages(compat)
      .encode(ask([user("x")], { model: claude, system: ["s"], tools: [tool] }))
      .join("");
  expect(text({ cacheRetention: "long" }).split('"ttl":"1h"')).toHaveLength(4);
  expect(text({ cacheRetention: "long", supportsLongCacheRetention: false })).not.toContain("ttl");
  expect(text({ cacheRetention: "none" })).not.toContain("cache_control");
  expect(text({ supportsCacheControlOnTools: false }).split("cache_control")).toHaveLength(3);
});

test("apart from the marks, the body of a step begins with the whole body of the step before", () => {
  const bare = anthropicMessages({ cacheRetention: "none" });
  const messages: Message[] = [user("x")];
  const request = ask(messages, { model: claude, system: ["s"], tools: [tool], effort: "high" });
  let before = bare.encode(request).join("");
  for (let step = 0; step < 4; step++) {
    const thought = { type: "thinking" as const, thinking: "t", thinkingSignature: "s" };
    messages.push(reply([thought, call(`c${step}`)], byThis), result(`c${step}`, [image]));
    const now = bare.encode(request).join("");
    expect(now.startsWith(before.slice(0, -"]}".length))).toBe(true);
    before = now;
  }
});

test("all results of a batch and what the user says next are one message, results first", () => {
  const failed = { ...result("b", [{ type: "text", text: "no" }, image]), isError: true };
  const sent = body(
    [user("x"), reply([call("a"), call("b")]), result("a", [{ type: "text", text: "A" }, image]), failed, user("and?")],
    { tools: [tool] },
  );
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
  expect(sent.messages[2]).toEqual({
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "A" }, picture] },
      { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "no" }], is_error: true },
      picture,
      { type: "text", text: "and?", ...mark },
    ],
  });
});

describe("thinking", () => {
  const thought = { type: "thinking" as const, thinking: "hm", thinkingSignature: "sig" };
  const hidden = { type: "thinking" as const, thinking: "", thinkingSignature: "blob", redacted: true };
  const first = (message: Message) => body([user("x"), message]).messages[1].content;

  test("goes back to the model that thought it, signed and in place", () => {
    expect(first(reply([thought, hidden, { type: "text", text: "y" }], byThis))).toEqual([
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "redacted_thinking", data: "blob" },
      { type: "text", text: "y" },
    ]);
  });

  test("of another model, or without its signature, stays away", () => {
    expect(first(reply([thought, { type: "text", text: "y" }]))).toEqual([{ type: "text", text: "y" }]);
    expect(
      first(
        reply(
          [
            { type: "thinking", thinking: "hm" },
            { type: "text", text: "y" },
          ],
          byThis,
        ),
      ),
    ).toEqual([{ type: "text", text: "y" }]);
    const sent = JSON.parse(
      anthropicMessages({ allowEmptySignature: true })
        .encode(
          ask(
            [
              user("x"),
              reply(
                [
                  { type: "thinking", thinking: "hm" },
                  { type: "text", text: "y" },
                ],
                byThis,
              ),
            ],
            { model: claude },
          ),
        )
        .join(""),
    );
    expect(sent.messages[1].content[0]).toEqual({ type: "thinking", thinking: "hm", signature: "" });
  });

  test("is asked for by a budget that leaves room for the answer, and not at all when off", () => {
    expect(body([user("x")], { effort: "high", maxOutput: 8000 })).toMatchObject({
      max_tokens: 8000,
      thinking: { type: "enabled", budget_tokens: 6976 },
    });
    expect(body([user("x")], { effort: "low", maxOutput: 16_000 }).thinking.budget_tokens).toBe(4096);
    expect(body([user("x")], { effort: "off" })).not.toHaveProperty("thinking");
    expect(body([user("x")], { effort: "high", maxOutput: 500 })).not.toHaveProperty("thinking");
    expect(body([user("x")], { effort: "high", model: { ...claude, reasoning: false } })).not.toHaveProperty(
      "thinking",
    );
  });

  test("is asked for by effort from models that want that", () => {
    const opus = { ...claude, id: "claude-opus-4-7", thinkingLevelMap: { minimal: "low", xhigh: "xhigh" } };
    expect(body([user("x")], { effort: "minimal", model: opus })).toMatchObject({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
    });
    expect(body([user("x")], { effort: "off", model: opus }).thinking).toEqual({ type: "disabled" });
    expect(
      body([user("x")], { effort: "off", model: { ...opus, thinkingLevelMap: { off: null } } }),
    ).not.toHaveProperty("thinking");
    expect(
      body([user("x")], { effort: "high", model: { ...claude, compat: { forceAdaptiveThinking: true } } }).thinking
        .type,
    ).toBe("adaptive");
  });

  test("with a budget is left out while calls of another model are being answered", () => {
    const messages = [user("x"), reply([call("a")]), result("a", [])];
    expect(body(messages, { effort: "high", tools: [tool] })).not.toHaveProperty("thinking");
    expect(
      body([user("x"), reply([thought, call("a")], byThis), result("a", [])], { effort: "high", tools: [tool] })
        .thinking.type,
    ).toBe("enabled");
  });

  test("between calls is asked for by header, and so are streamed arguments where there is no field for them", () => {
    const headers = (compat: object, more: Partial<Request>) =>
      anthropicMessages(compat).headers?.(ask([user("x")], { model: claude, ...more })) ?? {};
    expect(headers({}, {})).toEqual({ "anthropic-version": "2023-06-01" });
    expect(headers({}, { effort: "high" })["anthropic-beta"]).toBe("interleaved-thinking-2025-05-14");
    expect(headers({ interleavedThinking: false }, { effort: "high" })).not.toHaveProperty("anthropic-beta");
    expect(headers({ forceAdaptiveThinking: true }, { effort: "high" })).not.toHaveProperty("anthropic-beta");
    expect(
      headers({ supportsEagerToolInputStreaming: false }, { tools: [tool], effort: "high" })["anthropic-beta"],
    ).toBe("interleaved-thinking-2025-05-14,fine-grained-tool-streaming-2025-05-14");
  });
});

test("a history that begins or ends with the assistant gets the missing words, one with calls names its tools", () => {
  const sent = body([
    reply([{ type: "text", text: "hello" }]),
    user("x"),
    reply([call("a")]),
    result("a", []),
    reply([{ type: "text", text: "so" }]),
  ]);
  expect(sent.messages.map(({ role }: { role: string }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  expect(sent.tools).toMatchObject([{ name: "read" }]);
});

describe("an answer", () => {
  const decode = (...events: object[]): StreamEvent[] => {
    const decoder = new AnthropicDecoder();
    const out: StreamEvent[] = [];
    for (const event of events) decoder.push(JSON.stringify(event), out);
    if (!decoder.ended) decoder.end(out);
    return out;
  };
  const ended = (stop_reason: string, more: object = {}) => [
    { type: "message_delta", delta: { stop_reason, ...more } },
    { type: "message_stop" },
  ];

  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
  ])("that ends with %s is a %s", (raw, reason) => {
    expect(decode(...ended(raw)).at(-1)).toEqual({ type: "stop", reason: reason as never, raw });
  });

  test("that the model declined says why, if it does", () => {
    expect(failureIn(decode(...ended("refusal")))?.kind).toBe("refused");
    expect(failureIn(decode(...ended("refusal", { stop_details: { explanation: "because" } })))?.message).toBe(
      "the model declined: because",
    );
  });

  test("with the whole input of a call at once is read like a streamed one", () => {
    const start = {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t", name: "read", input: { path: "a" } },
    };
    expect(decode(start, ...ended("tool_use"))).toContainEqual({ type: "args", index: 0, delta: '{"path":"a"}' });
  });

  test("with a call that has no name is not run", () => {
    const start = { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", input: {} } };
    expect(failureIn(decode(start, ...ended("tool_use")))?.kind).toBe("malformed");
  });

  test("with kinds of events and blocks nobody knows yet is read past them", () => {
    const events = decode(
      { type: "message_of_tomorrow" },
      { type: "content_block_start", index: 0, content_block: { type: "server_tool_use", id: "x" } },
      { type: "content_block_delta", index: 0, delta: { type: "citations_delta" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "hi" } },
      ...ended("end_turn"),
    );
    expect(events.filter(({ type }) => type === "text")).toEqual([{ type: "text", index: 1, delta: "hi" }]);
  });

  test("that only stops, without any reason, is a cut", () => {
    expect(failureIn(decode({ type: "message_stop" }))?.kind).toBe("cut");
    expect(failureIn(decode())?.kind).toBe("cut");
  });
});
