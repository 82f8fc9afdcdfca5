import { describe, expect, test } from "bun:test";
import type { Message } from "../../message/message.ts";
import type { Request, StreamEvent } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import { ask, failureIn, model, reply, result, user } from "../../test/fixture.ts";
import { openaiChat } from "./openai-chat.ts";

const body = (compat: Compat, messages: readonly Message[], more: Partial<Request> = {}) =>
  JSON.parse(openaiChat(compat).encode(ask(messages, more)).join(""));
const call = { type: "toolCall" as const, id: "call_123456789012345", name: "read", arguments: {} };
const step = [
  user("x"),
  reply([{ type: "thinking", thinking: "hm" }, call]),
  result(call.id, [{ type: "text", text: "A" }]),
  user("go on"),
];
const tools = [{ name: "read", description: "Reads.", parameters: { type: "object" } }];

test("a model's own differences win over its vendor's", () => {
  expect(
    body({ maxTokensField: "max_tokens" }, [user("x")], {
      maxOutput: 9,
      model: { ...model, compat: { maxTokensField: "max_completion_tokens" } },
    }),
  ).toHaveProperty("max_completion_tokens");
});

describe("differences of a server", () => {
  test("in the role of the system prompt", () => {
    expect(body({ supportsDeveloperRole: true }, [user("x")], { system: ["s"] }).messages[0].role).toBe("developer");
    expect(
      body({ supportsDeveloperRole: true }, [user("x")], { system: ["s"], model: { ...model, reasoning: false } })
        .messages[0].role,
    ).toBe("system");
  });

  test("in the fields it knows", () => {
    expect(body({ supportsUsageInStreaming: false }, [user("x")])).not.toHaveProperty("stream_options");
    expect(body({ supportsStore: true }, [user("x")]).store).toBe(false);
    expect(body({ supportsStrictMode: true }, [user("x")], { tools }).tools[0].function.strict).toBe(false);
    expect(body({ zaiToolStream: true }, [user("x")], { tools }).tool_stream).toBe(true);
    expect(body({ openRouterRouting: { order: ["a"] } }, [user("x")]).provider).toEqual({ order: ["a"] });
  });

  test("in what a result and the message after it need", () => {
    expect(body({ requiresToolResultName: true }, step).messages[2].name).toBe("read");
    expect(
      body({ requiresAssistantAfterToolResult: true }, step).messages.map(({ role }: { role: string }) => role),
    ).toEqual(["user", "assistant", "tool", "assistant", "user"]);
  });

  test("in the ids it accepts, the same for call and result", () => {
    const [, assistant, tool] = body({ requiresMistralToolIds: true }, step).messages;
    expect(assistant.tool_calls[0].id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(tool.tool_call_id).toBe(assistant.tool_calls[0].id);
  });

  test("in what stands for no content", () => {
    expect(body({ emptyContent: "text" }, step).messages[1].content).toBe("");
    expect(body({ emptyContent: "absent" }, step).messages[1]).not.toHaveProperty("content");
  });

  test("in what becomes of earlier thinking", () => {
    expect(body({ requiresReasoningContentOnAssistantMessages: true }, step).messages[1].reasoning_content).toBe("hm");
    const other = [
      user("x"),
      reply([{ type: "thinking", thinking: "hm" }, call], { provider: "else" }),
      result(call.id, []),
    ];
    expect(body({ requiresReasoningContentOnAssistantMessages: true }, other).messages[1].reasoning_content).toBe("");
    const said = reply([
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "y" },
    ]);
    expect(body({ requiresThinkingAsText: true }, [user("x"), said]).messages[1].content).toBe(
      "<thinking>\nhm\n</thinking>\ny",
    );
  });

  test("in what it wants back with a call, from the model that made it only", () => {
    const detail = { type: "reasoning.encrypted", id: call.id, data: "sealed" };
    const signed = { ...call, thoughtSignature: JSON.stringify(detail) };
    const sent = (more: object) => body({}, [user("x"), reply([signed], more), result(call.id, [])]).messages[1];
    expect(sent({}).reasoning_details).toEqual([detail]);
    expect(sent({ provider: "else" })).not.toHaveProperty("reasoning_details");
    expect(
      body({}, [user("x"), reply([{ ...call, thoughtSignature: "c2ln" }]), result(call.id, [])]).messages[1],
    ).not.toHaveProperty("reasoning_details");
  });

  test("in marks for the cache of the vendor behind it", () => {
    const sent = body({ cacheControlFormat: "anthropic" }, step, {
      system: ["s"],
      tools: [...tools, { ...tools[0], name: "ls" } as never],
    });
    const mark = { type: "ephemeral" };
    expect(sent.messages[0].content).toEqual([{ type: "text", text: "s", cache_control: mark }]);
    expect(sent.messages.at(-1).content).toEqual([{ type: "text", text: "go on", cache_control: mark }]);
    expect(sent.tools.map((tool: { cache_control?: object }) => tool.cache_control)).toEqual([undefined, mark]);
    expect(
      JSON.stringify(body({ cacheControlFormat: "anthropic", cacheRetention: "none" }, step, { system: ["s"], tools })),
    ).not.toContain("cache_control");
  });

  test("in whether an end has a reason; half a call is never believed", () => {
    const decode = (payloads: readonly (object | string)[]): StreamEvent[] => {
      const decoder = openaiChat({ supportsFinishReason: false }).decoder(ask([]));
      const out: StreamEvent[] = [];
      for (const payload of payloads)
        decoder.push(typeof payload === "string" ? payload : JSON.stringify(payload), out);
      if (!decoder.ended) decoder.end(out);
      return out;
    };
    const text = { choices: [{ delta: { content: "hi" } }] };
    const calls = {
      choices: [{ delta: { tool_calls: [{ index: 0, id: "c", function: { name: "read", arguments: "{" } }] } }],
    };
    expect(decode([text]).at(-1)).toEqual({ type: "stop", reason: "stop" });
    expect(decode([calls, "[DONE]"]).at(-1)).toEqual({ type: "stop", reason: "toolUse" });
    expect(failureIn(decode([calls]))?.kind).toBe("cut");
    expect(failureIn(decode([]))?.kind).toBe("cut");
  });
});

