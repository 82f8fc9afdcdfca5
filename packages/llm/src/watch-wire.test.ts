// The watch over every protocol: keep-alives do not count, and a connection that stays open is no answer.
import { describe, expect, test } from "bun:test";
import { until } from "@pith/kit/test";
import { ask, collect, failureIn, user } from "./test/fixture.ts";
import { benches, serve, streamTo } from "./test/index.ts";
import { watched } from "./watch.ts";

describe.each(Object.keys(benches))("%s", (api) => {
  const bench = benches[api];
  if (!bench) throw new Error(api);
  const request = ask([user("hello")], { model: bench.model, maxOutput: 4096 });

  test("a server that sends keep-alives and never an event is given up", async () => {
    using served = serve(bench.fake, { fault: "silent" });
    const stream = watched(await streamTo(bench, served.url), { firstEventMs: 150, idleMs: 60_000 });
    expect(failureIn(await collect(stream, request))).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("said nothing for"),
    });
  });

  test("a server that stalls in the middle is given up, and let go", async () => {
    using served = serve(bench.fake, { fault: "stall" });
    const stream = watched(await streamTo(bench, served.url), { firstEventMs: 60_000, idleMs: 150 });
    expect(failureIn(await collect(stream, request))).toMatchObject({
      kind: "timeout",
      message: expect.stringContaining("said nothing more for"),
    });
    await until(() => served.cancelled() > 0, "the end of the request");
    expect(served.cancelled()).toBe(1);
  });
});
