import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@pith/kit/test";
import type { AssistantMessage, Stream, StreamEvent } from "@pith/llm";
import type { EntryDraft } from "../session/entry.ts";
import { calls, type Plain, plain, says, scripted } from "../test/scripted.ts";
import type { Outcome } from "../tool/outcome.ts";
import * as z from "../tool/schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { Hook, Interrupt } from "./hook.ts";

const prose = (text: string): Outcome => ({ kind: "prose", data: {}, text });
const echo = (over: Partial<Plain<{ text: string }>> = {}): Tool =>
  plain({ name: "echo", input: z.object({ text: z.string() }), run: async ({ text }) => prose(text), ...over });
const waits = (name: string, wait: () => Promise<unknown>, over: Partial<Plain<object>> = {}): Tool =>
  plain({ name, effect: "exec", run: () => wait().then(() => prose(`${name} done`)), ...over });

test("a prompt is answered and both are in the record", async () => {
  const { conversation, entries, events } = scripted([says("hello")]);
  await conversation.send({ text: "hi" });
  expect(entries().map((entry) => entry.type === "message" && entry.message.role)).toEqual(["user", "assistant"]);
  expect(events.at(-1)).toEqual({ type: "turn", state: { name: "idle", end: { reason: "done" } } });
});

test("an entry is written before anybody is told of it", async () => {
  const missing: string[] = [];
  const talk = scripted([calls({ name: "echo", input: { text: "x" } }), says("done")], {
    list: [echo()],
    onEvent: (event) => {
      if (event.type === "entry" && !talk.storage.read()?.includes(event.entry.id)) missing.push(event.entry.id);
    },
  });
  await talk.conversation.send({ text: "hi" });
  expect(talk.entries().length).toBe(4);
  expect(missing).toEqual([]);
});

test("calls that only look run side by side and their results keep the order of the calls", async () => {
  const later = Promise.withResolvers<void>();
  const { conversation, results } = scripted(
    [calls({ name: "a", input: {} }, { name: "b", input: {} }), says("done")],
    {
      list: [
        waits("a", () => later.promise, { effect: "read" }),
        waits("b", async () => later.resolve(), { effect: "read" }),
      ],
    },
  );
  await conversation.send({ text: "go" });
  expect(results()).toEqual(["a done", "b done"]);
});

test("a call that may change something is never beside another, whatever stands before and behind it", async () => {
  let running = 0;
  let most = 0;
  const busy = async () => {
    most = Math.max(most, ++running);
    await Bun.sleep(5);
    running--;
  };
  const list = [
    waits("look", busy, { effect: "read" }),
    waits("change", busy),
    waits("put", busy, { effect: "write" }),
  ];
  const names = ["look", "change", "look", "put", "change"];
  const { conversation } = scripted([calls(...names.map((name) => ({ name, input: {} }))), says("done")], { list });
  await conversation.send({ text: "go" });
  expect(most).toBe(1);
});

test("a call is prepared when those before it are done, so it sees what they did", async () => {
  let text = "old";
  const seen: string[] = [];
  const write = waits("write", async () => (text = "new"), { effect: "write" });
  const look: Tool = {
    ...plain({ name: "look", run: async () => prose("") }),
    prepare: () => {
      seen.push(text);
      return { effect: "read", paths: [], run: async () => prose(text) };
    },
  };
  const names = ["look", "write", "look"];
  const talk = scripted([calls(...names.map((name) => ({ name, input: {} }))), says("done")], { list: [write, look] });
  await talk.conversation.send({ text: "go" });
  expect(seen).toEqual(["old", "new"]);
  expect(talk.results()).toEqual(["old", "write done", "new"]);
});

test("a background start that may run beside others is begun before the next call is prepared", async () => {
  const log: string[] = [];
  const note = (name: string, over: Partial<Plain<object>>): Tool => {
    const made = waits(name, async () => Bun.sleep(3).then(() => log.push(`${name} ran`)), over);
    const prepare: Tool["prepare"] = (input, how) => {
      log.push(name);
      return made.prepare(input, how);
    };
    return { ...made, prepare };
  };
  const list = [note("start", { effect: "exec", beside: true }), note("look", { effect: "read" })];
  const talk = scripted([calls({ name: "start", input: {} }, { name: "look", input: {} }), says("done")], { list });
  await talk.conversation.send({ text: "go" });
  expect(log).toEqual(["start", "start ran", "look", "look ran"]);
});

