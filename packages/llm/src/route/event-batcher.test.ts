import { expect, test } from "bun:test";
import type { StreamEvent } from "../message/stream.ts";
import { EventBatcher } from "./event-batcher.ts";

const word = (delta: string, index = 0): StreamEvent => ({ type: "text", index, delta });
const stop: StreamEvent = { type: "stop", reason: "stop" };
const never = new Promise<string>(() => {});

test("the first words are told at once, those that follow fast come together, and none is lost", async () => {
  const gather = new EventBatcher();
  gather.add([word("one ")]);
  expect(gather.take(false)).toEqual([word("one ")]);
  for (const delta of ["two ", "three "]) {
    gather.add([word(delta)]);
    expect(gather.take(false)).toBeUndefined();
  }
  // Nothing more comes: they are not kept back for it.
  expect(await gather.more(never)).toBe("due");
  expect(gather.take(true)).toEqual([word("two three ")]);
  expect(gather.take(true)).toBeUndefined();
  gather.end();
});

test("an event other than text is sent at once, together with text held until then", () => {
  const gather = new EventBatcher();
  gather.add([word("one ")]);
  gather.take(false);
  gather.add([word("two", 0), word("other", 1)]);
  expect(gather.take(false)).toBeUndefined();
  gather.add([stop]);
  expect(gather.take(false)).toEqual([word("two", 0), word("other", 1), stop]);
});

test("bytes that come while words are held are taken as they come", async () => {
  const gather = new EventBatcher();
  gather.add([word("one ")]);
  gather.take(false);
  gather.add([word("two ")]);
  gather.take(false);
  expect(await gather.more(Promise.resolve("bytes"))).toBe("bytes");
  gather.end();
});

test("a long answer that comes word by word is read once per batch, a short or a fast one without a pause", () => {
  const batcher = new EventBatcher();
  batcher.add([word("one ")]);
  batcher.take(false);
  const pauses = Array.from({ length: 100 }, () => batcher.pause(200));
  expect(pauses.slice(0, 60).every((ms) => ms === 0)).toBe(true);
  expect(pauses.slice(-30).every((ms) => ms > 0 && ms <= 66)).toBe(true);
  // A server that sends much at once is read as fast as it sends.
  expect([8000, 200].map((bytes) => batcher.pause(bytes))).toEqual([0, 0]);
});
