import { expect, test } from "bun:test";
import type { Image, Message } from "../../message/message.ts";
import type { Request } from "../../message/stream.ts";
import { ask, model, reply, result, user } from "../../test/fixture.ts";
import { chatEncoder } from "./encode.ts";

const encoded = chatEncoder({ maxTokensField: "max_completion_tokens" });
const encode = (request: Request) => encoded(request).join("");
const body = (request: Request) => JSON.parse(encode(request));
const image: Image = { type: "image", data: "aGk=", mimeType: "image/png" };
const imagePart = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };

test("a request names the model, asks for a stream and its usage, and has both system blocks in one message", () => {
  expect(body(ask([user("hello")], { system: ["be brief", "you are in /x"] }))).toEqual({
    model: "some-model",
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: "be brief\n\nyou are in /x" },
      { role: "user", content: "hello" },
    ],
  });
});

test("tools travel as functions, and none means no tools field at all", () => {
  const parameters = { type: "object", properties: { path: { type: "string" } } };
  expect(body(ask([user("x")], { tools: [{ name: "read", description: "Reads.", parameters }] })).tools).toEqual([
    { type: "function", function: { name: "read", description: "Reads.", parameters } },
  ]);
  expect(body(ask([user("x")]))).not.toHaveProperty("tools");
});

test("an output limit is sent under the name the server knows, and effort only to models that reason", () => {
  const asked = { maxOutput: 100, effort: "high" } as const;
  expect(body(ask([user("x")], asked))).toMatchObject({ max_completion_tokens: 100, reasoning_effort: "high" });
  expect(JSON.parse(chatEncoder({ maxTokensField: "max_tokens" })(ask([user("x")], asked)).join(""))).toMatchObject({
    max_tokens: 100,
  });
  expect(body(ask([user("x")], { ...asked, model: { ...model, reasoning: false } }))).not.toHaveProperty(
    "reasoning_effort",
  );
  expect(body(ask([user("x")], { effort: "off" }))).not.toHaveProperty("reasoning_effort");
});

test("thinking is never sent back, and calls keep their ids and arguments", () => {
  const messages: Message[] = [
    user("x"),
    reply([
      { type: "thinking", thinking: "hmm", thinkingSignature: "s" },
      { type: "text", text: "I look." },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
      { type: "toolCall", id: "c2", name: "read", arguments: {} },
    ]),
    result("c1", [{ type: "text", text: "A" }]),
    result("c2", []),
  ];
  const [, assistant, ...results] = body(ask(messages)).messages;
  expect(assistant).toEqual({
    role: "assistant",
    content: "I look.",
    tool_calls: [
      { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } },
      { id: "c2", type: "function", function: { name: "read", arguments: "{}" } },
    ],
  });
  expect(results).toEqual([
    { role: "tool", tool_call_id: "c1", content: "A" },
    { role: "tool", tool_call_id: "c2", content: "(no output)" },
  ]);
});

test("a reply of calls alone has null content, as strict servers want", () => {
  const [assistant] = body(ask([reply([{ type: "toolCall", id: "c", name: "read", arguments: {} }])])).messages;
  expect(assistant.content).toBeNull();
});

test("failed replies and replies with nothing to send are skipped, interrupted ones with text are kept", () => {
  const messages = [
    reply([{ type: "text", text: "half" }], { stopReason: "error" }),
    reply([{ type: "thinking", thinking: "only thought" }]),
    reply([{ type: "text", text: "" }]),
    reply([{ type: "text", text: "so far" }], { stopReason: "aborted" }),
    user(""),
    user([]),
  ];
  expect(body(ask(messages)).messages).toEqual([{ role: "assistant", content: "so far" }]);
});

test("arguments that are not JSON are sent as valid JSON, because servers parse the history again", () => {
  const [assistant] = body(
    ask([reply([{ type: "toolCall", id: "c", name: "read", arguments: {}, rawArguments: '{"path": ' }])]),
  ).messages;
  expect(JSON.parse(assistant.tool_calls[0].function.arguments)).toEqual({ unparsed: '{"path": ' });
});

test("images of a user stand beside the text", () => {
  expect(body(ask([user([{ type: "text", text: "what is this?" }, image])])).messages).toEqual([
    { role: "user", content: [{ type: "text", text: "what is this?" }, imagePart] },
  ]);
  expect(body(ask([user([image])])).messages).toEqual([{ role: "user", content: [imagePart] }]);
});

test("images of tool results come as a user message after all results of the batch", () => {
  const messages: Message[] = [
    reply([
      { type: "toolCall", id: "c1", name: "read", arguments: {} },
      { type: "toolCall", id: "c2", name: "read", arguments: {} },
    ]),
    result("c1", [image]),
    result("c2", [{ type: "text", text: "B" }]),
    reply([{ type: "text", text: "a cat" }]),
  ];
  expect(body(ask(messages)).messages.slice(1)).toEqual([
    { role: "tool", tool_call_id: "c1", content: "(an image, shown below)" },
    { role: "tool", tool_call_id: "c2", content: "B" },
    { role: "user", content: [{ type: "text", text: "Images from the tool results above:" }, imagePart] },
    { role: "assistant", content: "a cat" },
  ]);
});

test("a model that reads only text is told of an image instead of sent it, also after another model saw it", () => {
  const calling = reply([{ type: "toolCall", id: "c", name: "read", arguments: {} }]);
  const messages = [user([{ type: "text", text: "look" }, image]), calling, result("c", [image])];
  const blind = { ...model, input: ["text"] as const };
  expect(encode(ask(messages))).toContain("aGk=");
  expect(body(ask(messages, { model: blind })).messages).toEqual([
    { role: "user", content: "look\n[image/png left out: this model reads text only]" },
    expect.anything(),
    { role: "tool", tool_call_id: "c", content: "[image/png left out: this model reads text only]" },
  ]);
});

test("half a surrogate pair does not reach the wire", () => {
  expect(encode(ask([user("a\ud83d")]))).toContain("a\ufffd");
});

test("the body of a step begins with the whole body of the step before", () => {
  const messages: Message[] = [user("x")];
  const request = ask(messages, { system: ["s"], tools: [{ name: "read", description: "", parameters: {} }] });
  let before = encode(request);
  for (let step = 0; step < 5; step++) {
    const last = step === 2 ? [image] : [{ type: "text" as const, text: `result ${step}` }];
    messages.push(
      reply([{ type: "toolCall", id: `c${step}`, name: "read", arguments: { step } }]),
      result(`c${step}`, last),
    );
    const now = encode(request);
    expect(now.startsWith(before.slice(0, -"]}".length))).toBe(true);
    before = now;
  }
});

test("a message is encoded once, however many steps come after it", () => {
  let reads = 0;
  const old = {
    ...user(""),
    get content() {
      reads++;
      return "x";
    },
  };
  encode(ask([old]));
  const once = reads;
  for (let step = 0; step < 10; step++) expect(encode(ask([old, user(`step ${step}`)]))).toContain('"content":"x"');
  expect(reads).toBe(once);
});
