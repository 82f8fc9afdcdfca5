import { expect, test } from "bun:test";
import { Tap } from "./tap.ts";

const exchange = (head: string) => ({ time: 0, head, secrets: [] });
const text = (tap: Tap) => tap.captures().map(({ exchange, bytes }) => [exchange.head, Buffer.from(bytes).toString()]);
const bytes = (text: string) => new TextEncoder().encode(text);

test("answers that come side by side are told apart, and a listener that throws breaks nothing", () => {
  const tap = new Tap();
  let told = 0;
  tap.listen(() => {
    throw new Error("broken");
  });
  using _ = tap.listen(() => told++);
  const [one, two] = [tap.begin(exchange("one")), tap.begin(exchange("two"))];
  one(bytes("a1"));
  two(bytes("b1"));
  one(bytes("a2"));
  expect(text(tap)).toEqual([
    ["one", "a1a2"],
    ["two", "b1"],
  ]);
  expect(told).toBe(5);
});

test("the newest bytes stay, whatever sizes they came in, and buffers may be used again", () => {
  for (const size of [1, 7, 1000, 511_999, 512_000, 512_001, 2_000_000]) {
    const tap = new Tap();
    const hear = tap.begin(exchange("x"));
    let all = "";
    const buffer = new Uint8Array(size);
    const rounds = Math.max(2, Math.min(2000, Math.ceil(1_100_000 / size)));
    for (let i = 0; i < rounds; i++) {
      buffer.fill(97 + (i % 26));
      hear(buffer);
      all += Buffer.from(buffer).toString();
    }
    const [heard] = tap.captures();
    expect(Buffer.from(heard?.bytes ?? []).toString() === all.slice(-512_000)).toBe(true);
    expect(heard?.whole).toBe(all.length <= 512_000);
  }
});

test("an answer that was pushed out is not spoken of, one without words is", () => {
  const tap = new Tap();
  tap.begin(exchange("old"))(bytes("gone"));
  const one = tap.begin(exchange("new"));
  one(new Uint8Array(600_000).fill(97));
  tap.begin(exchange("refused"));
  expect(tap.captures().map(({ exchange, whole }) => [exchange.head, whole])).toEqual([
    ["new", false],
    ["refused", true],
  ]);
});
