import { expect, test } from "bun:test";
import { type Scratch, scratch } from "@pith/kit/test";
import { loadCounting, type Message, type Request, type ToolCall } from "@pith/llm";
import { benches, serve, streamTo } from "@pith/llm/test";
import type { Values } from "../../setting/schema.ts";
import { houseIn, scriptIn, type Talk, talkIn } from "../../test/open.ts";

const log = (lines: number) => Array.from({ length: lines }, (_, line) => `line ${line} of the log`).join("\n");
const task = "Rename readRows to readEntries everywhere, and never touch vendor/";

/** The calls of the model in one turn: it reads, searches, edits a list of tasks, or looks around and goes back. */
function turnOf(at: number): object[] {
  const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
  const done = { text: `Done with ${at}.` };
  if (at % 10 === 9)
    return [
      call("checkpoint", { goal: `look ${at}` }),
      call("read", { path: "big.txt" }),
      call("rewind", { report: `nothing in ${at}` }),
      done,
    ];
  if (at % 10 === 4)
    return [
      call("todo", { ops: [{ op: "init", list: [{ phase: "P", items: [`task ${at}`] }] }] }),
      call("todo", { ops: [{ op: "done", task: `task ${at}` }] }),
      done,
    ];
  return at % 2 === 0
    ? [call("read", { path: "log.txt" }), done]
    : [call("search", { pattern: "line", path: "log.txt" }), done];
}

async function talk(dir: Scratch, window: number, turns: number, set: Values = {}): Promise<Talk> {
  const scale = Math.max(1, window / 32_000);
  dir.write({ "work/log.txt": log(Math.round(60 * scale)), "work/big.txt": log(Math.round(200 * scale)) });
  const house = await houseIn(dir, { "checkpoint.enabled": true, "session.sync": "never", ...set });
  const script = {
    model: { contextWindow: window, maxOutput: Math.floor(window / 8) },
    side: { summary: "## Current state\nRenaming `readRows`.\n## Remaining work\nsrc/next.ts" },
  };
  const model = scriptIn(dir, Array.from({ length: turns }, (_, at) => turnOf(at)).flat(), "script.json", script);
  return talkIn({ ...house, env: { ...house.env, PITH_NO_TITLE: "1" } }, { model });
}

const callsIn = (message: Message): ToolCall[] =>
  message.role === "assistant" ? message.content.filter((part) => part.type === "toolCall") : [];

/** Every call has its result right behind it, and every result its call. */
function paired(messages: readonly Message[]): boolean {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (!open.delete(message.toolCallId)) return false;
      continue;
    }
    if (open.size > 0) return false;
    for (const { id } of callsIn(message)) open.add(id);
  }
  return open.size === 0;
}

async function holdsAll({ coder, requests, events }: Talk, window: number, turns: number): Promise<number> {
  const counting = await loadCounting();
  for (let at = 0; at < turns; at++) await coder.send({ text: at === 0 ? task : `and now step ${at}` });
  const ends = events.flatMap((event) =>
    event.type === "turn" && event.state.name === "idle" ? [event.state.end.reason] : [],
  );
  expect([...new Set(ends)]).toEqual(["done"]);
  const fixed = ({ system, tools }: Request) => counting.countSystem(system) + counting.countTools(tools);
  for (const request of requests) {
    const size = request.messages.reduce((sum, message) => sum + counting.countMessage(message, request.model), 0);
    expect(size + fixed(request)).toBeLessThanOrEqual(window);
    expect(paired(request.messages)).toBe(true);
    expect(JSON.stringify(request.messages[0])).toContain("never touch vendor/");
  }
  const types = coder.path().map((entry) => (entry.type === "message" ? entry.message.role : entry.type));
  let answered = true;
  for (const type of types) {
    if (type === "compaction") expect(answered).toBe(true);
    if (type === "compaction") answered = false;
    if (type === "assistant") answered = true;
  }
  return types.filter((type) => type === "compaction").length;
}

test("400 turns in a window of 32,000 keep task, pairs and room, and every server takes them", async () => {
  using dir = scratch();
  const held = await talk(dir, 32_000, 400);
  const made = await holdsAll(held, 32_000, 400);
  expect(made).toBeGreaterThan(3);
  expect(made).toBeLessThan(60);
  const { requests, coder } = held;
  const shown = held.hall.conversation.context.messages;
  const sent = [...requests.filter((_, at) => at % 37 === 36), { ...requests.at(-1), messages: shown } as Request];
  for (const bench of Object.values(benches)) {
    using served = serve(bench.fake, ...sent.map(() => ({ text: "fine" })));
    const stream = await streamTo(bench, served.url);
    for (const { system, messages, tools } of sent) {
      const asked = [
        ...messages,
        ...(messages.at(-1)?.role === "assistant" ? [{ role: "user" as const, content: "on", timestamp: 0 }] : []),
      ];
      const events = [];
      const request: Request = { model: bench.model, purpose: "main", system, messages: asked, tools };
      for await (const group of stream(request, new AbortController().signal)) events.push(...group);
      expect([bench.fake.api, events.find(({ type }) => type === "fail")]).toEqual([bench.fake.api, undefined]);
    }
  }
  // A session that is opened from its end has the same path and state.
  await coder.close();
  const again = await talkIn(await houseIn(dir, { "checkpoint.enabled": true }), {
    model: `faux/${dir.at("script.json")}`,
    session: { open: "file", path: coder.file ?? "" },
  });
  expect(JSON.stringify(again.hall.conversation.context.messages)).toBe(JSON.stringify(shown));
  await again.coder.close();
}, 60_000);

test("a window that the prompt alone fills is not summed up again and again: the turn ends and says why", async () => {
  using dir = scratch();
  const { coder, events } = await talk(dir, 4_000, 60);
  for (let at = 0; at < 30; at++) await coder.send({ text: `step ${at}` });
  expect(coder.path().filter((entry) => entry.type === "compaction")).toEqual([]);
  expect(events.findLast((event) => event.type === "turn")).toMatchObject({
    state: { end: { reason: "limit", message: expect.stringMatching(/prompt and the tools alone are about 2,\d{3}/) } },
  });
  await coder.close();
});

// The scripts do not say that they are done.
const local = { profile: "local", "local.completion": false } as const;
for (const [window, set] of [
  [4_000, local],
  [8_000, local],
  [16_000, {}],
  [200_000, {}],
  [1_000_000, {}],
] as const)
  test(`a window of ${window} is kept, too`, async () => {
    using dir = scratch();
    const held = await talk(dir, window, 60, set);
    await holdsAll(held, window, 60);
    await held.coder.close();
  }, 60_000);
