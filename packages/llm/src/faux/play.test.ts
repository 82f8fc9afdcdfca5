import { describe, expect, test } from "bun:test";
import type { Message } from "../message/message.ts";
import type { StreamEvent } from "../message/stream.ts";
import { ask, collect, failureIn, joined, reply, result, user } from "../test/fixture.ts";
import { fauxModel, fauxStream } from "./play.ts";
import type { Script } from "./script.ts";

const model = fauxModel("demo", { turns: [] });
const request = (messages: readonly Message[], more = {}) => ask(messages, { model, ...more });
/** A reply of the scripted model, as a session records it. */
const said = (text: string, stopReason: "stop" | "error" | "aborted" = "stop") =>
  reply([{ type: "text", text }], { provider: "faux", model: "demo", stopReason });
const play = (script: Script, messages: readonly Message[] = [user("hi")], more = {}) =>
  collect(fauxStream(script), request(messages, more));
const saying = async (script: Script, messages: readonly Message[]) => joined(await play(script, messages), "text");

describe("a turn", () => {
  test("thinks, speaks, calls, counts and stops, in this order", async () => {
    const events = await play({
      turns: [
        {
          thinking: "hm",
          text: ["a", "b"],
          calls: [
            { tool: "read", input: { path: "x" } },
            { tool: "bash", rawInput: '{"command": ', id: "mine" },
          ],
          usage: { input: 10, output: 5, cacheRead: 3, reasoning: 2 },
        },
      ],
    });
    expect(events).toEqual([
      { type: "start", responseId: "faux_1" },
      { type: "thinking", index: 0, delta: "hm" },
      { type: "text", index: 1, delta: "a" },
      { type: "text", index: 1, delta: "b" },
      { type: "call", index: 2, id: "call_1_1", name: "read" },
      { type: "args", index: 2, delta: '{"path":"x"}' },
      { type: "call", index: 3, id: "mine", name: "bash" },
      { type: "args", index: 3, delta: '{"command": ' },
      { type: "usage", usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 0, reasoning: 2, totalTokens: 18 } },
      { type: "stop", reason: "toolUse" },
    ]);
  });

  test("stops for the reason it names", async () => {
    expect((await play({ turns: [{ text: "a", stop: "length" }] })).at(-1)).toEqual({ type: "stop", reason: "length" });
  });

  test("is cut into chunks that never halve a character", async () => {
    const events = await play({
      chunkSize: 2,
      turns: [{ text: "a😀b😀c", calls: [{ tool: "t", input: { k: "ä" } }] }],
    });
    expect(events.flatMap((event) => (event.type === "text" ? [event.delta] : []))).toEqual(["a😀", "b😀", "c"]);
    expect(joined(events, "args")).toBe('{"k":"ä"}');
    expect(events.filter((event) => event.type === "args").length).toBeGreaterThan(1);
  });

  test("keeps its own pace: a delay before, and one between chunks", async () => {
    const script: Script = { delayMs: 60_000, turns: [{ text: ["a", "b", "c"], delayMs: 30, chunkDelayMs: 20 }] };
    const began = performance.now();
    const groups: (readonly StreamEvent[])[] = [];
    for await (const group of fauxStream(script)(request([user("x")]), new AbortController().signal))
      groups.push(group);
    const took = performance.now() - began;
    expect(took).toBeGreaterThanOrEqual(80);
    expect(took).toBeLessThan(25_000);
    expect(groups.map((group) => group.length)).toEqual([1, 1, 1, 1, 1]);
  });

  test("without a pace comes in large groups", async () => {
    const groups: number[] = [];
    const script: Script = { chunkSize: 1, turns: [{ text: "x".repeat(200_000) }] };
    for await (const group of fauxStream(script)(request([user("x")]), new AbortController().signal))
      groups.push(group.length);
    expect(groups.length).toBeLessThan(1000);
  });

  test("fills its holes with the step, the user's words and the last results, safely inside arguments", async () => {
    const quote = 'say "it"\n\\';
    const script: Script = {
      turns: [
        {
          text: "{{step}}: {{user}} / {{result}} / {{other}}",
          calls: [{ tool: "t", input: { deep: [{ text: "{{user}}" }] } }],
        },
      ],
    };
    const events = await play(script, [
      user(quote),
      reply([]),
      result("c", [{ type: "text", text: "one" }]),
      result("d", [{ type: "text", text: "two" }]),
    ]);
    expect(joined(events, "text")).toBe(`1: ${quote} / one\ntwo / {{other}}`);
    expect(JSON.parse(joined(events, "args"))).toEqual({ deep: [{ text: quote }] });
  });
});

