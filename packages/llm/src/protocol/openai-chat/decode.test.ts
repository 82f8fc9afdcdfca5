import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StreamEvent } from "../../message/stream.ts";
import { failureIn, joined } from "../../test/fixture.ts";
import { ChatDecoder } from "./decode.ts";

function decode(payloads: readonly (object | string)[], rest?: string): StreamEvent[] {
  let ids = 0;
  const decoder = new ChatDecoder({}, () => `new${++ids}`);
  const out: StreamEvent[] = [];
  for (const payload of payloads) decoder.push(typeof payload === "string" ? payload : JSON.stringify(payload), out);
  if (!decoder.ended) decoder.end(out, rest);
  return out;
}
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "r1",
  model: "m1",
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (part: object) => chunk({ tool_calls: [part] });
const stopWith = (reason: string) => [chunk({}, reason), "[DONE]"];
/** Calls with their arguments put together, in the order of the reply. */
const callsIn = (events: readonly StreamEvent[]) =>
  events.flatMap((event) =>
    event.type === "call"
      ? [
          {
            id: event.id,
            name: event.name,
            args: joined(
              events.filter((other) => "index" in other && other.index === event.index),
              "args",
            ),
          },
        ]
      : [],
  );

describe("text and thinking", () => {
  test("become blocks in the order in which they come", () => {
    const payloads = [
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "think" }),
      chunk({ reasoning: " more" }),
      chunk({ content: "Hel" }),
      chunk({ content: "lo" }),
      ...stopWith("stop"),
    ];
    expect(decode(payloads)).toEqual([
      { type: "start", responseId: "r1", responseModel: "m1" },
      { type: "thinking", index: 0, delta: "think more" },
      { type: "text", index: 1, delta: "Hello" },
      { type: "stop", reason: "stop", raw: "stop" },
    ]);
  });

  test("a server that sends its thoughts under both names is not heard twice", () => {
    expect(joined(decode([chunk({ reasoning: "t", reasoning_content: "t" }), ...stopWith("stop")]), "thinking")).toBe(
      "t",
    );
  });

  test("content in parts is text and thinking all the same", () => {
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "hm" }] };
    const events = decode([
      chunk({ content: [thinking] }),
      chunk({ content: [{ type: "text", text: "a" }, null] }),
      chunk({ content: "b" }),
      ...stopWith("stop"),
    ]);
    expect([joined(events, "thinking"), joined(events, "text")]).toEqual(["hm", "ab"]);
  });

  test("a whole completion in one document reads like a stream", () => {
    const message = {
      role: "assistant",
      content: "Hi",
      tool_calls: [{ id: "c", type: "function", function: { name: "read", arguments: "{}" } }],
    };
    const events = decode(
      [],
      JSON.stringify({
        id: "r",
        choices: [{ index: 0, message, finish_reason: "tool_calls" }],
        usage: { prompt_tokens: 1, completion_tokens: 2 },
      }),
    );
    expect(joined(events, "text")).toBe("Hi");
    expect(callsIn(events)).toEqual([{ id: "c", name: "read", args: "{}" }]);
    expect(events.at(-1)).toEqual({ type: "stop", reason: "toolUse", raw: "tool_calls" });
  });
});

