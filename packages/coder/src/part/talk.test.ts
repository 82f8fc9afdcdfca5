import { describe, expect, test } from "bun:test";
import type { Notice, TurnView } from "@pith/agent";
import { fail, ok } from "@pith/kit";
import { type AssistantMessage, type Failure, type FailureKind, type Model, noUsage, type Request } from "@pith/llm";
import { budget } from "./budget.ts";
import { explain } from "./cache-debug.ts";
import { fallback } from "./fallback.ts";
import { length } from "./length.ts";
import { type RetryOptions, retry } from "./retry.ts";
import { thinking } from "./thinking.ts";

const model = (id: string, more: Partial<Model> = {}): Model => ({
  ...{
    vendor: "test",
    id,
    api: "test",
    name: id,
    contextWindow: 1000,
    maxOutput: 100,
    input: ["text"],
    reasoning: true,
    known: true,
  },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  ...more,
});
const reply = (more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  ...{
    role: "assistant",
    content: [{ type: "text", text: "x" }],
    api: "test",
    provider: "test",
    model: "a",
    usage: noUsage(),
    stopReason: "stop",
    timestamp: 0,
  },
  ...more,
});
const turn = (more: Partial<TurnView> = {}): TurnView => ({
  model: model("a"),
  step: 1,
  attempt: 1,
  signal: new AbortController().signal,
  ...more,
});
const failure = (kind: FailureKind, retryAfterMs?: number): Failure => ({
  kind,
  message: kind,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

describe("a failed request", () => {
  const told: Notice[] = [];
  const desk = (more: Partial<RetryOptions> = {}) =>
    retry({
      max: 5,
      baseDelayMs: 1000,
      maxDelayMs: 300_000,
      near: () => false,
      random: () => 0.5,
      tell: (notice) => told.push(notice),
      ...more,
    });

  test("is tried again after ever longer waits, and not for ever", async () => {
    const waits = [];
    for (let attempt = 1; attempt <= 6; attempt++)
      waits.push(await desk().fail?.(failure("overload"), turn({ attempt })));
    expect(waits).toEqual([
      ...[1000, 2000, 4000, 8000, 16_000].map((delayMs) => ({ do: "retry", delayMs })),
      { do: "give up" },
    ] as never);
  });

  test("does not come back together with others that failed at the same moment", async () => {
    const waits = await Promise.all(
      [0, 1].map((chance) => desk({ random: () => chance }).fail?.(failure("server"), turn())),
    );
    expect(waits).toEqual([
      { do: "retry", delayMs: 750 },
      { do: "retry", delayMs: 1250 },
    ]);
  });

  test("waits as long as the server asks, but not for longer than is allowed, and says so", async () => {
    expect(await desk().fail?.(failure("rate", 42_000), turn())).toEqual({ do: "retry", delayMs: 42_000 });
    expect(await desk({ maxDelayMs: 500 }).fail?.(failure("server"), turn({ attempt: 4 }))).toEqual({
      do: "retry",
      delayMs: 500,
    });
    expect(await desk().fail?.(failure("rate", 0), turn({ attempt: 2 }))).toEqual({ do: "retry", delayMs: 2000 });
    expect(await desk().fail?.(failure("rate", 7_200_000), turn())).toEqual({ do: "give up" });
    expect(told.at(-1)?.text).toBe("The server asks to wait 2 h; retry.maxDelayMs allows 5 min.");
  });

  test("is not tried again where waiting does not help, or where it is switched off", async () => {
    for (const kind of ["auth", "missing", "overflow", "rejected", "refused", "aborted"] as const)
      expect(await desk().fail?.(failure(kind), turn())).toEqual({ do: "give up" });
    expect(await desk({ max: 0 }).fail?.(failure("server"), turn())).toEqual({ do: "give up" });
    expect(await desk({ near: (own) => own.id === "a" }).fail?.(failure("network"), turn({ attempt: 2 }))).toEqual({
      do: "give up",
    });
    expect(
      await desk({ near: (own) => own.id === "b" }).fail?.(failure("network"), turn({ attempt: 2 })),
    ).toMatchObject({ do: "retry" });
  });
});

describe("a model that does not answer", () => {
  const models: Record<string, Model> = { b: model("b"), c: model("c", { contextWindow: 9000 }) };
  const told: string[] = [];
  const recorded: unknown[] = [];
  const desk = (...chain: string[]) =>
    fallback({
      chain,
      record: (draft) => recorded.push(draft),
      resolve: async (name) => (models[name] ? ok({ model: models[name] }) : fail("none", "no key")),
      tell: ({ text }) => told.push(text),
    });

  test("gives way to the next of the chain, one after the other, and in the end to nobody", async () => {
    const own = desk("b", "missing", "c");
    expect(await own.fail?.(failure("auth"), turn())).toEqual({ do: "switch", model: models.b as Model });
    expect(await own.fail?.(failure("overload"), turn({ model: models.b as Model }))).toEqual({
      do: "switch",
      model: models.c as Model,
    });
    expect(told).toEqual(["The fallback missing cannot be used: no key"]);
    expect(await own.fail?.(failure("overload"), turn({ model: models.c as Model }))).toEqual({ do: "give up" });
    own.step?.(turn({ model: models.c as Model, step: 1 }));
    expect(recorded).toEqual([]);
    own.step?.(turn({ step: 0 }));
    own.step?.(turn({ step: 0 }));
    expect(recorded).toEqual([{ type: "model_change", provider: "test", modelId: "a" }]);
  });

  test("for the length of the context gives way only to one with more room; a refusal is final", async () => {
    expect(await desk("b", "c").fail?.(failure("overflow"), turn())).toEqual({
      do: "switch",
      model: models.c as Model,
    });
    expect(await desk("b").fail?.(failure("refused"), turn())).toEqual({ do: "give up" });
  });
});

describe("an answer that was cut at the output limit", () => {
  const cut = (tokens = 10) => reply({ stopReason: "length", usage: { ...noUsage(), totalTokens: tokens } });

  test("is asked on three times in a row, and a whole answer begins the count anew", async () => {
    const own = length();
    const { signal } = turn();
    const settle = async (message: AssistantMessage) => (await own.settle?.(turn({ signal, reply: message })))?.do;
    expect([await settle(cut()), await settle(cut()), await settle(cut()), await settle(cut())]).toEqual([
      "go on",
      "go on",
      "go on",
      "done",
    ]);
    expect([await settle(reply()), await settle(cut())]).toEqual(["done", "go on"]);
  });

  test("is asked on in these words, unless the whole context is full", async () => {
    expect(await length().settle?.(turn({ reply: cut() }))).toMatchObject({
      note: expect.stringMatching(/^Your last response was truncated\. Continue exactly where you left off\./),
    });
    expect(await length().settle?.(turn({ reply: cut(950) }))).toEqual({ do: "done" });
  });
});

describe("a budget", () => {
  const used = (tokens: number, total: number) =>
    reply({ usage: { ...noUsage(), totalTokens: tokens, cost: { ...noUsage().cost, total } } });

  test("in dollars ends a run between two requests, over all prompts, and counts each answer once", () => {
    const own = budget({ maxCost: 0.05 });
    const first = used(10, 0.03);
    expect(own.step?.(turn({ reply: first }))).toEqual({ do: "go" });
    expect(own.settle?.(turn({ reply: first }))).toEqual({ do: "done" });
    expect(own.step?.(turn())).toEqual({ do: "go" });
    expect(own.step?.(turn({ reply: used(10, 0.03) }))).toEqual({
      do: "stop",
      message: "The budget of $0.05 (--max-cost) is used up: $0.0600 so far.",
    });
  });

  test("in tokens does the same", () => {
    expect(budget({ maxTokens: 100 }).step?.(turn({ reply: used(120, 0) }))).toEqual({
      ...{ do: "stop", message: "The budget of 100 tokens (--max-tokens) is used up: 120 so far." },
    });
  });
});

test("thinking is asked for as far as the model can do it", async () => {
  const levels = { off: null, minimal: null, low: "low", medium: "medium", high: "high", xhigh: null };
  const request = (own: Model): Request => ({ model: own, system: [], messages: [], tools: [] });
  const effort = async (own: Model, level: "off" | "minimal" | "xhigh") =>
    (await thinking(() => level).context?.(request(own)))?.effort;
  expect(await effort(model("x", { thinkingLevelMap: levels }), "xhigh")).toBe("high");
  expect(await effort(model("x", { thinkingLevelMap: levels }), "minimal")).toBe("low");
  expect(await effort(model("x", { thinkingLevelMap: levels }), "off")).toBe("low");
  expect(await effort(model("x", { thinkingLevelMap: { xhigh: "max" } }), "xhigh")).toBe("xhigh");
  expect(await effort(model("x"), "xhigh")).toBe("high");
  expect(await effort(model("x", { reasoning: false }), "xhigh")).toBe("off");
});

describe("what broke the cache is named", () => {
  const user = (content: string) => ({ role: "user" as const, content, timestamp: 0 });
  const spec = (name: string, description = "") => ({ name, description, parameters: {} });
  const request = (more: Partial<Request> = {}): Request => ({
    model: model("a"),
    system: ["one", "two"],
    messages: [user("a"), user("b")],
    tools: [spec("read")],
    ...more,
  });

  test.each<[string, Partial<Request>, string]>([
    ["nothing", { messages: [user("a"), user("b"), user("c")] }, "kept: 2 messages as before, 1 new"],
    ["a model", { model: model("b") }, "broken: another model, test/b after test/a"],
    ["thinking", { effort: "high" }, "broken: thinking is high after unset"],
    ["a tool", { tools: [spec("read", "other")] }, "broken: tool 1 (read) changed"],
    ["a new tool", { tools: [spec("read"), spec("bash")] }, "broken: tool 2 (bash) was added"],
    ["the system prompt", { system: ["one", "2"] }, "broken: block 2 of the system prompt changed"],
    [
      "a message",
      { messages: [user("a"), user("B"), user("c")] },
      "broken: message 2 of 2 (user) changed; about 45 characters are read anew",
    ],
    [
      "a lost message",
      { messages: [user("a")] },
      "broken: message 2 of 2 (user) is gone; about 45 characters are read anew",
    ],
  ])("%s", (_, more, said) => expect(explain(request(), request(more))).toBe(said));
});
