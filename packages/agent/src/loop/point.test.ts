import { expect, test } from "bun:test";
import { until } from "@pith/kit/test";
import type { StreamEvent } from "@pith/llm";
import type { CompactView } from "../compact/cause.ts";
import { calls, plain, says, scripted } from "../test/scripted.ts";
import type { Outcome } from "../tool/outcome.ts";
import { type Hook, type Hooks, hookPoints, perTurn } from "./hook.ts";
import { Points } from "./point.ts";

const prose = (text: string): Outcome => ({ kind: "prose", data: {}, text });
const echo = plain({ name: "echo", run: async () => prose("ran") });
const failing: StreamEvent[] = [{ type: "fail", failure: { kind: "server", message: "down" } }];
const boom = () => {
  throw new Error("boom");
};

/** A conversation in which one hook throws at one point, once. */
async function broken(point: keyof Hooks) {
  let armed = true;
  const hook: Hook = {
    name: "broken",
    [point]: (...args: unknown[]) => {
      if (armed) {
        armed = false;
        return boom();
      }
      return calm[point](...(args as [never, never]));
    },
  };
  const first = point === "fail" ? failing : calls({ name: "echo", input: {} });
  const talk = scripted([first, says("one"), says("two"), says("three")], { list: [echo], hooks: [hook] });
  await talk.conversation.send({ text: "first" });
  const ended = talk.events.findLast((event) => event.type === "turn");
  const { running } = talk.channel;
  await talk.conversation.send({ text: "again" });
  return { talk, ended, running };
}

const calm: Record<keyof Hooks, (input: never, outcome: never) => unknown> = {
  input: (input) => input,
  step: () => ({ do: "go" }),
  context: (request) => request,
  delta: () => undefined,
  call: () => ({ do: "allow" }),
  start: () => undefined,
  result: (_, outcome) => outcome,
  settle: () => ({ do: "done" }),
  fail: () => ({ do: "give up" }),
  compact: () => ({ do: "go" }),
  navigate: () => ({ do: "go" }),
  idle: () => undefined,
};

test("a hook that answers nothing changes nothing", async () => {
  const silent = () => undefined;
  const points = hookPoints.filter((point) => point !== "call").map((point) => [point, silent]);
  const hook: Hook = { name: "silent", ...Object.fromEntries(points) };
  const heard = async (hooks: Hook[]) => {
    const talk = scripted([calls({ name: "echo", input: {} }), says("one"), failing], { list: [echo], hooks });
    await talk.conversation.send({ text: "first" });
    await talk.conversation.send({ text: "again" });
    return talk.events.map((event) => (event.type === "turn" ? event.state.name : event.type));
  };
  expect(await heard([hook])).toEqual(await heard([]));
});

for (const point of ["input", "step", "context", "delta", "result", "settle", "fail"] as const)
  test(`a hook that throws at ${point} ends the turn with its message, and the next prompt is answered`, async () => {
    const { talk, ended, running } = await broken(point);
    expect(ended).toEqual({
      type: "turn",
      state: { name: "idle", end: { reason: "failed", failure: { kind: "internal", message: "boom" } } },
    });
    expect(running).toBe(false);
    expect(talk.events.at(-1)).toMatchObject({ state: { name: "idle", end: { reason: "done" } } });
  });

test("a guard that throws has denied, a start hook that throws has refused, and the turn goes on", async () => {
  for (const point of ["call", "start"] as const) {
    const { talk, ended } = await broken(point);
    expect(talk.results()[0]).toContain("boom");
    expect(ended).toMatchObject({ state: { end: { reason: "done" } } });
  }
});

test("a hook that throws after the turn is told, and keeps nobody from the next prompt", async () => {
  const { talk, ended } = await broken("idle");
  expect(ended).toMatchObject({ state: { end: { reason: "done" } } });
  expect(talk.events.find((event) => event.type === "notice")).toMatchObject({
    notice: { level: "error", text: "broken failed after the turn: boom" },
  });
  expect(talk.requests.length).toBe(3);
});

test("the result of a call is recorded although a hook failed on it", async () => {
  const { talk } = await broken("result");
  expect(talk.results()[0]).toBe("ran");
});

test("an answer that a failing watcher cut short is paid for", async () => {
  const priced: StreamEvent[] = [
    { type: "usage", usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15 } },
    { type: "text", index: 0, delta: "half" },
  ];
  const talk = scripted([priced, says("two")], { hooks: [{ name: "watch", delta: boom }] });
  await talk.conversation.send({ text: "go" });
  expect(talk.entries().at(-1)).toMatchObject({ customType: "pith.spent", data: { usage: { totalTokens: 15 } } });
  expect(talk.channel.scene.spent.tokens).toBe(15);
});

test("a step hook may take its time, and the turn waits for it", async () => {
  let asked = false;
  const hook: Hook = {
    name: "slow",
    step: async () => {
      await Bun.sleep(5);
      asked = true;
      return { do: "go" };
    },
    context: (request) => {
      expect(asked).toBe(true);
      return request;
    },
  };
  const talk = scripted([says("done")], { hooks: [hook] });
  await talk.conversation.send({ text: "go" });
  expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "done" } } });
});

test("the end of a turn is a point, whatever ended it, and a turn begun there follows it", async () => {
  const ends: string[] = [];
  const hook: Hook = {
    name: "ends",
    idle: (end) => {
      ends.push(end.reason);
      if (ends.length === 1) void talk.conversation.send({ text: "and then" });
    },
  };
  const talk = scripted([failing, says("fine")], { hooks: [hook] });
  await talk.conversation.send({ text: "go" });
  await talk.conversation.interrupt("nothing runs any more");
  await until(() => !talk.channel.running, "the end of the second turn");
  expect(ends).toEqual(["failed", "done"]);
});

test("per-turn state is new in the next turn, also if that turn was queued", async () => {
  const memory = perTurn(() => ({ count: 0 }));
  const counts: number[] = [];
  const hook: Hook = {
    name: "counts",
    step: (turn) => {
      counts.push(++memory(turn).count);
      return { do: "go" };
    },
  };
  const slow = plain({
    name: "slow",
    run: async () => {
      void talk.conversation.send({ text: "later" }, "after");
      return prose("");
    },
  });
  const talk = scripted([calls({ name: "slow", input: {} }), says("one"), says("two"), says("three")], {
    list: [slow],
    hooks: [hook],
  });
  await talk.conversation.send({ text: "go" });
  await talk.conversation.send({ text: "again" });
  expect(counts).toEqual([1, 2, 1, 1]);
});

const seen: CompactView = {
  cause: "manual",
  path: [],
  cut: { at: 0, turn: 0 },
  tokensBefore: 1,
  signal: new AbortController().signal,
};

test("additions of hooks to a summary are joined, and a hook that throws is reported and skipped", async () => {
  const points = new Points([
    { name: "a", compact: () => ({ do: "go", context: ["one"], preserveData: { a: 1 } }) },
    {
      name: "broken",
      compact: () => {
        throw new Error("no");
      },
    },
    { name: "b", compact: async () => ({ do: "go", prompt: "short", context: ["two"], preserveData: { b: 2 } }) },
  ]);
  const thrown: string[] = [];
  const answer = await points.compact(seen, (name) => thrown.push(name));
  expect(answer).toEqual({ do: "go", prompt: "short", context: ["one", "two"], preserveData: { a: 1, b: 2 } });
  expect(thrown).toEqual(["broken"]);
  points.add([{ name: "c", compact: () => ({ do: "cancel" }) }]);
  expect(await points.compact(seen, () => {})).toEqual({ do: "cancel" });
});
