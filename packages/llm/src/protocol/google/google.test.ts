import { describe, expect, test } from "bun:test";
import type { Image, Message } from "../../message/message.ts";
import type { Request, StreamEvent } from "../../message/stream.ts";
import { ask, failureIn, model, reply, result, user } from "../../test/fixture.ts";
import { GoogleDecoder } from "./decode.ts";
import { googleGenerate } from "./google.ts";

const gemini = { ...model, vendor: "gemini", id: "gemini-3-pro", api: "google-generative-ai" };
const older = { ...gemini, id: "gemini-2.5-pro" };
const byThis = { api: gemini.api, provider: gemini.vendor, model: gemini.id };
const encode = (request: Request) => googleGenerate({}).encode(request).join("");
const body = (messages: readonly Message[], more: Partial<Request> = {}) =>
  JSON.parse(encode(ask(messages, { model: gemini, ...more })));
const image: Image = { type: "image", data: "aGk=", mimeType: "image/png" };
const picture = { inlineData: { mimeType: "image/png", data: "aGk=" } };
const call = (id: string) => ({ type: "toolCall" as const, id, name: "read", arguments: { path: id } });

test("a request names the model in its path only, and its prompt, tools and limit in the body", () => {
  expect(googleGenerate({}).path(gemini)).toBe("/models/gemini-3-pro:streamGenerateContent?alt=sse");
  expect(
    body([user("hello")], {
      system: ["be brief"],
      tools: [{ name: "read", description: "Reads.", parameters: { type: "object" } }],
      maxOutput: 100,
    }),
  ).toEqual({
    generationConfig: { maxOutputTokens: 100 },
    systemInstruction: { parts: [{ text: "be brief" }] },
    tools: [
      { functionDeclarations: [{ name: "read", description: "Reads.", parametersJsonSchema: { type: "object" } }] },
    ],
    contents: [{ role: "user", parts: [{ text: "hello" }] }],
  });
});

test("thinking is asked for by level from new models and by budget from older ones; off is the least there is", () => {
  const config = (more: Partial<Request>) => body([user("x")], more).generationConfig.thinkingConfig;
  expect(config({ effort: "high" })).toEqual({ includeThoughts: true, thinkingLevel: "high" });
  expect(config({ effort: "off" })).toEqual({ thinkingLevel: "low" });
  expect(config({ effort: "low", model: older })).toEqual({ includeThoughts: true, thinkingBudget: 4096 });
  expect(config({ effort: "off", model: older })).toEqual({ thinkingBudget: 0 });
  expect(config({ effort: "high", model: { ...older, id: "gemma-4", thinkingLevelMap: { high: "HIGH" } } })).toEqual({
    includeThoughts: true,
    thinkingLevel: "HIGH",
  });
  expect(config({})).toBeUndefined();
});

describe("signatures", () => {
  const signed = { ...call("a"), thoughtSignature: "sig" };

  test("go back with the parts they came with", () => {
    const parts = body([user("x"), reply([{ type: "text", text: "y", textSignature: "t" }, signed, call("b")], byThis)])
      .contents[1].parts;
    expect(parts).toEqual([
      { text: "y", thoughtSignature: "t" },
      { functionCall: { name: "read", args: { path: "a" } }, thoughtSignature: "sig" },
      { functionCall: { name: "read", args: { path: "b" } } },
    ]);
  });

  test("of another model are replaced by the word for it at the first call, and only for models that look", () => {
    expect(
      body([user("x"), reply([signed, call("b")])]).contents[1].parts.map(
        ({ thoughtSignature }: { thoughtSignature?: string }) => thoughtSignature,
      ),
    ).toEqual(["skip_thought_signature_validator", undefined]);
    expect(encode(ask([user("x"), reply([signed])], { model: older }))).not.toContain("thoughtSignature");
  });
});

test("results answer in the order of the calls, with the ids the server gave and no others, failures as errors", () => {
  const messages = [
    user("x"),
    reply([call("made"), call("s1|gemini")]),
    { ...result("s1|gemini", [{ type: "text" as const, text: "no" }]), isError: true },
    result("made", [image]),
  ];
  const sent = body(messages).contents;
  expect(sent[1].parts[1].functionCall).toEqual({ id: "s1", name: "read", args: { path: "s1|gemini" } });
  expect(sent[2].parts).toEqual([
    { functionResponse: { name: "read", response: { output: "(an image)" }, parts: [picture] } },
    { functionResponse: { id: "s1", name: "read", response: { error: "no" } } },
  ]);
  expect(body(messages, { model: older }).contents[2].parts.at(-1)).toEqual(picture);
});

describe("an answer", () => {
  const decode = (...chunks: object[]): StreamEvent[] => {
    let made = 0;
    const decoder = new GoogleDecoder(() => `made${++made}`);
    const out: StreamEvent[] = [];
    for (const chunk of chunks) decoder.push(JSON.stringify(chunk), out);
    if (!decoder.ended) decoder.end(out);
    return out;
  };
  const chunk = (parts: object[], finishReason?: string) => ({
    candidates: [{ content: { parts }, ...(finishReason ? { finishReason } : {}) }],
  });

  test("text after a signed part is a part of its own", () => {
    expect(
      decode(
        chunk([{ text: "a", thoughtSignature: "1" }, { text: "b" }, { text: "c", thoughtSignature: "2" }], "STOP"),
      ).slice(1, -1),
    ).toEqual([
      { type: "text", index: 0, delta: "a" },
      { type: "signature", index: 0, signature: "1" },
      { type: "text", index: 1, delta: "bc" },
      { type: "signature", index: 1, signature: "2" },
    ]);
  });

  test("a call keeps the id it came with, and gets one if it has none", () => {
    const calls = decode(
      chunk([{ functionCall: { id: "x", name: "read" } }, { functionCall: { name: "ls", args: { a: 1 } } }], "STOP"),
    ).filter(({ type }) => type === "call" || type === "args");
    expect(calls).toEqual([
      { type: "call", index: 0, id: "x|gemini", name: "read" },
      { type: "args", index: 0, delta: "{}" },
      { type: "call", index: 1, id: "made1", name: "ls" },
      { type: "args", index: 1, delta: '{"a":1}' },
    ]);
  });

  test.each([
    [chunk([], "SAFETY"), "refused"],
    [chunk([], "PROHIBITED_CONTENT"), "refused"],
    [{ promptFeedback: { blockReason: "OTHER" }, usageMetadata: {} }, "refused"],
    [chunk([], "MALFORMED_FUNCTION_CALL"), "malformed"],
    [chunk([{ functionCall: {} }], "STOP"), "malformed"],
    [chunk([], "MISSING_THOUGHT_SIGNATURE"), "rejected"],
    [chunk([{ text: "x" }]), "cut"],
    [{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "m" } }, "rate"],
  ])("%j is %s", (last, kind) => {
    expect(failureIn(decode(last))?.kind).toBe(kind as never);
  });
});
