// Random actions of people and models with all strategies: the conversation goes on, the record loses nothing, and
// strict servers accept every request.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Scratch, scratch, until } from "@pith/kit/test";
import type { Message, Request } from "@pith/llm";
import { benches, serve, streamTo } from "@pith/llm/test";
import type { Coder } from "../../hall/coder.ts";
import { houseIn, scriptIn, talkIn } from "../../test/open.ts";

const task = "Rename readRows everywhere, and never touch vendor/";
const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line} of the log`).join("\n");

/** Numbers that are the same for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return Math.floor((state / 0x80_00_00_00) * below);
  };
}

/** The calls of the model; the next one depends on how many the model still sees. */
function turns(roll: (below: number) => number): object[] {
  const call = (tool: string, input: object) => ({ tool, input });
  const calls = [
    () => [call("read", { path: "log.txt" })],
    () => [call("bash", { command: "cat log.txt" }), call("read", { path: "missing.txt" })],
    () => [call("search", { pattern: "line 1", path: "log.txt" })],
    () => [call("checkpoint", { goal: "look" })],
    () => [call("rewind", { report: "nothing there" })],
    () => [call("todo", { ops: [{ op: "init", list: [{ phase: "P", items: ["one"] }] }] })],
  ];
  return Array.from({ length: 80 }, (_, at) => {
    const kind = roll(10);
    if (kind === 9) return { text: `Part of ${at}`, stop: "length", usage: { input: 30_000, output: 10 } };
    if (kind > 5) return { text: `Done with ${at}.` };
    return { text: `Step ${at}`, calls: calls[kind]?.() };
  });
}

const callsIn = (message: Message) =>
  message.role === "assistant" ? message.content.filter((part) => part.type === "toolCall") : [];

async function played(
  dir: Scratch,
  seed: number,
  strategy: (typeof strategies)[number],
): Promise<{ requests: Request[]; coder: Coder }> {
  const roll = dice(seed);
  dir.write({ "work/log.txt": lines(60 + roll(200)) });
  const house = await houseIn(dir, {
    "checkpoint.enabled": true,
    "compaction.strategy": strategy,
    "loop.mode": "off",
    "session.sync": "never",
  });
  const model = scriptIn(dir, turns(roll), "script.json", {
    after: "repeat-last",
    model: { contextWindow: 16_000 + roll(3) * 8000 },
    side: { summary: "## Current state\nRenaming.", handoff: "## Goal\nRename.", branch: "Looked around." },
  });
  const { coder, requests, hall } = await talkIn(
    { ...house, env: { ...house.env, PITH_NO_TITLE: "1" } },
    { model, maxSteps: 25 },
  );
  let record = "";
  let file: string | undefined;
  const typed = async (text: string) => {
    const command = coder.commands.read(text);
    if (command.is === "command") await coder.perform(command);
  };
  const ops = [
    () => coder.send({ text: "and on" }),
    () => coder.send({ text: `and on with ${"this ".repeat(roll(2000))}` }),
    () => typed("/compact"),
    () => typed("/compact the names"),
    () => typed("/memory add be careful"),
    async () => {
      const path = coder.path().filter((entry) => entry.type !== "custom");
      const entry = path[roll(path.length)];
      if (entry) await coder.walk.go(entry.id, roll(2) === 0 ? "none" : "own");
    },
    async () => {
      const turn = coder.send({ text: "stop me" });
      for (let wait = roll(12); wait > 0; wait--) await Promise.resolve();
      await coder.interrupt("enough");
      await turn;
    },
    async () => {
      const turn = coder.send({ text: "first" });
      void coder.send({ text: "in between" }, "steer");
      void coder.send({ text: "at the end" }, "after");
      await turn;
    },
    () => typed("/handoff"),
  ];
  await coder.send({ text: task });
  for (let at = 0; at < 14; at++) {
    await ops[roll(ops.length)]?.();
    await until(() => !coder.running, "an end");
    await hall.journal.sync();
    // Only ever appended.
    const now = readFileSync(coder.file ?? "", "utf8");
    if (coder.file === file) expect(now.startsWith(record)).toBe(true);
    [record, file] = [now, coder.file];
  }
  return { requests, coder };
}

const strategies = ["context-full", "shake", "snapcompact", "handoff"] as const;
const seeds = Array.from({ length: Number(process.env.PITH_SEEDS ?? 2) }, (_, at) => 1 + at);

describe.each(strategies)("%s", (strategy) => {
  test("is accepted by every strict server, whatever happens meanwhile", async () => {
    for (const seed of seeds) {
      using dir = scratch();
      const { requests, coder } = await played(dir, seed, strategy);
      for (const { messages } of requests) {
        // Going back to a call leaves text between it and its result, which encoders repair.
        const asked = messages.flatMap(callsIn).map(({ id }) => id);
        const answered = messages.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));
        expect([seed, answered.toSorted()]).toEqual([seed, asked.toSorted()]);
      }
      const sent = requests.filter((_, at) => at % 5 === 0);
      for (const bench of Object.values(benches)) {
        using served = serve(bench.fake, ...sent.map(() => ({ text: "fine" })));
        const stream = await streamTo(bench, served.url);
        for (const { system, messages, tools } of sent) {
          const events = [];
          const request: Request = { model: bench.model, purpose: "main", system, messages, tools };
          for await (const group of stream(request, new AbortController().signal)) events.push(...group);
          expect([seed, bench.fake.api, events.find(({ type }) => type === "fail")]).toEqual([
            seed,
            bench.fake.api,
            undefined,
          ]);
        }
      }
      await coder.close();
    }
  }, 60_000);
});