test("a call that is refused, fails or throws stops none after it", async () => {
  const thrower: Tool = {
    ...plain({ name: "thrower", run: async () => prose("") }),
    prepare: () => {
      throw new Error("cannot look");
    },
  };
  const refused: Tool = { ...thrower, name: "refused", prepare: () => prose("not so") };
  const names = ["thrower", "refused", "echo"];
  const talk = scripted(
    [calls(...names.map((name) => ({ name, input: name === "echo" ? { text: "x" } : {} }))), says("done")],
    {
      list: [thrower, refused, echo()],
    },
  );
  await talk.conversation.send({ text: "go" });
  expect(talk.results()).toEqual(["cannot look", "not so", "x"]);
});

test("a path that leads elsewhere after the verdict makes the call fail", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pith-turn-")));
  try {
    for (const name of ["inside", "outside"]) mkdirSync(join(folder, name));
    symlinkSync("inside", join(folder, "way"));
    let ran = 0;
    const put = plain({
      name: "put",
      effect: "write",
      paths: () => [join(folder, "way", "file")],
      run: async () => prose(String(ran++)),
    });
    const hooks: Hook[] = [
      {
        name: "swap",
        call: () => {
          rmSync(join(folder, "way"));
          symlinkSync("outside", join(folder, "way"));
          return { do: "allow" };
        },
      },
    ];
    const talk = scripted([calls({ name: "put", input: {} }), says("done")], { list: [put], hooks });
    await talk.conversation.send({ text: "go" });
    expect(ran).toBe(0);
    expect(talk.results()[0]).toContain(`does not lead to ${join(folder, "inside", "file")} any more`);
    expect(
      talk.entries().find((entry) => entry.type === "message" && entry.message.role === "toolResult"),
    ).toMatchObject({
      message: { details: { intent: { effect: "write", write: [join(folder, "inside", "file")] } } },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a message typed during a tool call reaches the next step", async () => {
  const talk = scripted([calls({ name: "slow", input: {} }), says("done")], {
    list: [waits("slow", async () => void talk.conversation.send({ text: "also do this" }, "steer"))],
  });
  await talk.conversation.send({ text: "go" });
  const last = talk.requests[1]?.messages.at(-1);
  expect(last?.role).toBe("user");
  expect(JSON.stringify(last)).toContain("also do this");
});

test("a follow-up waits until the turn would end, and is not lost in between", async () => {
  const talk = scripted([calls({ name: "slow", input: {} }), says("first"), says("second")], {
    list: [waits("slow", async () => void talk.conversation.send({ text: "then this" }, "after"))],
  });
  await talk.conversation.send({ text: "go" });
  expect(talk.requests.map((request) => JSON.stringify(request.messages).includes("then this"))).toEqual([
    false,
    false,
    true,
  ]);
  const queued = talk.entries().find((entry) => entry.type === "custom" && entry.customType === "pith.inbox");
  const delivered = talk.entries().find((entry) => entry.type === "message" && entry.inbox);
  expect(queued?.id).toBe(delivered?.type === "message" ? (delivered.inbox as string) : "");
});

test("an interrupt answers every call, those that ran and those that did not", async () => {
  const deaf = Promise.withResolvers<void>();
  const never = () => {
    deaf.resolve();
    return new Promise<void>(() => {});
  };
  const talk = scripted(
    [calls({ name: "quick", input: {} }, { name: "deaf", input: {} }, { name: "only", input: {} })],
    {
      list: [waits("quick", async () => {}), waits("deaf", never), waits("only", async () => {})],
    },
  );
  const sent = talk.conversation.send({ text: "go" });
  await deaf.promise;
  await talk.conversation.interrupt("enough");
  await sent;
  expect(talk.results()[0]).toBe("quick done");
  expect(talk.results()[1]).toContain("left behind");
  expect(talk.results()[2]).toContain("Not run");
  expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "interrupted", message: "enough" } } });
});