describe("tool calls", () => {
  const two = [
    { id: "a", name: "read", args: '{"p":1}' },
    { id: "b", name: "bash", args: '{"q":2}' },
  ];

  test("streamed by index, interleaved", () => {
    const events = decode([
      call({ index: 0, id: "a", type: "function", function: { name: "read", arguments: "" } }),
      call({ index: 1, id: "b", type: "function", function: { name: "bash", arguments: "" } }),
      call({ index: 0, function: { arguments: '{"p"' } }),
      call({ index: 1, function: { arguments: '{"q":' } }),
      call({ index: 0, function: { arguments: ":1}" } }),
      call({ index: 1, function: { arguments: "2}" } }),
      ...stopWith("tool_calls"),
    ]);
    expect(callsIn(events)).toEqual(two);
    expect(events.at(-1)).toEqual({ type: "stop", reason: "toolUse", raw: "tool_calls" });
  });

  test("each whole in one chunk", () => {
    const parts = two.map(({ id, name, args }, index) => ({ index, id, function: { name, arguments: args } }));
    expect(callsIn(decode([chunk({ tool_calls: parts }), ...stopWith("tool_calls")]))).toEqual(two);
  });

  test("without any index", () => {
    const events = decode([
      call({ id: "a", function: { name: "read", arguments: '{"p"' } }),
      call({ function: { arguments: ":1}" } }),
      call({ id: "b", function: { name: "bash", arguments: "" } }),
      call({ id: "b", function: { arguments: '{"q":2}' } }),
      ...stopWith("tool_calls"),
    ]);
    expect(callsIn(events)).toEqual(two);
  });

  test("all under index 0", () => {
    const parts = two.map(({ id, name, args }) => call({ index: 0, id, function: { name, arguments: args } }));
    expect(callsIn(decode([...parts, ...stopWith("tool_calls")]))).toEqual(two);
  });

  test("with id and name repeated in every part", () => {
    const events = decode([
      ...['{"p"', ":", "1}"].map((args) => call({ index: 0, id: "a", function: { name: "read", arguments: args } })),
      ...['{"q"', ":2}"].map((args) => call({ index: 1, id: "b", function: { name: "bash", arguments: args } })),
      ...stopWith("tool_calls"),
    ]);
    expect(callsIn(events)).toEqual(two);
  });

  test("without ids get ids of their own", () => {
    const parts = two.map(({ name, args }) => call({ function: { name, arguments: args } }));
    expect(callsIn(decode([...parts, ...stopWith("stop")]))).toEqual([
      { id: "new1", name: "read", args: '{"p":1}' },
      { id: "new2", name: "bash", args: '{"q":2}' },
    ]);
  });

  test("with arguments before the name, or as an object, or null", () => {
    const events = decode([
      call({ index: 0, id: "a", function: { arguments: '{"p"' } }),
      call({ index: 0, function: { name: "read", arguments: ":1}" } }),
      call({ index: 1, id: "b", function: { name: "bash", arguments: { q: 2 } } }),
      call({ index: 2, id: "c", function: { name: "now", arguments: null } }),
      ...stopWith("tool_calls"),
    ]);
    expect(callsIn(events)).toEqual([...two, { id: "c", name: "now", args: "" }]);
  });

  test("with an id that changes from part to part stay one call", () => {
    const events = decode([
      call({ index: 0, id: "a", function: { name: "read", arguments: '{"p"' } }),
      call({ index: 0, id: "x", function: { arguments: ":1}" } }),
      ...stopWith("tool_calls"),
    ]);
    expect(callsIn(events)).toEqual([{ id: "a", name: "read", args: '{"p":1}' }]);
  });

  test("text after a call is a block of its own", () => {
    const events = decode([
      chunk({ content: "a" }),
      call({ index: 0, id: "c", function: { name: "read", arguments: "{}" } }),
      chunk({ content: "b" }),
      ...stopWith("tool_calls"),
    ]);
    expect(events.flatMap((event) => (event.type === "text" ? [event.index] : []))).toEqual([0, 2]);
  });

  test("keep what a gateway wants back with them", () => {
    const detail = { type: "reasoning.encrypted", id: "c", data: "sealed" };
    const events = decode([
      chunk({ reasoning_details: [{ type: "reasoning.text", text: "hm" }, detail, { ...detail, id: "other" }] }),
      call({ index: 0, id: "c", function: { name: "read", arguments: "{}" } }),
      ...stopWith("tool_calls"),
    ]);
    expect(events.filter(({ type }) => type === "signature")).toEqual([
      { type: "signature", index: 0, signature: JSON.stringify(detail) },
    ]);
  });

  test("never named are not run", () => {
    expect(
      failureIn(decode([call({ index: 0, id: "a", function: { arguments: "{}" } }), ...stopWith("tool_calls")]))?.kind,
    ).toBe("malformed");
  });
});

