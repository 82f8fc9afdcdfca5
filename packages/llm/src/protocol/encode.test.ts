import { expect, test } from "bun:test";
import type { Request } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";
import { ask, model, user } from "../test/fixture.ts";
import { anthropicMessages } from "./anthropic/anthropic.ts";
import { bedrockConverse } from "./bedrock/bedrock.ts";
import { googleGenerate } from "./google/google.ts";
import { ollamaChat } from "./ollama/ollama.ts";
import { openaiChat } from "./openai-chat/openai-chat.ts";
import { openaiResponses } from "./openai-responses/openai-responses.ts";
import type { Protocol } from "./protocol.ts";

const tools = [{ name: "resolve", description: "", parameters: { type: "object" } }];
const claude = { ...model, vendor: "other", id: "claude-sonnet-4-5", reasoning: true };
const sent = (protocol: (compat: Compat) => Protocol, more: Partial<Request> = {}, compat: Compat = {}) =>
  JSON.parse(
    protocol(compat)
      .encode(ask([user("x")], { tools, demand: "resolve", ...more }))
      .join(""),
  );

test("every vendor that can be told which tool must be called is told so in its own words", () => {
  expect(sent(openaiChat, { model: { ...model, reasoning: false } }).tool_choice).toEqual({
    type: "function",
    function: { name: "resolve" },
  });
  expect(sent(openaiChat, { model: { ...claude, vendor: "openai" }, effort: "high" })).toHaveProperty("tool_choice");
  expect(sent(openaiResponses).tool_choice).toEqual({ type: "function", name: "resolve" });
  expect(sent(googleGenerate).toolConfig).toEqual({
    functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["resolve"] },
  });
  expect(sent(anthropicMessages, { model: claude }).tool_choice).toEqual({ type: "tool", name: "resolve" });
  expect(sent(bedrockConverse, { model: claude }).toolConfig.toolChoice).toEqual({ tool: { name: "resolve" } });
});

test("where it would be refused, it is not said: with thinking, without the tool, or to a server without it", () => {
  const thinking = { model: claude, effort: "high" as const };
  expect(sent(openaiChat, thinking)).not.toHaveProperty("tool_choice");
  expect(sent(openaiChat, thinking, { supportsToolChoice: true })).toHaveProperty("tool_choice");
  expect(sent(anthropicMessages, thinking)).not.toHaveProperty("tool_choice");
  expect(sent(bedrockConverse, thinking).toolConfig).not.toHaveProperty("toolChoice");
  expect(sent(openaiResponses, {}, { supportsToolChoice: false })).not.toHaveProperty("tool_choice");
  expect(sent(openaiResponses, { demand: "other" })).not.toHaveProperty("tool_choice");
  expect(sent(openaiResponses, { tools: [] })).not.toHaveProperty("tool_choice");
  expect(sent(ollamaChat)).not.toHaveProperty("tool_choice");
});

test("every vendor that can be told that nothing is to be called is told so, thinking or not", () => {
  const none = { calls: "none", demand: undefined, model: claude, effort: "high" } as const;
  expect(sent(openaiChat, none).tool_choice).toBe("none");
  expect(sent(openaiResponses, none).tool_choice).toBe("none");
  expect(sent(googleGenerate, none).toolConfig).toEqual({ functionCallingConfig: { mode: "NONE" } });
  expect(sent(anthropicMessages, none).tool_choice).toEqual({ type: "none" });
  expect(sent(bedrockConverse, none).toolConfig).not.toHaveProperty("toolChoice");
  expect(sent(ollamaChat, none)).not.toHaveProperty("tool_choice");
  expect(sent(openaiChat, none, { supportsToolChoice: false })).not.toHaveProperty("tool_choice");
  expect(sent(openaiChat, { ...none, tools: [] })).not.toHaveProperty("tool_choice");
});

test("a demand changes nothing of what was sent before", () => {
  const { encode } = openaiChat({});
  const request = ask([user("x")], { tools, model: { ...model, reasoning: false } });
  const body = encode(request).join("");
  expect(encode({ ...request, demand: "resolve" }).join("")).toStartWith(body.slice(0, -1));
});
