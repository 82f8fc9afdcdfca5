import { describe, expect, test } from "bun:test";
import type { Image, Message } from "../../message/message.ts";
import type { Request, StreamEvent } from "../../message/stream.ts";
import { ask, failureIn, joined, model, reply, result, user } from "../../test/fixture.ts";
import { ResponsesDecoder } from "./decode.ts";
import { openaiResponses } from "./openai-responses.ts";

const gpt = { ...model, id: "gpt-5.5", api: "openai-responses" };
const byThis = { api: gpt.api, provider: gpt.vendor, model: gpt.id };
const body = (messages: readonly Message[], more: Partial<Request> = {}, compat = {}) =>
  JSON.parse(
    openaiResponses(compat)
      .encode(ask(messages, { model: gpt, ...more }))
      .join(""),
  );
const image: Image = { type: "image", data: "aGk=", mimeType: "image/png" };
const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "hm" }],
  encrypted_content: "sealed",
};
const thought = (item: object = reasoning) => ({
  type: "thinking" as const,
  thinking: "hm",
  thinkingSignature: JSON.stringify(item),
});
const said = { type: "text" as const, text: "y", textSignature: '{"v":1,"id":"msg_1","phase":"final_answer"}' };
const call = { type: "toolCall" as const, id: "call_1|fc_1", name: "read", arguments: { path: "a" } };

test("a request keeps nothing at the server and asks for its reasoning back", () => {
  expect(body([user("hello")], { system: ["be brief", "be kind"], effort: "high", maxOutput: 100 })).toEqual({
    model: "gpt-5.5",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "high", summary: "auto" },
    max_output_tokens: 100,
    instructions: "be brief\n\nbe kind",
    input: [{ role: "user", content: [{ type: "input_text", text: "hello" }] }],
  });
  expect(body([user("x")], { model: { ...gpt, reasoning: false }, effort: "high" })).not.toHaveProperty("reasoning");
  expect(body([user("x")], { effort: "off", model: { ...gpt, thinkingLevelMap: { off: "none" } } }).reasoning).toEqual({
    effort: "none",
  });
  expect(body([user("x")], { maxOutput: 1 }).max_output_tokens).toBe(16);
  expect(body([user("x")], { maxOutput: 100 }, { supportsMaxOutputTokens: false })).not.toHaveProperty(
    "max_output_tokens",
  );
  expect(body([user("x")], { session: "s".repeat(80) }).prompt_cache_key).toBe("s".repeat(64));
  expect(body([user("x")], { session: "s" }, { cacheRetention: "none" })).not.toHaveProperty("prompt_cache_key");
  expect(body([user("x")], {}, { cacheRetention: "long" }).prompt_cache_retention).toBe("24h");
});

describe("the items of a reply", () => {
  const items = (message: Message) => body([user("x"), message]).input.slice(1);

  test("go back with their reasoning and ids to the model that made them", () => {
    expect(items(reply([thought(), said, call], byThis)).slice(0, 3)).toEqual([
      reasoning,
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        phase: "final_answer",
        content: [{ type: "output_text", text: "y", annotations: [] }],
      },
      { type: "function_call", call_id: "call_1", id: "fc_1", name: "read", arguments: '{"path":"a"}' },
    ]);
  });

  test("go without reasoning and ids to any other, because one without the other is refused", () => {
    const bare = [
      { role: "assistant", content: "y" },
      { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"a"}' },
    ];
    expect(items(reply([thought(), said, call])).slice(0, 2)).toEqual(bare);
    expect(items(reply([thought({ ...reasoning, encrypted_content: null }), said, call], byThis)).slice(0, 2)).toEqual(
      bare,
    );
    expect(items(reply([{ ...thought(), thinkingSignature: "not JSON" }, said, call], byThis)).slice(0, 2)).toEqual(
      bare,
    );
  });

  test("never end with reasoning that led to nothing", () => {
    expect(items(reply([said, thought()], byThis)).map(({ type = "message" }) => type)).toEqual(["message"]);
    expect(items(reply([thought()], byThis))).toEqual([]);
  });

  test("keep freeform calls freeform, with their results", () => {
    const patch = { ...call, id: "call_2|ctc_1", name: "patch", arguments: { diff: "*** Begin" } };
    expect(body([reply([patch]), result("call_2|ctc_1", [{ type: "text", text: "ok" }])]).input).toEqual([
      { type: "custom_tool_call", call_id: "call_2", name: "patch", input: "*** Begin" },
      { type: "custom_tool_call_output", call_id: "call_2", output: "ok" },
    ]);
  });
});

