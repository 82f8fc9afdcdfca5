import { expect, test } from "bun:test";
import type { ApiKey } from "./credential/credential.ts";
import type { Failure, Stream, StreamEvent } from "./message/stream.ts";
import { type KeyStream, rotateKeys } from "./rotate.ts";
import { ask, collect, failureIn, joined } from "./test/fixture.ts";

const says = (text: string): StreamEvent[] => [
  { type: "text", index: 0, delta: text },
  { type: "stop", reason: "stop" },
];
const fails = (failure: Failure): StreamEvent[] => [{ type: "fail", failure }];
const rate = (retryAfterMs?: number): Failure => ({
  kind: "rate",
  message: "slow down",
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

function desk(plays: Record<string, StreamEvent[][]>, blockedUntil: Record<string, number> = {}) {
  let now = 1000;
  const asked: string[] = [];
  const blocked: [string, number][] = [];
  const lanes = Object.entries(plays).map(([secret, groups], id): KeyStream => {
    const key: ApiKey = { secret, kind: "key", from: secret, id, blockedUntil: blockedUntil[secret] ?? 0 };
    const stream: Stream = async function* () {
      asked.push(secret);
      yield* [groups.length > 1 ? (groups.shift() as StreamEvent[]) : (groups[0] as StreamEvent[])];
    };
    return { key, stream };
  });
  const stream = rotateKeys(lanes, {
    clock: { now: () => now },
    onBlocked: (key, until) => blocked.push([key.secret, until]),
  });
  return { run: () => collect(stream, ask([])), asked, blocked, pass: (ms: number) => (now += ms) };
}

test("a key that reached its limit hands over to the next, which is used until the first has rested", async () => {
  const { run, asked, blocked, pass } = desk({ one: [fails(rate(5000)), says("from one")], two: [says("from two")] });
  expect(joined(await run(), "text")).toBe("from two");
  expect(joined(await run(), "text")).toBe("from two");
  pass(5001);
  expect(joined(await run(), "text")).toBe("from one");
  expect(asked).toEqual(["one", "two", "two", "one"]);
  expect(blocked).toEqual([["one", 6000]]);
});

test("when every key has to wait, the failure names the shortest wait", async () => {
  const { run, asked } = desk({ one: [fails(rate(9000))], two: [fails(rate(4000))] });
  expect(failureIn(await run())).toMatchObject({ kind: "rate", retryAfterMs: 4000 });
  expect(asked).toEqual(["one", "two"]);
});

test("a server that asks for no wait at all is not asked for ever", async () => {
  const { run, asked } = desk({ one: [fails(rate(0))], two: [fails(rate(0))] });
  expect(failureIn(await run())).toMatchObject({ kind: "rate", retryAfterMs: 0 });
  expect(asked).toEqual(["one", "two"]);
});

test("a wrong key is passed over for the next; if all are wrong, that is the failure", async () => {
  const wrong = fails({ kind: "auth", message: "no" });
  const some = desk({ one: [wrong], two: [says("in")] });
  expect(joined(await some.run(), "text")).toBe("in");
  expect(some.blocked).toEqual([]);
  expect(failureIn(await desk({ one: [wrong], two: [wrong] }).run())).toEqual({ kind: "auth", message: "no" });
});

test("a failure that is not the key's, or that comes after words, is not tried with another", async () => {
  const busy = desk({ one: [fails({ kind: "overload", message: "busy" })], two: [says("x")] });
  expect(failureIn(await busy.run())).toMatchObject({ kind: "overload" });
  const late = desk({ one: [[...says("half").slice(0, 1), ...fails(rate())]], two: [says("x")] });
  expect(failureIn(await late.run())).toMatchObject({ kind: "rate" });
  expect([...busy.asked, ...late.asked]).toEqual(["one", "one"]);
});

test("a key that another process has seen at its limit is not tried first", async () => {
  const { run, asked } = desk({ one: [says("1")], two: [says("2")] }, { one: 99_999 });
  await run();
  expect(asked).toEqual(["two"]);
});
