import { describe, expect, test } from "bun:test";
import { sleep } from "@pith/kit";
import { until } from "@pith/kit/test";
import type { Stream, StreamEvent } from "./message/stream.ts";
import { ask, collect, failureIn, joined, user } from "./test/fixture.ts";
import { benches, serve, streamTo } from "./test/index.ts";
import { withTimeouts } from "./timeout.ts";

const word = (delta: string): StreamEvent => ({ type: "text", index: 0, delta });
const stop: StreamEvent = { type: "stop", reason: "stop" };
const never = new Promise<never>(() => {});

describe("a stream that falls silent ends with a timeout", () => {
  test("before its first event, even when it does not listen to its signal", async () => {
    const deaf: Stream = async function* () {
      yield await never;
    };
    expect(failureIn(await collect(withTimeouts(deaf, { firstEventMs: 40, idleMs: 9000 }), ask([])))).toEqual({
      kind: "timeout",
      message: "the model said nothing for 0 s",
    });
  });

  test("in the middle, and what it said is kept", async () => {
    let told: AbortSignal | undefined;
    const stalls: Stream = async function* (_, signal) {
      told = signal;
      yield [word("half")];
      await never;
    };
    const events = await collect(withTimeouts(stalls, { firstEventMs: 9000, idleMs: 120 }), ask([]));
    expect(joined(events, "text")).toBe("half");
    expect(failureIn(events)).toEqual({ kind: "timeout", message: "the model said nothing more for 0.1 s" });
    expect(told?.aborted).toBe(true);
  });
});

test("a slow stream that keeps talking is let alone, for longer than any one limit", async () => {
  const slow: Stream = async function* () {
    for (const delta of "abcdef") {
      await sleep(200);
      yield [word(delta)];
    }
    yield [stop];
  };
  expect(joined(await collect(withTimeouts(slow, { firstEventMs: 1000, idleMs: 1000 }), ask([])), "text")).toBe(
    "abcdef",
  );
});

test("a limit of zero waits for ever, and an abort ends it at once without a timeout", async () => {
  const silent: Stream = async function* (_, signal) {
    // Until it is stopped.
    await sleep(60_000, signal);
    yield [{ type: "fail", failure: { kind: "aborted", message: "stopped" } }];
  };
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 60);
  expect(
    failureIn(await collect(withTimeouts(silent, { firstEventMs: 0, idleMs: 0 }), ask([]), abort.signal)),
  ).toMatchObject({ kind: "aborted" });
});

// Over every protocol: keep-alives do not count, and a connection that stays open is no answer.
describe.each(Object.keys(benches))("%s", (api) => {
  const bench = benches[api];
  if (!bench) throw new Error(api);
  const request = ask([user("hello")], { model: bench.model, maxOutput: 4096 });

  test("a server that sends keep-alives and never an event is given up", async () => {
    using served = serve(bench.fake, { fault: "silent" });
    const stream = withTimeouts(await streamTo(bench, served.url), { firstEventMs: 150, idleMs: 60_000 });
    expect(failureIn(await collect(stream, request))).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("said nothing for"),
    });
  });

  test("a server that stalls in the middle is given up, and let go", async () => {
    using served = serve(bench.fake, { fault: "stall" });
    const stream = withTimeouts(await streamTo(bench, served.url), { firstEventMs: 60_000, idleMs: 150 });
    expect(failureIn(await collect(stream, request))).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("said nothing more for"),
    });
    await until(() => served.cancelled() > 0, "the end of the request");
    expect(served.cancelled()).toBe(1);
  });
});