test("a stream that ignores the interrupt does not keep the user waiting", async () => {
  const silent = Promise.withResolvers<void>();
  const stream: Stream = async function* () {
    yield [{ type: "text", index: 0, delta: "so far" }];
    silent.resolve();
    await new Promise(() => {});
  };
  const talk = scripted([], { stream });
  const sent = talk.conversation.send({ text: "go" });
  await silent.promise;
  await talk.conversation.interrupt("stop");
  await sent;
  const last = talk.entries().at(-1);
  expect(last).toMatchObject({ message: { stopReason: "aborted", content: [{ type: "text", text: "so far" }] } });
});

test("a call that was cut in the middle of its stream is never run", async () => {
  let ran = 0;
  const cut: StreamEvent[] = [
    { type: "call", index: 0, id: "x", name: "echo" },
    { type: "args", index: 0, delta: '{"text":"complete by chance"}' },
  ];
  const talk = scripted([cut], { list: [echo({ run: async () => prose(String(ran++)) })] });
  await talk.conversation.send({ text: "go" });
  expect(ran).toBe(0);
  expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "failed", failure: { kind: "cut" } } } });
  expect(talk.entries().at(-1)).toMatchObject({ message: { stopReason: "error", content: [] } });
});

test("a server that fails in the middle of its answer has not refused the conversation", async () => {
  const kinds: string[] = [];
  const stream: Stream = async function* () {
    if (kinds.length > 0) yield [{ type: "text", index: 0, delta: "so far" }];
    yield [{ type: "fail", failure: { kind: "rejected", message: "boom" } }];
  };
  const hooks: Hook[] = [
    {
      name: "watch",
      fail: (failure) => {
        kinds.push(failure.kind);
        return kinds.length < 2 ? { do: "retry", delayMs: 0 } : { do: "give up" };
      },
    },
  ];
  await scripted([], { stream, hooks }).conversation.send({ text: "go" });
  expect(kinds).toEqual(["rejected", "server"]);
});

test("broken arguments are repaired for reading and never for anything else", async () => {
  const ran: string[] = [];
  const as = (effect: "read" | "write") =>
    echo({ name: effect, effect, run: async () => prose(String(ran.push(effect))) });
  const talk = scripted(
    [calls({ name: "read", input: '{"text": "a' }, { name: "write", input: '{"text": "a' }), says("done")],
    {
      list: [as("read"), as("write")],
    },
  );
  await talk.conversation.send({ text: "go" });
  expect(ran).toEqual(["read"]);
  expect(talk.events.find((event) => event.type === "call")).toMatchObject({ call: { arguments: { text: "a" } } });
  expect(talk.results()[1]).toContain("nothing was run");
});

test("wrong arguments, an unknown tool and a tool that throws are results the model can act on", async () => {
  const list = [
    echo(),
    echo({
      name: "bad",
      run: async () => {
        throw new Error("the disk is on fire");
      },
    }),
  ];
  const talk = scripted(
    [
      calls({ name: "echo", input: { text: [] } }, { name: "nope", input: {} }, { name: "bad", input: { text: "" } }),
      says("done"),
    ],
    {
      list,
    },
  );
  await talk.conversation.send({ text: "go" });
  const [wrong, unknown, thrown] = talk.results();
  expect(wrong).toContain("text:");
  expect(wrong).toContain('{"text":[]}');
  expect(unknown).toContain("Available: echo, bad");
  expect(thrown).toBe("the disk is on fire");
  expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "done" } } });
});

test("deny beats ask beats allow, and a guard that fails has denied", async () => {
  const guard = (name: string, verdict: unknown): Hook => ({ name, call: () => verdict as never });
  const ask = guard("ask", { do: "ask", text: "?", refusal: "nobody to ask" });
  const thrower: Hook = {
    name: "thrower",
    call: () => {
      throw new Error("boom");
    },
  };
  const run = async (hooks: Hook[]) => {
    const talk = scripted([calls({ name: "echo", input: { text: "ran" } }), says("done")], {
      list: [echo()],
      hooks,
    });
    await talk.conversation.send({ text: "go" });
    return talk.results()[0];
  };
  const allow = guard("allow", { do: "allow" });
  expect(await run([allow])).toBe("ran");
  expect(await run([ask, allow])).toBe("nobody to ask");
  expect(await run([guard("deny", { do: "deny", reason: "no" }), ask, allow])).toBe("no");
  expect(await run([allow, thrower])).toContain("boom");
});

