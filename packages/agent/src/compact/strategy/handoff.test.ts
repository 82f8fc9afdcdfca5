import { expect, test } from "bun:test";
import type { Message, Request } from "@pith/llm";
import { createAskModel } from "../../loop/side-request.ts";
import { said } from "../../test/entries.ts";
import { model, says } from "../../test/scripted.ts";
import { sizesOf } from "../size.ts";
import { handoff, handoffDocument } from "./handoff.ts";
import type { CompactionTask } from "./strategy.ts";

const request: Request = {
  model,
  purpose: "main",
  system: ["be good"],
  messages: [{ role: "user", content: "hi", timestamp: 1 }],
  tools: [{ name: "read", description: "reads", parameters: { type: "object" } }],
  session: "s",
};
const signal = new AbortController().signal;
const wishes = {
  thresholdPercent: -1,
  thresholdTokens: -1,
  reserveTokens: 16_384,
  reserve: "default",
  keepRecentTokens: 20_000,
} as const;
const tokens = ({ content }: Message) => String(content).length / 4;

test("a handoff is asked for behind the same bytes as the conversation, and nothing may be called", async () => {
  const asked: Request[] = [];
  const aside = createAskModel({
    stream: async function* (sent) {
      asked.push(sent);
      yield says("## Goal\nAll.");
    },
    now: () => 0,
    record: () => {},
  });
  const nextRequest = async () => request;
  expect(await handoffDocument({ nextRequest, aside, instructions: "names", signal })).toEqual({
    ok: true,
    value: "## Goal\nAll.",
  });
  const [{ messages, purpose, calls, ...same } = request] = asked;
  const { messages: before, purpose: _, ...rest } = request;
  expect(same).toEqual(rest);
  expect([purpose, calls]).toEqual(["handoff", "none"]);
  expect(messages.slice(0, -1)).toEqual([...before]);
  expect(messages[0]).toBe(before[0] as Request["messages"][number]);
  expect(String(messages.at(-1)?.content)).toEndWith("Look after this in particular: names");
});

test("a document that is cut off, or nothing but a call, is none", async () => {
  const answers = [
    [{ type: "text", index: 0, delta: "## Go" } as const, { type: "stop", reason: "length" } as const],
    [{ type: "call", index: 0, id: "1", name: "read" } as const, { type: "stop", reason: "toolUse" } as const],
    [
      { type: "text", index: 0, delta: "Let me look first." } as const,
      { type: "call", index: 1, id: "1", name: "read" } as const,
      { type: "stop", reason: "toolUse" } as const,
    ],
    says("  "),
  ];
  for (const answer of answers) {
    const stream = async function* () {
      yield answer;
    };
    const aside = createAskModel({ stream, now: () => 0, record: () => {} });
    expect(await handoffDocument({ nextRequest: async () => request, aside, signal })).toMatchObject({
      kind: "unable",
    });
  }
});

test("an overflowing conversation is never handed off; any other continues in a new session", async () => {
  const stream = async function* () {
    yield says("All.");
  };
  const aside = createAskModel({ stream, now: () => 0, record: () => {} });
  const sizes = sizesOf(32_000, 3000, wishes);
  const path = [said("look at src/lines.ts")];
  const task = { nextRequest: async () => request, aside, signal, path, sizes, tokens } as unknown as CompactionTask;
  expect(await handoff({ ...task, cause: "overflow" })).toMatchObject({ ok: false, kind: "unable" });
  expect(await handoff({ ...task, cause: "incomplete" })).toEqual({
    ok: true,
    value: { kind: "document", document: "All." },
  });
});

test("a document has the names of the record, and one that would fill the next session is none", async () => {
  const by = async (text: string) => {
    const stream = async function* () {
      yield says(text);
    };
    const aside = createAskModel({ stream, now: () => 0, record: () => {} });
    const sizes = sizesOf(32_000, 3000, wishes);
    const path = [said("look at src/lines.ts")];
    const task = { cause: "threshold", nextRequest: async () => request, aside, signal, path, sizes, tokens };
    return handoff(task as unknown as CompactionTask);
  };
  expect(await by("Go on in src/line.ts.")).toMatchObject({ value: { document: "Go on in src/lines.ts." } });
  expect(await by("word ".repeat(20_000))).toMatchObject({ ok: false, kind: "unable" });
});
