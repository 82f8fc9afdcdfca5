import { expect, test } from "bun:test";
import { frame } from "../../test/fake/bedrock.ts";
import { awsEventStream } from "./event-stream.ts";
import { ndjson } from "./ndjson.ts";

const broken = expect.stringContaining("frameError");

test("an event goes out as it is, an exception under its name, an empty payload as an empty object", () => {
  const cutter = awsEventStream();
  expect(cutter.push(frame("messageStart", { role: "assistant" }))).toEqual(['{"role":"assistant"}']);
  expect(cutter.push(frame("throttlingException", { message: "m" }, "exception"))).toEqual([
    '{"throttlingException":{"message":"m"}}',
  ]);
  expect(cutter.push(frame("ping", ""))).toEqual(["{}"]);
  expect(cutter.end()).toBeUndefined();
});

test("a frame with any bit turned is not believed, and nothing after it", () => {
  const good = frame("contentBlockDelta", { delta: { text: "hi" } });
  for (let at = 0; at < good.length; at++) {
    const bad = good.slice();
    bad[at] = (bad[at] ?? 0) ^ 1;
    const cutter = awsEventStream();
    const seen = cutter.push(bad);
    // A length that became longer waits for bytes that may still come.
    if (seen.length > 0) expect(seen).toEqual([broken]);
    expect(cutter.push(good).filter((payload) => !payload.includes("frameError"))).toEqual([]);
  }
});

test("headers of every type are passed over", () => {
  const values: [number, number[]][] = [
    [0, []],
    [1, []],
    [2, [1]],
    [3, [0, 1]],
    [4, [0, 0, 0, 1]],
    [5, Array(8).fill(0)],
    [6, [0, 2, 1, 1]],
    [8, Array(8).fill(0)],
    [9, Array(16).fill(0)],
  ];
  const extra = Buffer.concat(values.map(([type, bytes]) => Buffer.from([1, 120, type, ...bytes])));
  const plain = frame("x", "{}", "exception");
  const size = new DataView(plain.buffer).getUint32(4);
  const whole = Buffer.alloc(plain.length + extra.length);
  whole.writeUInt32BE(whole.length, 0);
  whole.writeUInt32BE(size + extra.length, 4);
  whole.writeUInt32BE(Bun.hash.crc32(whole.subarray(0, 8)), 8);
  extra.copy(whole, 12);
  Buffer.from(plain.subarray(12, plain.length - 4)).copy(whole, 12 + extra.length);
  whole.writeUInt32BE(Bun.hash.crc32(whole.subarray(0, whole.length - 4)), whole.length - 4);
  expect(awsEventStream().push(new Uint8Array(whole))).toEqual(['{"x":{}}']);
});

test("lines of JSON come one by one, blank ones not at all, and the last needs no end", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const cutter = ndjson();
  expect(cutter.push(bytes('{"a":1}\r\n\n{"b"'))).toEqual(['{"a":1}\r']);
  expect(cutter.push(bytes(":2"))).toEqual([]);
  expect(cutter.push(bytes('}\n{"c":3}'))).toEqual(['{"b":2}']);
  expect(cutter.end()).toBe('{"c":3}');
});

test("a frame of many megabytes costs what it is long, and one that cannot be is told at its beginning", () => {
  const large = frame("contentBlockDelta", JSON.stringify({ text: "x".repeat(8_000_000) }), "event");
  const cutter = awsEventStream();
  const payloads: string[] = [];
  for (let at = 0; at < large.length; at += 1000) payloads.push(...cutter.push(large.subarray(at, at + 1000)));
  expect(payloads.map((payload) => payload.length)).toEqual([8_000_011]);
  const bytes = new TextEncoder().encode("this is not a frame");
  const broken = awsEventStream();
  expect([...bytes].flatMap((byte) => broken.push(Uint8Array.of(byte)))).toEqual([
    expect.stringContaining("frameError"),
  ]);
});