test("a hook can retry a failed request, rewind a stream, and send a finished model back to work", async () => {
  const failed: StreamEvent[] = [{ type: "fail", failure: { kind: "overload", message: "busy" } }];
  const seen: number[] = [];
  const hooks: Hook[] = [
    { name: "retry", fail: (_, turn) => (turn.attempt < 3 ? { do: "retry", delayMs: 0 } : { do: "give up" }) },
    {
      name: "watch",
      delta: (events) =>
        events.some((event) => event.type === "text" && event.delta === "bad")
          ? { do: "interrupt", keep: false, note: "not so" }
          : undefined,
    },
    {
      name: "verify",
      settle: (turn) => {
        seen.push(turn.step);
        return seen.length === 1 ? { do: "go on", note: "check again" } : { do: "done" };
      },
    },
  ];
  const talk = scripted([failed, failed, says("bad"), says("good"), says("checked")], { hooks });
  await talk.conversation.send({ text: "go" });
  expect(talk.requests.length).toBe(5);
  expect(seen).toEqual([2, 3]);
  expect(talk.entries().map((entry) => (entry.type === "custom_message" ? entry.content : entry.type))).toEqual([
    "message",
    "custom",
    "not so",
    "message",
    "check again",
    "message",
  ]);
});

test("a request that fails for good ends the turn with the reason and stays in the record", async () => {
  const talk = scripted([[{ type: "fail", failure: { kind: "auth", message: "wrong key" } }]]);
  await talk.conversation.send({ text: "go" });
  expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "failed", failure: { kind: "auth" } } } });
  expect(talk.entries().at(-1)).toMatchObject({ message: { stopReason: "error", errorMessage: "wrong key" } });
});

test("an empty answer is told as a failure, not taken for the end of the work", async () => {
  const talk = scripted([[{ type: "thinking", index: 0, delta: "hm" }, stop], [stop]]);
  for (const message of ["The model thought, and then said nothing.", "The model sent an empty answer."]) {
    await talk.conversation.send({ text: "go" });
    const failure = { kind: "malformed", message };
    expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "failed", failure } } });
  }
});
const stop = { type: "stop", reason: "stop" } as const;

test("queued input can be withdrawn while the turn runs, and the next step does not see it", async () => {
  const talk = scripted([calls({ name: "slow", input: {} }), says("done")], {
    list: [
      waits("slow", async () => {
        void talk.conversation.send({ text: "wrong" }, "steer");
        void talk.conversation.send({ text: "right" }, "steer");
        await until(() => talk.channel.scene.queue.length === 2, "both messages");
        const [first] = talk.channel.scene.queue;
        expect(talk.conversation.withdraw(first?.id ?? "")?.text).toBe("wrong");
        expect(talk.conversation.withdraw(first?.id ?? "")).toBeUndefined();
        expect(talk.channel.scene.queue.map(({ text }) => text)).toEqual(["right"]);
      }),
    ],
  });
  await talk.conversation.send({ text: "go" });
  const sent = JSON.stringify(talk.requests[1]?.messages);
  expect([sent.includes("wrong"), sent.includes("right")]).toEqual([false, true]);
});

test("waiting input is delivered all at once or one by one, as chosen", async () => {
  const sizes = async (delivery: "all" | "one-at-a-time") => {
    const talk = scripted([calls({ name: "slow", input: {} }), says("a"), says("b"), says("c")], {
      list: [
        waits("slow", async () => {
          for (const text of ["one", "two"]) void talk.conversation.send({ text }, "after");
        }),
      ],
      delivery: () => delivery,
    });
    await talk.conversation.send({ text: "go" });
    return talk.requests.map(({ messages }) => messages.filter(({ role }) => role === "user").length);
  };
  expect(await sizes("all")).toEqual([1, 1, 3]);
  expect(await sizes("one-at-a-time")).toEqual([1, 1, 2, 3]);
});

