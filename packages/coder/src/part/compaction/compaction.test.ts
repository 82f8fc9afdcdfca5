import { expect, test } from "bun:test";
import type { Entry, Event, Hook } from "@pith/agent";
import { type Scratch, scratch, until } from "@pith/kit/test";
import type { Message, Request } from "@pith/llm";
import type { Coder } from "../../hall/coder.ts";
import type { Values } from "../../setting/schema.ts";
import { houseIn, noticesOf, scriptIn, type TalkOptions, talkIn } from "../../test/open.ts";

/** Reads a file; the result of a read is never pruned. */
const reads = { calls: [{ tool: "read", input: { path: "log.txt" } }] };
const log = Array.from({ length: 120 }, (_, line) => `line ${line} of the log`).join("\n");
const summaryText = "## Current state\nCounting lines.\n## Remaining work\nnone";
const small = { model: { contextWindow: 32_000 } };
const many = (count: number) => Array.from({ length: count }, () => reads);

async function talk(
  dir: Scratch,
  turns: unknown[],
  more: object = {},
  set: Values = {},
  options: Partial<TalkOptions> = {},
) {
  dir.write({ "work/log.txt": log });
  // The scripts repeat a read, which is no circle here.
  const house = await houseIn(dir, { "loop.mode": "off", ...set });
  const asked: Request[] = [];
  const stream: typeof house.models.stream = (request, signal) => {
    asked.push({ ...request, messages: [...request.messages] });
    return house.models.stream(request, signal);
  };
  const script = { after: "repeat-last", side: { summary: summaryText }, ...small, ...more };
  const model = scriptIn(dir, turns, "script.json", script);
  const quiet = { ...house, env: { ...house.env, PITH_NO_TITLE: "1" }, models: { ...house.models, stream } };
  const made = await talkIn(quiet, { model, ...options });
  const of = (purpose: Request["purpose"]) => asked.filter((request) => request.purpose === purpose);
  return { ...made, of };
}
const compactions = (coder: Pick<Coder, "path">) =>
  coder.path().flatMap((entry) => (entry.type === "compaction" ? [entry] : []));
const ends = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "turn" && event.state.name === "idle" ? [event.state.end] : []));
const outcomes = (events: readonly Event[]) => events.flatMap((event) => (event.type === "compacted" ? [event] : []));
const compact = async (coder: Coder, words = "") => {
  const typed = coder.commands.read(`/compact ${words}`.trim());
  if (typed.is !== "command") throw new Error("no command");
  const ending = await coder.perform(typed);
  return ending.do === "show" ? ending.outcome.text : "";
};
const saying = (messages: readonly Message[]) => JSON.stringify(messages);

test("a conversation that fills the window is summed up between two steps, and goes on", async () => {
  using dir = scratch();
  const { coder, of, events } = await talk(dir, [...many(40), { text: "Done." }]);
  await coder.send({ text: "count the lines, and never touch /etc/passwd" });
  const made = compactions(coder);
  expect(made.length).toBeGreaterThan(0);
  expect(of("summary").length).toBe(made.length);
  for (const entry of made) {
    expect(entry.summary).toContain("Counting lines.");
    expect(entry.summary).toContain("never touch /etc/passwd");
    expect(entry.summary).toEndWith("<files>\nlog.txt (Read)\n</files>");
  }
  expect(coder.path().at(-1)).toMatchObject({ type: "message", message: { content: [{ text: "Done." }] } });
  for (const text of noticesOf(events)) expect(text).toMatch(/^Made room: 2\d{4} tokens became about 1?\d{4}\.$/);
  await coder.close();
});

test("the second summary updates the first, under a system prompt and without tools", async () => {
  using dir = scratch();
  const { coder, of } = await talk(dir, [...many(50), { text: "Done." }]);
  await coder.send({ text: "count" });
  const [first, second] = of("summary");
  expect(first?.system[0]).toContain("call no tool");
  expect(first?.tools).toEqual([]);
  expect(saying(first?.messages ?? [])).toContain("<conversation>");
  for (const title of "Current state,Work completed,Files involved,Approaches that failed,Promises made".split(","))
    expect(saying(first?.messages ?? [])).toContain(`## ${title}`);
  expect(saying(second?.messages ?? [])).toContain("<previous-summary>\\n## Current state\\nCounting lines.");
  expect(saying(second?.messages ?? [])).not.toContain("Kept word for word");
  await coder.close();
});

