import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type {
  AssistantMessage,
  Image,
  Message,
  Text,
  Thinking,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../message/message.ts";
import { noUsage } from "../message/message.ts";
import type { Request } from "../message/stream.ts";
import type { Model } from "../model/model.ts";
import { reply, result, user } from "../test/fixture.ts";
import { benches } from "../test/lab.ts";
import { refusalOf, signatureFor } from "../test/rule.ts";
import { Arranger, arrange } from "./history.ts";
import { protocols } from "./protocols.ts";

const call = (id: string, name = "read"): ToolCall => ({ type: "toolCall", id, name, arguments: { path: id } });
const roles = (messages: readonly Message[]) =>
  messages.map((message) => (message.role === "toolResult" ? `result ${message.toolCallId}` : message.role));

describe("a history", () => {
  test("that grew, was cut, or went another way is arranged as if it were seen for the first time", () => {
    const ids = fc.constantFrom("a", "b", "c");
    const message = fc.oneof(
      fc.constantFrom("x", "y").map((text): Message => user(text)),
      fc.tuple(fc.array(ids, { maxLength: 3 }), fc.constantFrom("stop", "error", "aborted")).map(
        ([calls, stopReason]): Message => ({
          ...reply(calls.map((id) => call(id))),
          stopReason: stopReason as AssistantMessage["stopReason"],
        }),
      ),
      ids.map((id): Message => result(id, [])),
    );
    const walk = fc.array(fc.tuple(fc.nat(5), fc.array(message, { maxLength: 5 })), { maxLength: 12 });
    fc.assert(
      fc.property(walk, (steps) => {
        const arranger = new Arranger();
        let messages: Message[] = [];
        for (const [taken, added] of steps) {
          messages = [...messages.slice(0, messages.length - Math.max(0, taken - 2)), ...added];
          expect(arranger.arrange(messages)).toEqual(arrange(messages));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("of complete steps stays as it is, message for message", () => {
    const messages = [
      user("x"),
      reply([call("a"), call("b")]),
      result("a", []),
      result("b", []),
      reply([{ type: "text", text: "done" }]),
    ];
    const arranged = arrange(messages);
    expect(arranged).toEqual(messages);
    for (const [at, message] of arranged.entries()) expect(message).toBe(messages[at] as Message);
  });

  test("with a call nobody answered says so in the call's place", () => {
    const arranged = arrange([reply([call("a"), call("b")]), result("b", []), user("go on")]);
    expect(roles(arranged)).toEqual(["assistant", "result a", "result b", "user"]);
    expect(arranged[1]).toMatchObject({ isError: true, content: [{ text: "(no result was recorded for this call)" }] });
  });

  test("with results after a message of the user puts them where they belong, in the order of the calls", () => {
    expect(roles(arrange([reply([call("a"), call("b")]), user("wait"), result("b", []), result("a", [])]))).toEqual([
      "assistant",
      "result a",
      "result b",
      "user",
    ]);
  });

  test("with a result whose call is gone keeps what it said", () => {
    expect(arrange([result("gone", [{ type: "text", text: "42" }])])).toMatchObject([
      { role: "user", content: [{ text: expect.stringContaining("read") }, { text: "42" }] },
    ]);
  });

  test("with two results for one call keeps the first", () => {
    const first = result("a", [{ type: "text", text: "1" }]);
    expect(arrange([reply([call("a")]), first, result("a", [{ type: "text", text: "2" }])])).toEqual([
      reply([call("a")]),
      first,
    ]);
  });

  test("with ids that come again gives the later calls ids of their own", () => {
    const arranged = arrange([
      reply([call("1")]),
      result("1", []),
      reply([call("1"), call("1")]),
      result("1", []),
      result("1", []),
    ]);
    expect(roles(arranged)).toEqual(["assistant", "result 1", "assistant", "result 1-2", "result 1-3"]);
    expect(arranged[2]).toMatchObject({ content: [{ id: "1-2" }, { id: "1-3" }] });
  });

  test("leaves out failed replies, and the calls of interrupted ones", () => {
    const messages = [
      reply([{ type: "text", text: "no" }], { stopReason: "error" }),
      reply([{ type: "text", text: "half" }, call("a")], { stopReason: "aborted" }),
    ];
    expect(arrange(messages)).toMatchObject([{ content: [{ text: "half" }] }]);
  });
});

/** Anything that some program may have left in a session file. */
const texts = fc.constantFrom("hello", "", " \n", "half \ud83d", '{"a":1}');
const image: fc.Arbitrary<Image> = fc.constant({ type: "image", data: "aGk=", mimeType: "image/png" });
const text: fc.Arbitrary<Text> = texts.map((value) => ({
  type: "text",
  text: value,
  textSignature: '{"v":1,"id":"msg_7"}',
}));
const anyId = fc.constantFrom(
  "1",
  "2",
  "call_abc|fc_12",
  "call_abc|ctc_13",
  "toolu_01",
  "gem|gemini",
  `x${"y".repeat(90)}`,
  "a b/c",
  "",
);
const anyCall: fc.Arbitrary<ToolCall> = fc
  .record({
    id: anyId,
    name: fc.constantFrom("read", "mcp.server:tool", "x".repeat(80)),
    raw: fc.option(fc.constant('{"pa'), { nil: undefined }),
  })
  .map(({ id, name, raw }) => ({
    type: "toolCall",
    id,
    name,
    arguments: { path: "a\ud83d" },
    thoughtSignature: "c2ln",
    ...(raw ? { rawArguments: raw } : {}),
  }));
const thinking: fc.Arbitrary<Thinking> = fc.record({
  type: fc.constant("thinking"),
  thinking: texts,
  thinkingSignature: fc.constant("c2ln"),
  redacted: fc.boolean(),
});
const person: fc.Arbitrary<UserMessage> = fc
  .oneof(texts, fc.array(fc.oneof(text, image), { maxLength: 3 }))
  .map((content) => user(content));
const answer: fc.Arbitrary<ToolResultMessage> = fc
  .record({ id: anyId, content: fc.array(fc.oneof(text, image), { maxLength: 2 }), isError: fc.boolean() })
  .map(({ id, content, isError }) => ({
    role: "toolResult",
    toolCallId: id,
    toolName: "read",
    content,
    isError,
    timestamp: 0,
  }));
const strange: fc.Arbitrary<AssistantMessage> = fc
  .record({
    content: fc.array(fc.oneof(text, thinking, anyCall), { maxLength: 4 }),
    api: fc.constantFrom(...Object.keys(benches)),
    stopReason: fc.constantFrom(
      "stop" as const,
      "toolUse" as const,
      "length" as const,
      "error" as const,
      "aborted" as const,
    ),
  })
  .map(({ content, api, stopReason }) => ({
    role: "assistant",
    content,
    api,
    provider: "somebody",
    model: "else",
    usage: noUsage(),
    stopReason,
    timestamp: 0,
  }));

/** A reply of the target itself, its thought signed as its server signs. */
const written = (by: Model): fc.Arbitrary<AssistantMessage> =>
  fc
    .record({ said: texts, calls: fc.array(anyCall, { maxLength: 2 }), thought: fc.boolean() })
    .map(({ said, calls, thought }) => {
      const signed: Thinking = {
        type: "thinking",
        thinking: "hm",
        thinkingSignature: signatures[by.api] ?? signatureFor("hm"),
      };
      const content = [
        ...(thought ? [signed] : []),
        { type: "text" as const, text: said },
        ...calls.map(({ thoughtSignature: _, ...rest }) => ({ ...rest, id: rest.id.replace(/_1[23]$/, "_7") })),
      ];
      return reply(content, { api: by.api, provider: by.vendor, model: by.id });
    });
const sealed = JSON.stringify({ type: "reasoning", id: "rs_7", summary: [], encrypted_content: "sealed:7" });
const signatures: Readonly<Record<string, string>> = { "openai-responses": sealed, "azure-openai-responses": sealed };

for (const [api, { fake, model, auth }] of Object.entries(benches))
  test(`any history, whoever recorded it and however broken, is one that ${api} accepts`, async () => {
    const wire = await protocols[api]?.({});
    const url = new URL(`http://x/models/${model.id}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(person, strange, answer, written(model)), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom("off" as const, "high" as const),
        fc.constantFrom(undefined, "none" as const),
        async (messages, withTools, effort, calls) => {
          const tools = withTools
            ? [{ name: "read", description: "Reads.", parameters: { type: "object", properties: {} } }]
            : [];
          const request: Request = {
            model,
            purpose: "main",
            system: ["s"],
            messages: [...messages, user("and now?")],
            tools,
            effort,
            maxOutput: 4096,
            ...(calls && { calls }),
          };
          const raw = wire?.encode(request).join("") ?? "";
          const headers = new Headers({
            ...auth.headers,
            ...wire?.headers?.(request),
            ...(api.startsWith("bedrock") ? { authorization: "Bearer x" } : {}),
          });
          // No half of a character, however deep.
          JSON.parse(raw, (_, value) => (typeof value === "string" ? expect(value.isWellFormed()).toBe(true) : value));
          expect(refusalOf(fake.rules, { body: JSON.parse(raw), headers, url, raw })).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });
