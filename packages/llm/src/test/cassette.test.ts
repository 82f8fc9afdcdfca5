import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StreamEvent } from "../message/stream.ts";
import { type Cassette, cassettes, decode } from "./cassette.ts";
import { ask, folded, joined, model, user } from "./fixture.ts";
import { benches } from "./lab.ts";
import { hear, oracleFor } from "./oracle.ts";

const request = ask([user("x")], {
  tools: [{ name: "patch", description: "", parameters: {}, freeform: { argument: "diff" } }],
});

/** Sums up a stream. */
function said(events: readonly StreamEvent[]) {
  const last = events.at(-1);
  const usage = events.findLast((event) => event.type === "usage")?.usage;
  const calls = folded(events, model).content.flatMap((part) =>
    part.type === "toolCall" ? [[part.name, part.arguments]] : [],
  );
  const end = last?.type === "stop" ? last.reason : last?.type === "fail" ? last.failure.kind : "nothing";
  return {
    text: joined(events, "text"),
    thinking: joined(events, "thinking"),
    calls,
    tokens: usage && [usage.input, usage.cacheRead, usage.output],
    end,
  };
}

const both = [
  ["read", { path: "ä" }],
  ["ls", {}],
];
const none = { thinking: "", calls: [] };
const expected: Readonly<Record<string, Partial<ReturnType<typeof said>>>> = {
  "anthropic-messages thinking-and-calls": {
    text: "Ich schaue nach.",
    thinking: "Die Größe 😀 of it…",
    calls: [
      ["read", { path: "ä.txt" }],
      ["ls", {}],
    ],
    tokens: [25, 2048, 89],
    end: "toolUse",
  },
  "anthropic-messages redacted-and-interleaved": {
    text: "First. Second.",
    thinking: "again",
    calls: [],
    tokens: [7, 2048, 57],
    end: "stop",
  },
  "anthropic-messages length": { ...none, text: "and then", tokens: [3, 2048, 8], end: "length" },
  "anthropic-messages overloaded": { ...none, text: "half", tokens: [3, 2048, 3], end: "overload" },
  "openai-completions calls": {
    text: "Grüße 世界",
    thinking: "",
    calls: [both[0], ["ls", { all: true }]] as never,
    tokens: [183, 1024, 83],
    end: "toolUse",
  },
  "openai-completions reasoning": { text: "42", thinking: "hmm, é", calls: [], tokens: [183, 1024, 83], end: "stop" },
  "openai-completions length-no-done": { ...none, text: "so far", tokens: [183, 1024, 83], end: "length" },
  "openai-responses reasoning-and-call": {
    text: "I look.",
    thinking: "**Lösen**\n\nFirst\n\nthen 😀",
    calls: both,
    tokens: [476, 1024, 120],
    end: "toolUse",
  },
  "openai-responses freeform": {
    text: "",
    thinking: "",
    calls: [["patch", { diff: '*** Begin\n"ä"\\ 😀' }]],
    tokens: [476, 1024, 120],
    end: "toolUse",
  },
  "openai-responses length": { ...none, text: "so far", tokens: [476, 1024, 120], end: "length" },
  "openai-responses failed": { ...none, text: "", end: "rate" },
  "google-generative-ai thought-and-calls": {
    text: "I look now.",
    thinking: "**Prüfen**\n\nok 😀",
    calls: both,
    tokens: [52, 2048, 105],
    end: "toolUse",
  },
  "google-generative-ai signed-text": { ...none, text: "Hallo", tokens: [52, 2048, 105], end: "stop" },
  "google-generative-ai length": { ...none, text: "so far", tokens: [52, 2048, 105], end: "length" },
  "google-generative-ai unavailable": { ...none, text: "half", end: "overload" },
  "bedrock-converse-stream reasoning-and-calls": {
    text: "Ich schaue.",
    thinking: "Mal sehen 😀",
    calls: both,
    tokens: [21, 2048, 64],
    end: "toolUse",
  },
  "bedrock-converse-stream length": { ...none, text: "so far", tokens: [21, 2048, 64], end: "length" },
  "bedrock-converse-stream throttled": { ...none, text: "half", end: "rate" },
  "ollama-chat thinking-and-calls": {
    text: "I look.",
    thinking: "Hm, größer 😀",
    calls: both,
    tokens: [812, 0, 33],
    end: "toolUse",
  },
  "ollama-chat length": { ...none, text: "so far", tokens: [5, 0, 2], end: "length" },
  "ollama-chat error": { ...none, text: "half", end: "server" },
};