describe("trouble on purpose", () => {
  test("an error has the kind of its status, and what the server would say", async () => {
    expect(await play({ turns: [{ error: { status: 429, message: "slow down", retryAfterMs: 50 } }] })).toEqual([
      { type: "fail", failure: { kind: "rate", status: 429, message: "slow down", retryAfterMs: 50 } },
    ]);
    expect(failureIn(await play({ turns: [{ error: { kind: "overflow" } }] }))?.kind).toBe("overflow");
    expect(failureIn(await play({ turns: [{ error: {} }] }))?.kind).toBe("server");
  });

  test("an error after some words comes after them", async () => {
    const events = await play({ turns: [{ text: "so far", error: { status: 500 } }] });
    expect(joined(events, "text")).toBe("so far");
    expect(failureIn(events)?.kind).toBe("server");
  });

  test("a cut stream ends in the middle, or after a given number of pieces", async () => {
    const turn = { text: ["a", "b", "c", "d", "e"] };
    const half = await play({ turns: [{ ...turn, cut: true }] });
    expect([joined(half, "text"), failureIn(half)?.kind]).toEqual(["ab", "cut"]);
    expect(joined(await play({ turns: [{ ...turn, cut: 2 }] }), "text")).toBe("a");
    expect(await play({ turns: [{ ...turn, cut: 0 }] })).toHaveLength(1);
  });

  test("a hanging model says nothing until it is stopped", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 30);
    const began = performance.now();
    const events = await collect(fauxStream({ turns: [{ hang: true }] }), request([user("x")]), abort.signal);
    expect(performance.now() - began).toBeGreaterThanOrEqual(25);
    expect(events).toEqual([{ type: "fail", failure: { kind: "aborted", message: "stopped" } }]);
  });

  test("an abort is heard before, between and during pieces", async () => {
    const script: Script = { turns: [{ text: ["a", "b"], delayMs: 5000 }] };
    expect(failureIn(await collect(fauxStream(script), request([user("x")]), AbortSignal.abort()))?.kind).toBe(
      "aborted",
    );
    const abort = new AbortController();
    const slow = fauxStream({ chunkDelayMs: 5000, turns: [{ text: ["a", "b"] }] })(request([user("x")]), abort.signal);
    const events: StreamEvent[] = [];
    for await (const group of slow) {
      events.push(...group);
      setTimeout(() => abort.abort(), 5);
    }
    expect(failureIn(events)?.kind).toBe("aborted");
  });
});