test("old output of tools is left out first, and a summary is made only where that is not enough", async () => {
  using dir = scratch();
  const noisy = { calls: [{ tool: "bash", input: { command: "cat log.txt" } }] };
  const { coder, of, requests } = await talk(dir, [...Array.from({ length: 35 }, () => noisy), { text: "Done." }]);
  await coder.send({ text: "go" });
  const edits = coder.path().filter((entry) => entry.type === "context_edit");
  expect(edits.length).toBeGreaterThan(5);
  expect(of("summary")).toEqual([]);
  const [edit] = edits;
  if (edit?.type !== "context_edit") throw new Error("no edit");
  expect(edit.replacement?.content).toMatch(/^\[Output truncated - \d+ tokens\]\nhistory:\/\/session\/\w+$/);
  expect(saying(requests.at(-1)?.messages ?? [])).toContain("[Output truncated - ");
  await coder.close();
});

test("a summary that was made for a larger window is summed up for a smaller one", async () => {
  using dir = scratch();
  const { coder, of, hall, events } = await talk(dir, [{ text: "One." }, { text: "Two." }]);
  await coder.send({ text: "count, and never touch /etc/passwd" });
  const summary = `## Current state\n${"All of it is told at length. ".repeat(9000)}`;
  const kept = coder.path().at(-1)?.id ?? "";
  hall.channel.record({ type: "compaction", summary, firstKeptEntryId: kept, tokensBefore: 900_000 });
  await coder.send({ text: "go on" });
  const made = compactions(coder);
  expect(made.length).toBe(2);
  expect(made[1]?.summary).toContain("Counting lines.");
  expect(made[1]?.summary).toContain("never touch /etc/passwd");
  expect(saying(of("summary")[0]?.messages ?? [])).toContain("[summary of what came before]");
  expect(ends(events).at(-1)).toEqual({ reason: "done" });
  expect((await coder.context()).size).toBeLessThan(16_000);
  await coder.close();
});

test("a server that finds the request too long gets a shorter one at once, and no retry is reported", async () => {
  using dir = scratch();
  const { coder, events, requests } = await talk(dir, [
    ...many(8),
    { error: { kind: "overflow", message: "prompt is too long" } },
    { text: "Done." },
  ]);
  await coder.send({ text: "go" });
  expect(ends(events)).toEqual([{ reason: "done" }]);
  expect(outcomes(events)).toMatchObject([{ cause: "overflow", aborted: false, willRetry: true }]);
  expect(events.some((event) => event.type === "turn" && event.state.name === "retrying")).toBe(false);
  expect(saying(requests.at(-1)?.messages ?? []).length).toBeLessThan(saying(requests.at(-2)?.messages ?? []).length);
  await coder.close();
});

test("a server that finds every request too long is asked twice, and the turn ends with the reason", async () => {
  using dir = scratch();
  const never = { error: { kind: "overflow", message: "prompt is too long" } };
  const { coder, events, of } = await talk(dir, [...many(8), never]);
  await coder.send({ text: "go" });
  expect(of("main").length).toBe(10);
  expect(of("summary").length).toBe(1);
  const [end] = ends(events);
  expect(end).toMatchObject({ reason: "failed", failure: { kind: "overflow" } });
  expect(JSON.stringify(end)).toMatch(
    /recovery failed: .*answered: .*prompt is too long.*The request is about \d{4,5} tokens long, and \d+ are taken: .*\/model.*\/new/,
  );
  await coder.close();
});

for (const strategy of ["shake", "snapcompact", "handoff"] as const)
  test(`${strategy}: a server that says so for ever is asked twice for each thing that is said`, async () => {
    for (const call of [reads, { calls: [{ tool: "bash", input: { command: "cat log.txt" } }] }]) {
      using dir = scratch();
      const never = { error: { kind: "overflow", message: "prompt is too long" } };
      const turns = [...Array.from({ length: 12 }, () => call), never];
      const { coder, events, of } = await talk(dir, turns, {}, { "compaction.strategy": strategy });
      await coder.send({ text: "go" });
      expect(of("main").length).toBe(14);
      expect(ends(events).at(-1)).toMatchObject({ reason: "failed", failure: { kind: "overflow" } });
      await coder.send({ text: "again" });
      expect(of("main").length).toBe(15);
      expect(of("handoff")).toEqual([]);
      expect(ends(events).at(-1)).toMatchObject({ reason: "failed", failure: { kind: "overflow" } });
      await coder.close();
    }
  });