test("images stand inside messages and results", () => {
  const picture = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" };
  const sent = body([user([image]), reply([call]), result("call_1|fc_1", [image])]).input;
  expect(sent[0].content).toEqual([picture]);
  expect(sent[2].output).toEqual([{ type: "input_text", text: "(an image)" }, picture]);
});

test("a freeform tool is one only where the server knows them", () => {
  const grammar = { syntax: "lark" as const, definition: "start: /.+/" };
  const tools = [
    { name: "patch", description: "Patches.", parameters: { type: "object" }, freeform: { argument: "diff", grammar } },
  ];
  expect(body([user("x")], { tools }, { supportsOpenAIGrammarTools: true }).tools).toEqual([
    {
      type: "custom",
      name: "patch",
      description: "Patches.",
      format: { type: "grammar", syntax: "lark", definition: "start: /.+/" },
    },
  ]);
  expect(body([user("x")], { tools }).tools).toEqual([
    { type: "function", name: "patch", description: "Patches.", parameters: { type: "object" }, strict: false },
  ]);
});

describe("an answer", () => {
  const decode = (...events: object[]): StreamEvent[] => {
    const decoder = new ResponsesDecoder([]);
    const out: StreamEvent[] = [];
    for (const event of events) decoder.push(JSON.stringify(event), out);
    if (!decoder.ended) decoder.end(out);
    return out;
  };
  const completed = { type: "response.completed", response: { status: "completed" } };
  const done = (item: object, output_index = 0) => ({ type: "response.output_item.done", output_index, item });

  test("whose items come whole, without parts, is read all the same", () => {
    const events = decode(
      done({ ...reasoning }),
      done({ type: "message", id: "msg_1", content: [{ type: "output_text", text: "hi" }] }, 1),
      done({ type: "function_call", call_id: "c", name: "read", arguments: '{"a":1}' }, 2),
      done({ type: "custom_tool_call", call_id: "d", id: "ctc_1", name: "patch", input: 'a"b' }, 3),
      completed,
    );
    expect([joined(events, "thinking"), joined(events, "text")]).toEqual(["hm", "hi"]);
    expect(events.filter(({ type }) => type === "call")).toEqual([
      { type: "call", index: 2, id: "c", name: "read" },
      { type: "call", index: 3, id: "d|ctc_1", name: "patch" },
    ]);
    expect(joined(events, "args")).toBe('{"a":1}{"input":"a\\"b"}');
    expect(events.at(-1)).toEqual({ type: "stop", reason: "toolUse", raw: "completed" });
  });

  test.each([
    [
      { type: "response.failed", response: { status: "failed", error: { code: "server_error", message: "m" } } },
      "server",
    ],
    [
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "context_length_exceeded", message: "m" } },
      },
      "overflow",
    ],
    [
      {
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
      },
      "refused",
    ],
    [{ type: "response.completed", response: { status: "cancelled" } }, "server"],
    [{ type: "error", code: "rate_limit_exceeded", message: "m" }, "rate"],
    [{ type: "error", error: { code: "server_is_overloaded", message: "m" } }, "overload"],
    [{ error: { message: "m", code: "invalid_api_key", type: "authentication_error" } }, "auth"],
    [{ type: "response.output_item.added", item: { type: "function_call", call_id: "c" } }, "malformed"],
  ])("%j is %s", (event, kind) => {
    expect(failureIn(decode(event))?.kind).toBe(kind as never);
  });

  test("that was refused says what the model said", () => {
    expect(failureIn(decode({ type: "response.refusal.delta", delta: "I won't" }, completed))).toEqual({
      kind: "refused",
      message: "the model declined: I won't",
    });
  });

  test("without an end is a cut, whatever items were done", () => {
    expect(failureIn(decode(done({ type: "function_call", call_id: "c", name: "read", arguments: "{}" })))?.kind).toBe(
      "cut",
    );
  });

  test("with kinds of events nobody knows yet is read past them", () => {
    expect(decode({ type: "response.something.new", delta: "x" }, completed).map(({ type }) => type)).toEqual(["stop"]);
  });
});