describe("the place in the script", () => {
  const script: Script = { name: "Demo", turns: [{ text: "one" }, { text: "two", repeat: 2 }, { text: "three" }] };
  const after = (replies: number) => [
    user("x"),
    ...Array.from({ length: replies }, () => [said("…"), user("go on")]).flat(),
  ];

  test("is told by the replies in the conversation, so a resumed session goes on where it was", async () => {
    const heard = [];
    for (let replies = 0; replies < 4; replies++) heard.push(await saying(script, after(replies)));
    expect(heard).toEqual(["one", "two", "two", "three"]);
  });

  test("ignores what other models said before", async () => {
    expect(await saying(script, [user("x"), reply([{ type: "text", text: "real" }]), user("y")])).toBe("one");
  });

  test("moves on although nobody listens after the failure", async () => {
    const stream = fauxStream({ turns: [{ text: "a", error: {} }, { text: "b" }, { text: "c" }] });
    const first = user("x");
    for (const heard of ["a", "b"]) {
      const groups = stream(request([first]), new AbortController().signal)[Symbol.asyncIterator]();
      const next = await groups.next();
      expect(joined(next.done ? [] : next.value, "text")).toBe(heard);
    }
    expect(joined(await collect(stream, request([first])), "text")).toBe("c");
  });

  test("moves on after a failure, whether it was recorded or tried again", async () => {
    const flaky: Script = {
      turns: [{ error: { status: 500 } }, { cut: true, text: "x" }, { text: "at last" }, { text: "then" }],
    };
    const stream = fauxStream(flaky);
    const first = user("x");
    const kinds = [];
    for (let attempt = 0; attempt < 2; attempt++) kinds.push(failureIn(await collect(stream, request([first])))?.kind);
    expect(kinds).toEqual(["server", "cut"]);
    expect(joined(await collect(stream, request([first])), "text")).toBe("at last");
    expect(joined(await collect(stream, request([first, said("at last"), user("y")])), "text")).toBe("then");
    // Another process knows only the record.
    expect(await saying(flaky, [user("x"), said("", "error"), user("y"), said("", "error"), user("z")])).toBe(
      "at last",
    );
  });

  test("moves on after an interruption that left nothing in the record", async () => {
    const stream = fauxStream({ turns: [{ hang: true }, { text: "next" }] });
    const first = user("x");
    await collect(stream, request([first]), AbortSignal.abort());
    expect(joined(await collect(stream, request([first, user("again")])), "text")).toBe("next");
  });

  test("of one session does not move another that plays the same script", async () => {
    const stream = fauxStream({ turns: [{ error: {} }, { text: "two" }] });
    await collect(stream, request([user("a")]));
    expect(failureIn(await collect(stream, request([user("b")])))?.kind).toBe("server");
  });

  test("after the last turn is an error that says so, or the end, or the last turn again", async () => {
    expect(failureIn(await play(script, after(4)))).toEqual({
      kind: "rejected",
      message: "Demo has only 3 turns, and this request comes after the last one",
    });
    expect(failureIn(await play({ turns: [{ text: "one" }] }, after(1)))?.message).toStartWith(
      "demo has only one turn",
    );
    expect(await saying({ ...script, after: "stop" }, after(9))).toBe("The script has ended.");
    expect(await saying({ ...script, after: "repeat-last" }, after(9))).toBe("three");
  });

  test("is left alone by a turn that answers whatever fits it", async () => {
    const aside: Script = {
      turns: [{ text: "one" }, { when: { system: "be a poet" }, text: "Ode" }, { text: "two" }],
      after: "repeat-last",
    };
    expect(joined(await play(aside, [user("x")], { system: ["be a poet"] }), "text")).toBe("Ode");
    expect(await saying(aside, [user("x")])).toBe("one");
    expect(await saying(aside, after(1))).toBe("two");
  });
});

describe("an expectation", () => {
  const tools = [{ name: "read", description: "", parameters: {} }];
  const messages = [
    user("fix the test"),
    reply([]),
    result("a", [{ type: "text", text: "first" }]),
    result("b", [{ type: "text", text: "exit 1" }]),
  ];
  const failing = async (expect: NonNullable<Script["turns"][number]["expect"]>) =>
    failureIn(await play({ name: "Demo", turns: [{ text: "ok", expect }] }, messages, { tools, system: ["be brief"] }))
      ?.message;

  test("that is met changes nothing", async () => {
    expect(
      await failing({
        user: ["fix", { matches: "^FIX .* test$", flags: "i" }],
        result: ["first", "exit 1"],
        system: "brief",
        tools: ["read"],
      }),
    ).toBeUndefined();
  });

  test.each([
    [{ user: "break" }, 'Demo, turn 1: expected the last user message to contain "break", but it is "fix the test"'],
    [
      { result: { matches: "exit 0" } },
      'Demo, turn 1: expected the last tool results to match /exit 0/, but it is "first\\nexit 1"',
    ],
    [{ system: "long" }, 'Demo, turn 1: expected the system prompt to contain "long", but it is "be brief"'],
    [{ tools: ["read", "bash"] }, 'Demo, turn 1: expected the tool "bash", but the tools are read'],
  ])("%j that is not met fails and says why", async (expected, message) => {
    expect(await failing(expected)).toBe(message);
  });

  test("that is not met can be answered with other words", async () => {
    expect(
      await saying({ turns: [{ text: "ok", expect: { user: "no" }, otherwise: "sorry: {{user}}" }] }, [user("x")]),
    ).toBe("sorry: x");
  });
});

test("a script decides what its model can do", () => {
  expect(
    fauxModel("demo", { name: "Small", model: { contextWindow: 1000, input: ["text"] }, turns: [] }),
  ).toMatchObject({
    vendor: "faux",
    id: "demo",
    name: "Small",
    contextWindow: 1000,
    input: ["text"],
    known: true,
  });
});