describe("the end", () => {
  test("`stop` with calls means the calls are to be run", () => {
    const events = decode([
      call({ index: 0, id: "c", function: { name: "read", arguments: "{}" } }),
      ...stopWith("stop"),
    ]);
    expect(events.at(-1)).toEqual({ type: "stop", reason: "toolUse", raw: "stop" });
  });

  test("`tool_calls` without any call is a plain stop", () => {
    expect(decode([chunk({ content: "x" }), ...stopWith("tool_calls")]).at(-1)).toMatchObject({ reason: "stop" });
  });

  test("`length` stays length, also in the middle of a call", () => {
    expect(decode([chunk({ content: "x" }), ...stopWith("length")]).at(-1)).toMatchObject({
      type: "stop",
      reason: "length",
    });
    expect(
      decode([call({ index: 0, id: "c", function: { name: "read", arguments: '{"p' } }), ...stopWith("length")]).at(-1),
    ).toMatchObject({
      type: "stop",
      reason: "length",
    });
  });

  test("a reason nobody has heard of is a stop, and is kept", () => {
    expect(decode([chunk({ content: "x" }), ...stopWith("constructor")]).at(-1)).toEqual({
      type: "stop",
      reason: "stop",
      raw: "constructor",
    });
  });

  test("a content filter and a refusal are refusals", () => {
    expect(failureIn(decode([chunk({ content: "x" }), ...stopWith("content_filter")]))?.kind).toBe("refused");
    expect(failureIn(decode([chunk({ refusal: "I will " }), chunk({ refusal: "not." }), ...stopWith("stop")]))).toEqual(
      {
        kind: "refused",
        message: "the model declined: I will not.",
      },
    );
  });

  test("is believed without [DONE] when a reason came", () => {
    expect(decode([chunk({ content: "x" }), chunk({}, "stop")]).at(-1)).toMatchObject({ type: "stop", reason: "stop" });
  });

  test("is a cut when no reason came", () => {
    expect(failureIn(decode([chunk({ content: "x" })]))?.kind).toBe("cut");
    expect(failureIn(decode([]))?.kind).toBe("cut");
    expect(failureIn(decode(["[DONE]"]))?.kind).toBe("cut");
    expect(
      failureIn(decode([call({ index: 0, id: "c", function: { name: "read", arguments: "{}" } }), "[DONE]"]))?.kind,
    ).toBe("cut");
  });

  test("is believed without a reason when plain text was closed with [DONE]", () => {
    expect(decode([chunk({ content: "x" }), "[DONE]"]).at(-1)).toEqual({ type: "stop", reason: "stop" });
  });

  test("may come without a last line end, and half a last line is a cut", () => {
    const last = JSON.stringify(chunk({}, "stop"));
    expect(decode([chunk({ content: "x" })], last).at(-1)).toMatchObject({ type: "stop" });
    expect(failureIn(decode([chunk({ content: "x" })], last.slice(0, -4)))?.kind).toBe("cut");
  });

  test("nothing is heard after it", () => {
    expect(
      decode([chunk({ content: "x" }), ...stopWith("stop"), chunk({ content: "y" }), "[DONE]"]).filter(
        (event) => event.type === "stop" || event.type === "text",
      ),
    ).toHaveLength(2);
  });
});