test("a window that the prompt alone fills is not handed off from session to session", async () => {
  using dir = scratch();
  const tiny = { model: { contextWindow: 3000 } };
  const { coder, of, events } = await talk(dir, [reads, reads], tiny, { "compaction.strategy": "handoff" });
  await coder.send({ text: "go" });
  expect(of("handoff").length).toBeLessThan(2);
  expect(ends(events)).toMatchObject([{ reason: "limit", message: expect.stringContaining("tools alone are about") }]);
  await coder.close();
});

test("one shorter request is enough where the server names its limit", async () => {
  using dir = scratch();
  const told = { error: { kind: "overflow", message: "This model's maximum context length is 9000 tokens." } };
  const unknown = { model: { contextWindow: 128_000 } };
  const { coder, events } = await talk(dir, [...many(30), told, { text: "Done." }], unknown);
  await coder.send({ text: "go" });
  expect(ends(events)).toEqual([{ reason: "done" }]);
  expect(outcomes(events)).toMatchObject([{ cause: "overflow", willRetry: true }]);
  expect((await coder.context()).size).toBeLessThan(9000);
  await coder.close();
});

for (const [what, summary] of [
  ["fails", { error: { kind: "rejected", message: "no" } }],
  ["is empty", "  "],
  ["is cut off", { text: "## Current", stop: "length" }],
  ["calls a tool", { text: "x", calls: [{ tool: "bash", input: { command: "touch made" } }] }],
] as const)
  test(`a summary that ${what} is never stored; the next in the list is asked`, async () => {
    using dir = scratch();
    const smol = scriptIn(dir, [{ text: "." }], "small.json", { side: { summary: "From the small one." }, ...small });
    const bad = await talk(dir, [...many(30), { text: "Done." }], { side: { summary } }, { "roles.smol": smol });
    await bad.coder.send({ text: "go" });
    expect(compactions(bad.coder)).toMatchObject([{ summary: expect.stringContaining("From the small one.") }]);
    expect(ends(bad.events)).toEqual([{ reason: "done" }]);
    await bad.coder.close();
  });

test("a candidate that gave no summary is named, and so is a model that does not exist", async () => {
  using dir = scratch();
  const smol = scriptIn(dir, [{ text: "." }], "small.json", { side: { summary: "From the small one." }, ...small });
  const set = { "roles.smol": smol, "compaction.model": "no/such" };
  const { coder, events } = await talk(dir, [...many(30), { text: "Done." }], { side: { summary: " " } }, set);
  await coder.send({ text: "go" });
  const notices = noticesOf(events).join("\n");
  expect(notices).toMatch(/^compaction\.model is not asked: there is no vendor "no"/m);
  expect(notices).toMatch(/script\.json gave no summary: .*said nothing/);
  await coder.close();
});

test("a second attempt at a summary is announced", async () => {
  using dir = scratch();
  const busy = { error: { kind: "overload", message: "busy", retryAfterMs: 1 } };
  const side = { summary: [busy, busy, { text: summaryText }] };
  const { coder, events } = await talk(dir, [...many(3), { text: "Done." }], { side });
  await coder.send({ text: "count the lines" });
  expect(await compact(coder)).toStartWith("Compacted");
  const told = events.flatMap((event) => (event.type === "summing" ? [event] : []));
  expect(told.map(({ of, now }) => `${of} ${now.is}`)).toEqual([
    "manual waiting",
    "manual asking",
    "manual waiting",
    "manual asking",
    "manual over",
  ]);
  expect(told[0]?.now).toEqual({ is: "waiting", attempt: 1, most: 2, delayMs: 1, message: "busy" });
  await coder.close();
});