const stops = (keep: boolean, more: Partial<Interrupt> = {}): Hook => ({
  name: "watch",
  delta: (events) =>
    events.some((event) => event.type === "text" && event.delta.includes("bad"))
      ? { do: "interrupt", keep, note: "not so", ...more }
      : undefined,
});

test.each([
  ["dropped", false],
  ["kept", true],
] as const)("an answer that is stopped and %s is paid for, though its vendor had told nothing yet", async (_, keep) => {
  const talk = scripted([says("first"), says("bad words that nobody wanted to hear"), says("good")], {
    hooks: [stops(keep)],
  });
  await talk.conversation.send({ text: "one" });
  await talk.conversation.send({ text: "two" });
  const spent = talk.entries().filter((entry) => entry.type === "custom" && entry.customType === "pith.spent");
  expect(spent).toHaveLength(1);
  const { usage } = (spent[0] as { data: { usage: AssistantMessage["usage"] } }).data;
  expect(usage.output).toBeGreaterThan(4);
  expect(usage.input).toBeGreaterThan(4);
  expect(usage.cost.total).toBeGreaterThan(0);
  expect(talk.channel.scene.spent.tokens).toBe(usage.totalTokens);
});

test("a note may be entries of whoever stops an answer, behind what is kept of it", async () => {
  const note: EntryDraft[] = [
    { type: "custom_message", customType: "mine", content: "not so", display: false },
    { type: "ttsr_injection", injectedRules: ["a"] },
  ];
  const talk = scripted([says("bad"), says("good")], { hooks: [stops(true, { note })] });
  await talk.conversation.send({ text: "go" });
  const types = talk.entries().map(({ type }): string => type);
  expect(types).toEqual(["message", "message", "custom", "custom_message", "ttsr_injection", "message"]);
});

test("the stream waits for a hook that takes its time, and those behind it are asked then", async () => {
  const order: string[] = [];
  const slow: Hook = {
    name: "slow",
    async delta() {
      await Promise.resolve();
      order.push("slow");
      return undefined;
    },
  };
  const talk = scripted([says("bad"), says("good")], {
    hooks: [slow, { name: "after", delta: () => void order.push("after") }, stops(false)],
  });
  await talk.conversation.send({ text: "go" });
  expect(order).toEqual(["slow", "after", "slow", "after"]);
  expect(talk.requests).toHaveLength(2);
});

test("all hooks together carry a turn on twelve times, then it ends and says so", async () => {
  const hooks: Hook[] = [{ name: "never done", settle: () => ({ do: "go on", note: "more" }) }];
  const talk = scripted([], { hooks });
  await talk.conversation.send({ text: "go" });
  expect(talk.requests).toHaveLength(13);
  expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "done" } } });
  expect(talk.events).toContainEqual(expect.objectContaining({ type: "notice" }));
});

test("a hook beyond the limit of continuations does not change how the turn ends", async () => {
  const hooks: Hook[] = [
    { name: "never done", settle: () => ({ do: "go on", note: "more" }) },
    { name: "goal", settle: () => ({ do: "stop", message: "not reached" }) },
  ];
  const talk = scripted([], { hooks });
  await talk.conversation.send({ text: "go" });
  expect(talk.requests).toHaveLength(13);
  expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "limit", message: "not reached" } } });
});

test("a hook with a limit of its own continues a turn beyond the common limit, and may end it", async () => {
  let rounds = 0;
  const settle: Hook["settle"] = () =>
    ++rounds > 20 ? { do: "stop", message: "twenty rounds" } : { do: "go on", note: "again", anew: true };
  const talk = scripted([], { hooks: [{ name: "rounds", settle }] });
  await talk.conversation.send({ text: "go" });
  expect(talk.requests).toHaveLength(21);
  expect(talk.events.at(-1)).toMatchObject({ state: { end: { reason: "limit", message: "twenty rounds" } } });
});