describe("usage", () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 70 },
    completion_tokens_details: { reasoning_tokens: 5 },
  };
  const counted = {
    type: "usage",
    usage: { input: 30, output: 20, cacheRead: 70, cacheWrite: 0, reasoning: 5, totalTokens: 120 },
  };

  test("comes in a chunk of its own after the reason, and is told before the stop", () => {
    expect(
      decode([chunk({ content: "x" }), chunk({}, "stop"), { id: "r1", choices: [], usage }, "[DONE]"]).slice(-2),
    ).toMatchObject([counted, { type: "stop" }]);
  });

  test("counted along with every chunk is told once, with its last value", () => {
    const events = decode([
      { ...chunk({ content: "x" }), usage: { prompt_tokens: 1 } },
      { ...chunk({}, "stop"), usage },
      "[DONE]",
    ]);
    expect(events.filter((event) => event.type === "usage")).toMatchObject([counted]);
  });

  test("inside the choice, or with the cache under another name, is found", () => {
    const other = { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 4 };
    const events = decode([{ choices: [{ delta: { content: "x" }, finish_reason: "stop", usage: other }] }]);
    expect(events).toContainEqual({
      type: "usage",
      usage: { input: 6, output: 1, cacheRead: 4, cacheWrite: 0, totalTokens: 11 },
    });
  });
});

describe("errors inside the stream", () => {
  test.each([
    [{ error: { message: "slow down", type: "rate_limit_error" } }, "rate"],
    [{ error: { message: "busy", code: 503 } }, "overload"],
    [
      { error: { message: "This model's maximum context length is 8 tokens", code: "context_length_exceeded" } },
      "overflow",
    ],
    [
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size",
          type: "exceed_context_size_error",
        },
      },
      "overflow",
    ],
    [{ error: "it broke" }, "server"],
    [{ object: "error", message: "no such thing", code: 404 }, "missing"],
    [
      {
        id: "r",
        choices: [{ delta: { content: "" }, finish_reason: "error" }],
        error: { code: 502, message: "upstream" },
      },
      "server",
    ],
  ])("%j is a failure of kind %s", (payload, kind) => {
    expect(failureIn(decode([chunk({ content: "x" }), payload]))?.kind).toBe(kind as never);
  });

  test("something that is not JSON ends the answer and is shown", () => {
    const failure = failureIn(decode([chunk({ content: "x" }), `<html>${"x".repeat(1000)}`]));
    expect(failure?.kind).toBe("malformed");
    expect(failure?.message).toContain("<html>xxx");
  });
});

test("whatever JSON a server sends, a reply ends exactly once and nothing is thrown", () => {
  const leaf = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.string(),
    fc.constantFrom("stop", "tool_calls", "length"),
    fc.constant([]),
    fc.constant({}),
  );
  const part = fc.oneof(
    leaf,
    fc.record(
      { index: leaf, id: leaf, function: fc.oneof(leaf, fc.record({ name: leaf, arguments: leaf })) },
      { requiredKeys: [] },
    ),
  );
  const delta = fc.oneof(
    leaf,
    fc.record(
      { content: leaf, reasoning: leaf, refusal: leaf, tool_calls: fc.oneof(leaf, fc.array(part, { maxLength: 3 })) },
      { requiredKeys: [] },
    ),
  );
  const usage = fc.oneof(
    leaf,
    fc.record({ prompt_tokens: leaf, completion_tokens: leaf, prompt_tokens_details: leaf }),
  );
  const choices = fc.oneof(
    leaf,
    fc.array(fc.oneof(leaf, fc.record({ delta, finish_reason: leaf, usage }, { requiredKeys: [] })), { maxLength: 2 }),
  );
  const payload = fc.oneof(
    fc.constant("[DONE]"),
    fc.json(),
    fc.record({ id: leaf, model: leaf, choices, usage, error: leaf }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 6 }), (payloads) => {
      const events = decode(payloads);
      expect(events.filter((event) => event.type === "stop" || event.type === "fail")).toHaveLength(1);
      expect(["stop", "fail"]).toContain(events.at(-1)?.type ?? "");
      for (const event of events)
        if (event.type === "call") expect([typeof event.id, typeof event.name]).toEqual(["string", "string"]);
    }),
    { numRuns: 300 },
  );
});
