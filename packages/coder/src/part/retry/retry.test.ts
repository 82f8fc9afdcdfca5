import { describe, expect, test } from "bun:test";
import type { Notice } from "@pith/agent";
import type { Failure, FailureKind, Model } from "@pith/llm";
import { reply, turn } from "../../test/scripted.ts";
import { retry } from "./retry.ts";

const failure = (kind: FailureKind, retryAfterMs?: number): Failure => ({
  kind,
  message: kind,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

interface Options {
  max?: number;
  maxDelayMs?: number;
  near?: (model: Model) => boolean;
  random?: number;
}

describe("a failed request", () => {
  const told: Notice[] = [];
  const desk = ({ max = 5, maxDelayMs = 300_000, near = () => false, random = 0.5 }: Options = {}) => {
    const set: Record<string, number> = { "retry.max": max, "retry.baseDelayMs": 1000, "retry.maxDelayMs": maxDelayMs };
    const hall = {
      settings: { get: (key: string) => set[key] },
      choice: { retry: "on" },
      models: { near },
      channel: { notify: (notice: Notice) => told.push(notice) },
    };
    const hook = retry(hall as never, () => random);
    if (!hook) throw new Error("There is no hook.");
    return hook;
  };

  test("is tried again after ever longer waits, and not for ever", async () => {
    const waits = [];
    for (let attempt = 1; attempt <= 6; attempt++)
      waits.push(await desk().fail?.(failure("overload"), turn({ attempt })));
    expect(waits).toEqual([
      ...[1000, 2000, 4000, 8000, 16_000].map((delayMs) => ({ do: "retry", delayMs, most: 5 })),
      { do: "give up" },
    ] as never);
  });

  test("does not come back together with others that failed at the same moment", async () => {
    const waits = await Promise.all([0, 1].map((chance) => desk({ random: chance }).fail?.(failure("server"), turn())));
    expect(waits).toEqual([
      { do: "retry", delayMs: 750, most: 5 },
      { do: "retry", delayMs: 1250, most: 5 },
    ]);
  });

  test("waits as long as the server asks, but not for longer than is allowed, and says so", async () => {
    expect(await desk().fail?.(failure("rate", 42_000), turn())).toEqual({ do: "retry", delayMs: 42_000, most: 5 });
    expect(await desk({ maxDelayMs: 500 }).fail?.(failure("server"), turn({ attempt: 4 }))).toEqual({
      do: "retry",
      delayMs: 500,
      most: 5,
    });
    expect(await desk().fail?.(failure("rate", 0), turn({ attempt: 2 }))).toEqual({
      do: "retry",
      delayMs: 2000,
      most: 5,
    });
    expect(await desk().fail?.(failure("rate", 7_200_000), turn())).toEqual({ do: "give up" });
    expect(told.at(-1)?.text).toBe("The server asks to wait 2 h; retry.maxDelayMs allows 5 min.");
  });

  test("is not tried again where waiting does not help, or where it is switched off", async () => {
    for (const kind of ["auth", "missing", "overflow", "rejected", "flood", "refused", "aborted"] as const)
      expect(await desk().fail?.(failure(kind), turn())).toEqual({ do: "give up" });
    expect(await desk({ max: 0 }).fail?.(failure("server"), turn())).toEqual({ do: "give up" });
    expect(await desk({ near: (asked) => asked.id === "a" }).fail?.(failure("network"), turn({ attempt: 2 }))).toEqual({
      do: "give up",
    });
    expect(
      await desk({ near: (asked) => asked.id === "b" }).fail?.(failure("network"), turn({ attempt: 2 })),
    ).toMatchObject({ do: "retry" });
  });

  test("is tried again where a server nearby has answered before: that one is starting again", async () => {
    const near = desk({ near: () => true });
    expect(await near.fail?.(failure("network"), turn({ attempt: 2, reply: reply() }))).toMatchObject({ do: "retry" });
    const cut = desk({ near: () => true });
    expect(await cut.fail?.(failure("cut"), turn())).toMatchObject({ do: "retry" });
    expect(await cut.fail?.(failure("network"), turn({ attempt: 3 }))).toMatchObject({ do: "retry", most: 5 });
  });
});
