import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StreamEvent } from "../../message/stream.ts";
import { ChatDecoder } from "../../protocol/openai-chat/decode.ts";
import { sse } from "./sse.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
function payloads(...parts: (string | Uint8Array)[]): string[] {
  const cutter = sse();
  const all = parts.flatMap((part) => cutter.push(typeof part === "string" ? bytes(part) : part));
  const rest = cutter.end();
  return rest === undefined ? all : [...all, `rest:${rest}`];
}

describe("an event stream", () => {
  test.each([
    ["with a space after the colon", "data: a\n\n", ["a"]],
    ["without one", "data:a\n\n", ["a"]],
    ["keeping further spaces", "data:  a \n\n", [" a "]],
    ["with carriage returns", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["with lone carriage returns", "data: a\r\rdata: b\r\r", ["a", "rest:b"]],
    ["with several lines of data", "data: {\ndata: }\n\n", ["{\n}"]],
    ["with comments and keep-alives", ": ping\n\ndata: a\n: ping\n\n:\n\n", ["a"]],
    ["with names, ids and retry times", "event: x\nid: 1\nretry: 5\ndata: a\n\n", ["a"]],
    ["with a byte order mark", "\ufeffdata: a\n\n", ["a"]],
    ["with empty data", "data:\n\ndata: a\n\n", ["a"]],
    ["with nothing behind a space", "data: \n\n\ndata: a\n\n", ["a"]],
    ["with nothing between two events", "data: a\n\ndata: \n\ndata: b\n\n", ["a", "b"]],
    ["with a keep-alive between two events", "data: a\n\n: ping\n\ndata: b\n\n", ["a", "b"]],
    ["with a name before some of the data", "data: a\n\nevent: x\ndata: b\n\ndata: c\n\n", ["a", "b", "c"]],
    ["with lines that begin like an event", "data: a\n\ndata: b\ndata: c\n\ndata: d\n", ["a", "b\nc", "rest:d"]],
    ["with names alone", "event: x\ndata: a\n\nevent: y\ndata: b\ndata: c\n\nevent: z\n\n", ["a", "b\nc"]],
    ["with a space before some of its lines", "data:a\ndata: b\n\ndata:\ndata: c\n\n", ["a\nb", "\nc"]],
    ["with data in another field's name", "xdata: a\n\n", []],
    ["that stops after a line", "data: a\n", ["rest:a"]],
    ["that stops inside a line", "data: a\n\ndata: b", ["a", "rest:b"]],
  ])("%s", (_, text, expected) => {
    expect(payloads(text)).toEqual(expected);
  });

  test("cut inside a character and inside a line end", () => {
    const text = bytes("data: ä€😀\r\n\r\ndata: b\r\n\r\n");
    for (let at = 0; at <= text.length; at++)
      expect(payloads(text.subarray(0, at), text.subarray(at))).toEqual(["ä€😀", "b"]);
  });

  test("with one very long line in many chunks is put together once", () => {
    const cutter = sse();
    const piece = bytes("x".repeat(1000));
    cutter.push(bytes("data: "));
    for (let i = 0; i < 5000; i++) expect(cutter.push(piece)).toEqual([]);
    expect(cutter.push(bytes("\n\n"))[0]?.length).toBe(5_000_000);
  });
});

/** Answers as servers send them: line ends, keep-alives, thoughts, calls, usage, and a last line without an end. */
const composed = {
  "text and usage": [
    '{"id":"r1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
    '{"id":"r1","choices":[{"index":0,"delta":{"content":"Grüße, 世界 😀"},"finish_reason":null}]}',
    '{"id":"r1","choices":[{"index":0,"delta":{"content":"\\n\\"done\\""},"finish_reason":null}]}',
    '{"id":"r1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    '{"id":"r1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3}}}',
    "[DONE]",
  ],
  "thoughts and calls": [
    '{"id":"r2","choices":[{"delta":{"reasoning_content":"héllo"}}]}',
    '{"id":"r2","choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":""}}]}}]}',
    '{"id":"r2","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"path\\":\\"ä"}}]}}]}',
    '{"id":"r2","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"}"}},{"index":1,"id":"c2","function":{"name":"ls","arguments":"{}"}}]}}]}',
    '{"id":"r2","choices":[{"delta":{},"finish_reason":"tool_calls"}]}',
    "[DONE]",
  ],
  "an error": ['{"id":"r3","choices":[{"delta":{"content":"a"}}]}', '{"error":{"message":"überlastet","code":503}}'],
  "a cut": ['{"id":"r4","choices":[{"delta":{"content":"a"}}]}', '{"id":"r4","choices":[{"delta":{"conte'],
};

const frame = (lines: readonly string[], eol: string, ping: string) =>
  lines.map((line) => `${ping}data: ${line}`).join(eol + eol);

function decode(parts: readonly Uint8Array[]): StreamEvent[] {
  let ids = 0;
  const decoder = new ChatDecoder({}, () => `new${++ids}`);
  const cutter = sse();
  const events: StreamEvent[] = [];
  for (const part of parts) for (const payload of cutter.push(part)) decoder.push(payload, events);
  if (!decoder.ended) decoder.end(events, cutter.end());
  return events;
}

for (const [name, lines] of Object.entries(composed))
  test(`any split of the composed bytes, any line ends and any keep-alives give the same events: ${name}`, () => {
    const plain = decode([bytes(frame(lines, "\n", ""))]);
    expect(plain.length).toBeGreaterThan(1);
    fc.assert(
      fc.property(
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.constantFrom("", ": keep-alive"),
        fc.array(fc.nat({ max: 2000 }), { maxLength: 40 }),
        (eol, ping, cuts) => {
          const all = bytes(frame(lines, eol, ping && ping + eol + eol));
          const at = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length];
          const parts = at.slice(1).map((end, i) => all.subarray(at[i], end));
          expect(decode(parts)).toEqual(plain);
        },
      ),
      { numRuns: 150 },
    );
  });

test("byte by byte gives the same events as in one piece", () => {
  for (const lines of Object.values(composed)) {
    const all = bytes(frame(lines, "\n", ""));
    expect(decode([...all].map((byte) => Uint8Array.of(byte)))).toEqual(decode([all]));
  }
});