/** Kept for the next turn: signatures, and where they stand. */
const kept: Readonly<Record<string, unknown>> = {
  "anthropic-messages thinking-and-calls": [
    { thinkingSignature: "EqoBCkgIARABGAIiQL==" },
    {},
    { id: "toolu_01A" },
    { id: "toolu_01B" },
  ],
  "anthropic-messages redacted-and-interleaved": [
    { thinkingSignature: "EmwKAhgBEgy3va3pzix", redacted: true },
    {},
    { thinkingSignature: "c2ln" },
    {},
  ],
  "openai-responses reasoning-and-call": [
    { thinkingSignature: expect.stringContaining('"encrypted_content":"gAAAAA=="') },
    { textSignature: '{"v":1,"id":"msg_1","phase":"commentary"}' },
    { id: "call_A|fc_1" },
    { id: "call_B|fc_2" },
  ],
  "openai-responses freeform": [{ id: "call_P|ctc_1" }],
  "google-generative-ai thought-and-calls": [{}, {}, { thoughtSignature: "EqcFCqQFAQ==" }, { id: "made-2" }],
  "google-generative-ai signed-text": [{ textSignature: "EqcFCqQFAQ==" }],
  "bedrock-converse-stream reasoning-and-calls": [{ thinkingSignature: "EqoBCkgI" }, {}, { id: "tooluse_A" }, {}],
  "ollama-chat thinking-and-calls": [{}, {}, { id: "made-1" }, { id: "call_7" }],
};

test("every recording is known here, and none is missing", () => {
  expect(cassettes.map(({ api, name }) => `${api} ${name}`).sort()).toEqual(Object.keys(expected).sort());
});

for (const cassette of cassettes) {
  const { api, name, bytes } = cassette;
  const title = `${api} ${name}`;
  describe(title, () => {
    test("reads as what it says", async () => {
      const events = await decode(api, [bytes], request);
      expect(said(events)).toEqual(expected[title] as never);
      if (kept[title]) expect(folded(events, model).content).toMatchObject(kept[title] as never);
    });

    test("gives the same events however it is split, also inside a character, and with any keep-alives", async () => {
      const whole = await decode(api, [bytes], request);
      const variants = [bytes, ...alive(cassette)];
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...variants),
          fc.array(fc.nat({ max: 7000 }), { maxLength: 30 }),
          async (all, cuts) => {
            expect(await decode(api, split(all, cuts), request)).toEqual(whole);
          },
        ),
        { numRuns: 60 },
      );
      for (const all of variants) expect(await decode(api, split(all, [...all.keys()]), request)).toEqual(whole);
    });

    test("without its end is a cut, and no part of it is an end", async () => {
      for (let at = 0; at < bytes.length; at += 7) {
        const events = await decode(api, [bytes.subarray(0, at)], request);
        const last = events.at(-1);
        expect(events.filter(({ type }) => type === "stop" || type === "fail")).toHaveLength(1);
        if (last?.type === "stop")
          expect(said(events)).toMatchObject({ text: expected[title]?.text, calls: expected[title]?.calls });
      }
    });

    if (!(api in oracles)) return;
    test("means the same to another project's code", async () => {
      const body = () =>
        Promise.resolve(
          new Response(bytes.slice().buffer as ArrayBuffer, {
            headers: { "content-type": benches[api]?.fake.contentType ?? "" },
          }),
        );
      const oracle = await oracleFor(api, "http://127.0.0.1:9", benches[api]?.model.id ?? "", body);
      if (!oracle) throw new Error("no oracle");
      const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "x" }] }];
      const ours = said(await decode(api, [bytes], request));
      // A failure is thrown by some and told by others.
      if (!["stop", "toolUse", "length"].includes(ours.end)) {
        const failed = await hear(oracle, prompt).then(
          (heard) => heard.failed || heard.finish === "error",
          () => true,
        );
        expect(failed).toBe(true);
        return;
      }
      const theirs = await hear(oracle, prompt, freeform(title));
      const { text, calls, tokens } = ours;
      // The SDKs put nothing between the parts of a summary.
      expect(theirs.thinking).toBe(ours.thinking.replace("First\n\nthen", "Firstthen"));
      expect({ text: theirs.text, calls: theirs.calls.map((call) => [call.name, call.args]) }).toEqual({
        text,
        calls: calls.map(([tool, args]) => [tool, plain(args)]) as never,
      });
      expect([theirs.usage.cacheRead, theirs.usage.output]).toEqual(tokens?.slice(1) ?? []);
      expect({ stop: "stop", toolUse: "tool-calls", length: "length" }[ours.end as "stop"]).toBe(theirs.finish);
    });
  });
}

const oracles: Readonly<Record<string, true>> = {
  "anthropic-messages": true,
  "openai-completions": true,
  "openai-responses": true,
  "google-generative-ai": true,
  "bedrock-converse-stream": true,
};

/** The official SDKs return a freeform call as its bare text. */
const plain = (args: unknown) => (typeof args === "object" && args !== null && "diff" in args ? args.diff : args);
const freeform = (title: string) =>
  title.endsWith("freeform")
    ? { tools: [{ type: "provider" as const, id: "openai.custom" as const, name: "patch", args: { name: "patch" } }] }
    : {};

function split(all: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length];
  return at.slice(1).map((end, i) => all.subarray(at[i], end));
}

/** The same body with signs of life between its parts. */
function alive({ api, bytes }: Cassette): Uint8Array[] {
  const text = new TextDecoder().decode(bytes);
  const between = (pattern: RegExp, ping: string) => [
    new TextEncoder().encode(text.replace(pattern, (end) => end + ping + ping)),
  ];
  if (api === "bedrock-converse-stream") return [];
  if (api === "ollama-chat") return between(/\n/g, "\n");
  const ping = api === "anthropic-messages" ? 'event: ping\ndata: {"type":"ping"}\n\n' : ": keep-alive\n\n";
  return between(/\r?\n\r?\n/g, ping);
}