test("without a summary the conversation goes on, and no new one is tried at every step", async () => {
  using dir = scratch();
  const { coder, events, of } = await talk(dir, [...many(26), { text: "Done." }], { side: { summary: " " } });
  await coder.send({ text: "go" });
  expect(ends(events)).toEqual([{ reason: "done" }]);
  expect(compactions(coder)).toEqual([]);
  // Once at the threshold, and once it is a tenth longer.
  expect(of("summary").length).toBe(2);
  for (const { error } of outcomes(events)) expect(error).toMatch(/^Auto-compaction failed: .*said nothing/);
  await coder.close();
});

test("a full window without a summary goes on without old results", async () => {
  using dir = scratch();
  const { coder, events } = await talk(dir, [...many(40), { text: "Done." }], { side: { summary: " " } });
  await coder.send({ text: "go" });
  expect(ends(events)).toEqual([{ reason: "done" }]);
  expect(coder.path().filter((entry) => entry.type === "context_edit").length).toBeGreaterThan(0);
  await coder.close();
});

test("an overflow without a summary is answered by leaving out results", async () => {
  using dir = scratch();
  const turns = [...many(12), { error: { kind: "overflow", message: "too long" } }, { text: "Done." }];
  const { coder, events } = await talk(dir, turns, { side: { summary: " " } });
  await coder.send({ text: "go" });
  expect(ends(events)).toEqual([{ reason: "done" }]);
  expect(coder.path().filter((entry) => entry.type === "context_edit").length).toBeGreaterThan(0);
  await coder.close();
});

test("an input that is larger than the window ends the turn with that reason", async () => {
  using dir = scratch();
  const { coder, events } = await talk(dir, [{ text: "One." }, { text: "Two." }]);
  await coder.send({ text: "hi" });
  await coder.send({ text: "word ".repeat(60_000) });
  expect(ends(events).at(-1)).toMatchObject({
    reason: "limit",
    message: expect.stringMatching(/what was said last is about 6\d,\d{3} tokens/),
  });
  await coder.close();
});

test("an interrupted compaction leaves no entry", async () => {
  using dir = scratch();
  const { coder, events } = await talk(dir, [...many(40), { text: "Done." }], { side: { summary: { hang: true } } });
  const turn = coder.send({ text: "go" });
  await until(() => coder.scene.turn?.name === "compacting", "a compaction");
  await coder.interrupt("enough");
  await turn;
  expect(compactions(coder)).toEqual([]);
  expect(outcomes(events)).toEqual([{ type: "compacted", cause: "threshold", aborted: true, willRetry: false }]);
  expect(ends(events)).toMatchObject([{ reason: "interrupted" }]);
  await coder.close();
});

test("/compact sums up what was said, looks after what it is told to, and input waits for it", async () => {
  using dir = scratch();
  const side = { summary: { text: summaryText, delayMs: 200 } };
  const { coder, of, requests } = await talk(dir, [...many(3), { text: "Done." }, { text: "On." }], { side });
  await coder.send({ text: "count the lines" });
  const done = compact(coder, "the exact count");
  await until(() => coder.scene.turn?.name === "compacting", "a compaction");
  const waits = coder.send({ text: "and now?" });
  await until(() => coder.scene.queue[0]?.text === "and now?", "what waits");
  await waits;
  expect(await done).toMatch(/^Compacted: about [\d,]+ tokens became [\d,]+\.$/);
  expect(saying(of("summary")[0]?.messages ?? [])).toContain("Look after this in particular: the exact count");
  expect(coder.path().map(({ type }) => type)).toContain("compaction");
  expect(saying(requests.at(-1)?.messages ?? [])).toContain("and now?");
  expect(coder.path().at(-1)).toMatchObject({ message: { content: [{ text: "On." }] } });
  await coder.close();
});

test("/compact with nothing to sum up says so", async () => {
  using dir = scratch();
  const { coder } = await talk(dir, [{ text: "Hi." }]);
  expect(await compact(coder)).toStartWith("Nothing was compacted");
  await coder.close();
});

test("a summary that is longer than what it would replace is not kept", async () => {
  using dir = scratch();
  const side = { summary: "## Goal\nMuch was said, and little was done. ".repeat(20) };
  const { coder } = await talk(dir, [{ text: "One." }, { text: "Two." }], { side });
  for (const text of ["first", "second"]) await coder.send({ text });
  const before = coder.path();
  expect(await compact(coder)).toMatch(/the summary is longer \(\d+ tokens\) than what it replaces \(\d+\)/);
  expect(compactions(coder)).toEqual([]);
  expect(coder.path().filter(({ type }) => type === "message")).toHaveLength(4);
  expect(coder.path().length).toBeLessThan(before.length + 3);
  await coder.close();
});