test.each([
  ["openai", "high", { reasoning_effort: "high" }],
  ["openai", "off", {}],
  ["openrouter", "high", { reasoning: { effort: "high" } }],
  ["openrouter", "off", { reasoning: { effort: "none" } }],
  ["deepseek", "high", { thinking: { type: "enabled" }, reasoning_effort: "high" }],
  ["deepseek", "off", { thinking: { type: "disabled" } }],
  ["together", "high", { reasoning: { enabled: true }, reasoning_effort: "high" }],
  ["together", "off", { reasoning: { enabled: false } }],
  ["baseten", "high", { chat_template_args: { enable_thinking: true }, reasoning_effort: "high" }],
  ["zai", "high", { thinking: { type: "enabled", clear_thinking: false }, reasoning_effort: "high" }],
  ["zai", "off", { thinking: { type: "disabled" } }],
  ["qwen", "high", { enable_thinking: true, reasoning_effort: "high" }],
  ["qwen", "off", { enable_thinking: false }],
  ["chat-template", "high", { chat_template_kwargs: { enable_thinking: true, depth: "high", fixed: 1 } }],
  ["chat-template", "off", { chat_template_kwargs: { enable_thinking: false, fixed: 1 } }],
  ["qwen-chat-template", "high", { chat_template_kwargs: { enable_thinking: true, preserve_thinking: true } }],
  ["string-thinking", "high", { thinking: "high" }],
  ["string-thinking", "off", { thinking: "none" }],
  ["ant-ling", "high", { reasoning: { effort: "high" } }],
  ["ant-ling", "off", {}],
] as const)("thinking asked for the way of %s, %s", (thinkingFormat, effort, fields) => {
  const compat = {
    thinkingFormat,
    chatTemplateArgs: { enable_thinking: { $var: "thinking.enabled" } },
    chatTemplateKwargs: { enable_thinking: { $var: "thinking.enabled" }, depth: { $var: "thinking.effort" }, fixed: 1 },
  };
  const { model: _, messages: __, stream: ___, stream_options: ____, ...sent } = body(compat, [user("x")], { effort });
  expect(sent).toEqual(fields);
});

test("a level the model does not have is not asked for, and one with another name goes by that", () => {
  const levels = { ...model, thinkingLevelMap: { minimal: null, xhigh: "max" } };
  expect(body({}, [user("x")], { effort: "minimal", model: levels })).not.toHaveProperty("reasoning_effort");
  expect(body({}, [user("x")], { effort: "xhigh", model: levels }).reasoning_effort).toBe("max");
  expect(body({ supportsReasoningEffort: false }, [user("x")], { effort: "high" })).not.toHaveProperty(
    "reasoning_effort",
  );
});
