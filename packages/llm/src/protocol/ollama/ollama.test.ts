import { describe, expect, test } from "bun:test";
import type { Image, Message } from "../../message/message.ts";
import type { Request, StreamEvent } from "../../message/stream.ts";
import { ask, failureIn, model, reply, result, user } from "../../test/fixture.ts";
import { OllamaDecoder } from "./decode.ts";
import { ollamaChat } from "./ollama.ts";

const qwen = { ...model, vendor: "ollama", id: "qwen3:8b", api: "ollama-chat", contextWindow: 32_768 };
const body = (messages: readonly Message[], more: Partial<Request> = {}, compat = {}) =>
  JSON.parse(
    ollamaChat(compat)
      .encode(ask(messages, { model: qwen, ...more }))
      .join(""),
  );
const image: Image = { type: "image", data: "aGk=", mimeType: "image/png" };
const call = (name: string, args: Record<string, unknown>) => ({
  type: "toolCall" as const,
  id: `id-${name}`,
  name,
  arguments: args,
});

test("a request reserves the context the model is known for, so that nothing is forgotten in silence", () => {
  const tools = [{ name: "read", description: "Reads.", parameters: { type: "object" } }];
  expect(body([user("hello")], { system: ["be brief"], tools, maxOutput: 100 })).toEqual({
    model: "qwen3:8b",
    stream: true,
    options: { num_ctx: 32_768, num_predict: 100 },
    tools: [{ type: "function", function: tools[0] }],
    messages: [
      { role: "system", content: "be brief" },
      { role: "user", content: "hello" },
    ],
  });
  expect(body([user("x")], {}, { numCtx: 8192, keepAlive: "30m" })).toMatchObject({
    options: { num_ctx: 8192 },
    keep_alive: "30m",
  });
});

test("thinking is on or off, or a level where the model has levels", () => {
  expect(body([user("x")], { effort: "high" }).think).toBe(true);
  expect(body([user("x")], { effort: "off" }).think).toBe(false);
  expect(body([user("x")], { effort: "minimal", model: { ...qwen, thinkingLevelMap: { minimal: "low" } } }).think).toBe(
    "low",
  );
  expect(body([user("x")])).not.toHaveProperty("think");
  expect(body([user("x")], { effort: "high", model: { ...qwen, reasoning: false } })).not.toHaveProperty("think");
});

describe("the history", () => {
  test("never holds thinking, and results name their tool", () => {
    const messages = [
      user([{ type: "text", text: "look" }, image]),
      reply([{ type: "thinking", thinking: "secret" }, { type: "text", text: "I see." }, call("read", { path: "a" })]),
      result("id-read", [image]),
    ];
    expect(body(messages).messages).toEqual([
      { role: "user", content: "look", images: ["aGk="] },
      { role: "assistant", content: "I see.", tool_calls: [{ function: { name: "read", arguments: { path: "a" } } }] },
      { role: "tool", tool_name: "read", content: "(an image)", images: ["aGk="] },
    ]);
    expect(JSON.stringify(body(messages))).not.toContain("secret");
  });

  test("says in words what a reply of calls alone did, the same words every time", () => {
    const said = (...calls: ReturnType<typeof call>[]) => body([reply(calls)]).messages[0].content;
    expect(said(call("grep", { pattern: "q" }), call("read", { path: "src/f.ts" }))).toBe(
      "I searched for 'q' and read src/f.ts",
    );
    expect(said(call("bash", { command: "make\nmake test" }), call("web", {}), call("ls", { path: "." }))).toBe(
      "I ran make, called web and listed .",
    );
    expect(said(call("bash", { command: "x".repeat(200) }))).toHaveLength("I ran ".length + 80);
  });

  test("keeps the place of a reply that was only thought", () => {
    expect(body([user("x"), reply([{ type: "thinking", thinking: "hm" }])]).messages[1]).toEqual({
      role: "assistant",
      content: "[Reasoning completed]",
    });
  });
});

describe("an answer", () => {
  const decode = (...lines: object[]): StreamEvent[] => {
    let made = 0;
    const decoder = new OllamaDecoder(() => `made${++made}`);
    const out: StreamEvent[] = [];
    for (const line of lines) decoder.push(JSON.stringify(line), out);
    if (!decoder.ended) decoder.end(out);
    return out;
  };

  test("whose calls have no id, or arguments as text, is read", () => {
    const calls = [{ function: { name: "read", arguments: '{"path":"a"}' } }, { id: "x", function: { name: "ls" } }];
    expect(decode({ message: { tool_calls: calls } }, { done: true }).slice(1, 5)).toEqual([
      { type: "call", index: 0, id: "made1", name: "read" },
      { type: "args", index: 0, delta: '{"path":"a"}' },
      { type: "call", index: 1, id: "x", name: "ls" },
      { type: "args", index: 1, delta: "{}" },
    ]);
  });

  test.each([
    [[{ message: { content: "x" } }], "cut"],
    [[{ error: "model 'x' not found" }], "server"],
    [[{ error: "the prompt exceeds the context length" }], "overflow"],
    [[{ message: { tool_calls: [{ function: {} }] } }, { done: true }], "malformed"],
  ])("%j is %s", (lines, kind) => {
    expect(failureIn(decode(...lines))?.kind).toBe(kind as never);
  });
});