test("hooks cancel a compaction, add to it, or make its result; one that throws is skipped", async () => {
  const by = async (hook: Hook, words = "") => {
    using dir = scratch();
    const rows = [{ reach: "every", make: () => ({ name: "hook", hooks: [hook] }) }] as const;
    const { coder, of, events } = await talk(dir, [...many(3), { text: "Done." }], {}, {}, { rows });
    await coder.send({ text: "count the lines" });
    const text = await compact(coder, words);
    await coder.close();
    return { text, made: compactions(coder), asked: saying(of("summary").flatMap(({ messages }) => messages)), events };
  };
  const cancelled = await by({ name: "no", compact: () => ({ do: "cancel" }) });
  expect([cancelled.made, cancelled.asked]).toEqual([[], "[]"]);
  const added = await by({
    name: "more",
    compact: () => ({ do: "go", prompt: "Two lines.", context: ["mind the gap"], preserveData: { mine: 1 } }),
  });
  expect(added.asked).toContain("<additional-context>\\n- mind the gap\\n</additional-context>\\n\\nTwo lines.");
  expect(added.made).toMatchObject([{ preserveData: { mine: 1 } }]);
  const whole = await by({ name: "all", compact: () => ({ do: "result", result: { summary: "Mine." } }) });
  expect(whole.asked).toBe("[]");
  expect(whole.made).toMatchObject([{ summary: expect.stringMatching(/^Mine\./), fromExtension: true }]);
  const broken = await by({
    name: "broken",
    compact: () => {
      throw new Error("oops");
    },
  });
  expect(broken.made.length).toBe(1);
  expect(noticesOf(broken.events)).toContain("broken failed at a compaction: oops");
  const results = [
    { summary: 3 },
    { summary: " " },
    { summary: "x", preserveData: { a: 1n } },
    { summary: "x", details: [] },
  ];
  for (const result of results) {
    const odd = await by({ name: "odd", compact: () => ({ do: "result", result }) as never });
    expect(odd.made).toMatchObject([
      { summary: expect.stringMatching(/^## Current state/), shortSummary: "Counting lines." },
    ]);
    expect(noticesOf(odd.events).join()).toContain("odd failed at a compaction: ");
  }
  const huge = await by({ name: "huge", compact: () => ({ do: "result", result: { summary: "x ".repeat(90_000) } }) });
  expect(huge.made).toMatchObject([{ summary: expect.stringMatching(/^## Current state/) }]);
  expect(noticesOf(huge.events)).toContain("The summary of a hook is too long, and is not used.");
});

test("shake leaves out results without asking anybody; off leaves everything as it is", async () => {
  using dir = scratch();
  const shaken = await talk(dir, [...many(30), { text: "Done." }], {}, { "compaction.strategy": "shake" });
  await shaken.coder.send({ text: "go" });
  expect(shaken.of("summary")).toEqual([]);
  expect(shaken.coder.path().filter(({ type }) => type === "context_edit").length).toBeGreaterThan(0);
  expect(ends(shaken.events)).toEqual([{ reason: "done" }]);
  await shaken.coder.close();
  const off = await talk(dir, [...many(26), { text: "Done." }], {}, { "compaction.strategy": "off" });
  await off.coder.send({ text: "go" });
  const types = (path: readonly Entry[]) => path.filter(({ type }) => type === "compaction" || type === "context_edit");
  expect(types(off.coder.path())).toEqual([]);
  await off.coder.close();
});

test("a configured larger model takes over first, and hands back after the compaction", async () => {
  using dir = scratch();
  const large = scriptIn(dir, many(80), "large.json", { model: { contextWindow: 48_000 }, after: "repeat-last" });
  const turns = [...many(22), { text: "Done." }];
  const { coder, requests, of } = await talk(dir, turns, {}, { "compaction.promote": [large] }, { maxSteps: 60 });
  await coder.send({ text: "go" });
  const models = requests.map(({ model }) => model.contextWindow);
  expect(models.indexOf(48_000)).toBeGreaterThan(10);
  const back = models.lastIndexOf(48_000) + 1;
  expect(models[back]).toBe(32_000);
  expect(of("summary").length).toBeGreaterThan(0);
  const changes = coder.path().flatMap((entry) => (entry.type === "model_change" ? [entry.instead !== undefined] : []));
  expect(changes).toContain(true);
  await coder.close();
});

test("an answer that was cut off for lack of room is dropped and asked for again", async () => {
  using dir = scratch();
  const cut = { text: "This is cut", stop: "length", usage: { input: 30_000, output: 100 } };
  const whole = { when: { user: "summed up to make room" }, text: "Whole." };
  const { coder, requests, events } = await talk(dir, [...many(14), cut, whole]);
  await coder.send({ text: "go" });
  expect(outcomes(events)).toMatchObject([{ cause: "incomplete", willRetry: true, aborted: false }]);
  expect(saying(requests.at(-1)?.messages ?? [])).not.toContain("This is cut");
  expect(coder.path().at(-1)).toMatchObject({ message: { content: [{ text: "Whole." }] } });
  await coder.close();
});

test("a model that never finds room for its answer is asked twice", async () => {
  using dir = scratch();
  const cut = { text: "This is cut", stop: "length", usage: { input: 30_000, output: 100 } };
  const { coder, events, of } = await talk(dir, [...many(14), cut]);
  await coder.send({ text: "go" });
  expect(of("main").length).toBe(16);
  expect(noticesOf(events).at(-1)).toStartWith("Incomplete response recovery failed: ");
  expect(coder.path().at(-1)).toMatchObject({ message: { content: [{ text: "This is cut" }] } });
  await coder.close();
});

test("a larger model is asked once for an answer that was cut off, and hands back after it", async () => {
  for (const whole of [true, false]) {
    using dir = scratch();
    const cut = (input: number) => ({ text: "This is cut", stop: "length", usage: { input, output: 100 } });
    const size = { model: { contextWindow: 48_000 }, after: "repeat-last" };
    const large = scriptIn(dir, [whole ? { text: "Whole." } : cut(47_000)], "large.json", size);
    const turns = [...many(14), cut(30_000), { text: "On." }];
    const { coder, of, requests } = await talk(dir, turns, {}, { "compaction.promote": [large] });
    await coder.send({ text: "go" });
    expect(
      of("main")
        .map(({ model }) => model.contextWindow)
        .slice(14),
    ).toEqual([32_000, 48_000]);
    expect(saying(requests.at(-1)?.messages ?? [])).not.toContain("This is cut");
    if (whole) {
      expect(saying(requests.at(-1)?.messages ?? [])).toContain("There is more room now");
      await coder.send({ text: "on" });
      expect(of("main")[16]?.model.contextWindow).toBe(32_000);
    }
    await coder.close();
  }
});

test("a long conversation is shortened after a turn, unless that is the last of the run", async () => {
  for (const after of ["more", "end"] as const) {
    using dir = scratch();
    dir.write({ "work/log.txt": log });
    const house = await houseIn(dir, { "loop.mode": "off" });
    const turns = [...many(20), { text: `Done. ${"word ".repeat(6000)}` }];
    const model = scriptIn(dir, turns, "script.json", { ...small, side: { summary: summaryText } });
    const { coder, events } = await talkIn({ ...house, env: { PITH_NO_TITLE: "1" } }, { model, after });
    await coder.send({ text: "go" });
    if (after === "more") await until(() => outcomes(events).length > 0, "a compaction");
    await coder.close();
    expect(compactions(coder).length).toBe(after === "more" ? 1 : 0);
  }
});

test("an idle conversation is shortened where that is set", async () => {
  using dir = scratch();
  const set: Values = {
    "compaction.idleEnabled": true,
    "compaction.idleThresholdTokens": 5000,
    "compaction.idleTimeoutSeconds": 0,
  };
  const { coder, events } = await talk(dir, [...many(10), { text: "Done." }], {}, set);
  await coder.send({ text: "go" });
  await until(() => outcomes(events).length > 0, "a compaction");
  expect(outcomes(events)).toMatchObject([{ cause: "idle", aborted: false }]);
  await coder.close();
});
