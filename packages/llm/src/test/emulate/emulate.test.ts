import { describe, expect, test } from "bun:test";
import { Ollama } from "ollama";
import type { Message } from "../../message/message.ts";
import type { Stream } from "../../message/stream.ts";
import { withTextCalls } from "../../protocol/text-call/text-call.ts";
import { describeModel, listModels } from "../../vendor/local.ts";
import { ask, collect, failureIn, folded, joined, reply, result, model as some, user } from "../fixture.ts";
import { type Bench, benches, streamTo } from "../lab.ts";
import { hear, oracleFor, type Prompt } from "../oracle.ts";
import { writers } from "../written.ts";
import { type Emulated, emulate, type KindName, kinds } from "./emulate.ts";
import type { Setup } from "./machine.ts";
import { qwen } from "./model.ts";
import type { Mind } from "./seen.ts";

const tools = [
  { name: "read", description: "Reads.", parameters: { type: "object", properties: { path: { type: "string" } } } },
];
/** Thinks and calls twice when it has tools and no result yet, and else says how much it was told. */
const mind: Mind = ({ messages, tools }) =>
  tools.length > 0 && messages.at(-1)?.role !== "tool"
    ? {
        thinking: "a file has to be read",
        text: "I look.",
        calls: ["a", "b"].map((path) => ({ id: `call_${path}`, name: "read", args: { path } })),
      }
    : { text: `told ${messages.length}` };

const names = Object.keys(kinds) as KindName[];
const apiOf = (name: KindName) => (name === "ollama" ? "ollama-chat" : "openai-completions");
const qwenAt = (name: KindName) => ({ ...some, vendor: name, id: qwen.id, api: apiOf(name), contextWindow: 4096 });

async function said(
  name: KindName,
  served: Emulated,
  messages: Message[] = [user("look at a and b")],
  given = tools,
  through: (stream: Stream) => Stream = withTextCalls,
) {
  const stream = through(await streamTo(benches[apiOf(name)] as Bench, served.url));
  const events = await collect(stream, ask(messages, { model: qwenAt(name), tools: given }));
  return { events, reply: folded(events, qwenAt(name)), failure: failureIn(events) };
}
const callsIn = ({ reply }: Awaited<ReturnType<typeof said>>) =>
  reply.content.flatMap((part) => (part.type === "toolCall" ? [[part.name, part.arguments]] : []));
const both = [
  ["read", { path: "a" }],
  ["read", { path: "b" }],
];
const at = (name: KindName, setup: Setup = {}) => emulate(name, { mind, ...setup });
const endpoint = ({ url }: Emulated) => ({ url: new URL(url), shown: url, variable: "BASE_URL", near: true });

describe.each(names)("%s", (name) => {
  test("is found, and tells what it has", async () => {
    using served = at(name);
    const env = { OLLAMA_CONTEXT_LENGTH: "4096" };
    const server = { vendor: name, endpoint: endpoint(served), env, timeoutMs: 2000 };
    expect(await listModels(server)).toMatchObject([{ id: qwen.id }]);
    const heard = await describeModel(server, qwen.id);
    expect(heard).toMatchObject({ id: qwen.id, contextWindow: 4096 });
  });

  test("answers with thinking, words, calls and counts", async () => {
    using served = at(name);
    const heard = await said(name, served);
    expect(callsIn(heard)).toEqual(both);
    expect(joined(heard.events, "thinking")).toBe("a file has to be read");
    const usage = heard.events.findLast((event) => event.type === "usage")?.usage;
    const [counts] = served.machine.counts;
    expect((usage?.totalTokens ?? 0) - (usage?.output ?? 0)).toBe(counts?.prompt ?? -1);
    expect(served.machine.refusals).toEqual([]);
  });

  test("keeps one conversation in memory, and works through what is new alone", async () => {
    using served = at(name);
    const long = "a long beginning ".repeat(100);
    for (const words of [`${long}one`, `${long}two`, "another", `${long}one`])
      await said(name, served, [user(words)], []);
    const [first, again, , back] = served.machine.counts;
    expect([first?.cached, (back?.cached ?? 99) < 10]).toEqual([0, true]);
    expect(again?.cached).toBeGreaterThan(400);
    expect(again?.processed).toBeLessThan(10);
    served.machine.quirks.add("no cache");
    await said(name, served, [user(`${long}one`)], []);
    expect(served.machine.counts.at(-1)?.cached).toBe(0);
  });

  test.each(Object.keys(writers))("lets a call through as %s writes it", async (of) => {
    using served = at(name, { quirks: [`text calls: ${of}`] });
    const heard = await said(name, served);
    expect(callsIn(heard)).toEqual(both);
    expect(joined(heard.events, "text").trim()).toBe("I look.");
  });

  test.each(["no ids", "plain stop", "arguments as text", "bare calls", "no usage"])("%s is borne", async (quirk) => {
    using served = at(name, { quirks: [quirk] });
    expect(callsIn(await said(name, served))).toEqual(both);
  });

  test("without usage there are no counts to be heard", async () => {
    using served = at(name, { quirks: ["no usage"] });
    const { events } = await said(name, served, [user("x")], []);
    expect(events.findLast((event) => event.type === "usage")?.usage.input ?? 0).toBe(0);
  });

  test("a thought between tags, or said again, is a thought", async () => {
    for (const quirk of ["think tags", "think echo"]) {
      using served = at(name, { quirks: [quirk] });
      expect(joined((await said(name, served)).events, "text").trim()).toBe("I look.");
    }
  });

  test.each([
    ["mistral", [user("a"), user("b")]],
    ["gemma", [user("a"), user("b")]],
  ] as const)("the template of %s refuses two messages of a user in a row", async (template, messages) => {
    using served = at(name, { template });
    const { failure } = await said(name, served, [...messages], []);
    expect(failure?.message).toContain("must alternate");
    expect((await said(name, served, [user("a")], [])).failure).toBeUndefined();
  });

  test("a template that turns out to be strict gets messages in the order it wants, from then on", async () => {
    using served = at(name, { template: "mistral" });
    const stream = withTextCalls(await streamTo(benches[apiOf(name)] as Bench, served.url));
    const call = { type: "toolCall" as const, id: "call_a", name: "read", arguments: { path: "a" } };
    const answer = result("call_a", [{ type: "text", text: "A" }]);
    const messages = [user("look"), user("at a"), reply([call]), answer, user("go on")];
    for (const refusals of [1, 1]) {
      const events = await collect(stream, ask(messages, { model: qwenAt(name), tools }));
      expect(failureIn(events)).toBeUndefined();
      expect(served.machine.refusals).toHaveLength(refusals);
    }
    expect(served.machine.seen.at(-1)?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("a template that knows neither calls nor results gets both in words", async () => {
    using served = at(name, { template: "gemma" });
    const call = { type: "toolCall" as const, id: "call_a", name: "read", arguments: { path: "a" } };
    const messages = [user("look"), reply([call]), result("call_a", [{ type: "text", text: "A" }])];
    expect((await said(name, served, messages)).failure).toBeUndefined();
    expect(served.machine.seen.at(-1)?.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
    ]);
  });

  test("a prompt that is too long is refused, or loses its beginning in silence", async () => {
    const messages = Array.from({ length: 9 }, (_, at) => user(`${at} ${"x".repeat(4000)}`));
    using strict = at(name);
    strict.machine.quirks.delete("silent cut");
    expect((await said(name, strict, messages, [])).failure?.kind).toBe("overflow");
    using silent = at(name, { quirks: ["silent cut"] });
    const { events, failure } = await said(name, silent, messages, []);
    expect(failure).toBeUndefined();
    expect(joined(events, "text")).toBe(`told ${silent.machine.seen[0]?.messages.length}`);
    expect(silent.machine.seen[0]?.messages.length).toBeLessThan(5);
    expect(silent.machine.seen[0]?.messages.at(-1)?.text).toStartWith("8 ");
  });

  test("refuses what it cannot do, each in its own words", async () => {
    using served = at(name, { quirks: ["no tools"] });
    expect((await said(name, served, undefined, tools, (stream) => stream)).failure?.message).toMatch(/tool/);
    served.machine.quirks.add("loading");
    expect((await said(name, served)).failure?.message).toMatch(/loading|busy/i);
    served.machine.quirks.clear();
    served.machine.quirks.add("error in stream");
    expect((await said(name, served)).failure?.kind).toBe("server");
    expect(() => emulate(name, { quirks: ["no such"] })).toThrow("no quirk");
  });

  test("an error in an answer of success is an error", async () => {
    using served = at(name, { quirks: ["error in 200", "no tools"] });
    expect((await said(name, served, undefined, tools, (stream) => stream)).failure?.message).toMatch(/tool/);
  });

  test("refuses tools that it said it could call, and its model is told of them in words from then on", async () => {
    const call = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>';
    const wordy: Mind = ({ messages }) => ({ text: /# Tools/.test(messages[0]?.text ?? "") ? call : "what tools?" });
    using served = emulate(name, { mind: wordy, quirks: ["no tools"] });
    const stream = withTextCalls(await streamTo(benches[apiOf(name)] as Bench, served.url));
    const request = ask([user("look at a")], { model: qwenAt(name), tools });
    for (const refusals of [1, 1]) {
      const heard = folded(await collect(stream, request), qwenAt(name)).content;
      expect(heard).toMatchObject([{ type: "toolCall", name: "read", arguments: { path: "a" } }]);
      expect(served.machine.refusals).toHaveLength(refusals);
    }
  });
});

describe.each(names)("%s, by another project's code", (name) => {
  test("is spoken to, its calls are answered, and it goes on", async () => {
    using served = at(name);
    const oracle = await oracleFor("openai-completions", served.url.replace(/(\/v1)?$/, "/v1"), qwen.id);
    if (!oracle) throw new Error("no oracle");
    const prompt: Prompt = [{ role: "user", content: [{ type: "text", text: "look" }] }];
    const given = tools.map(({ name: tool, description, parameters }) => ({
      type: "function" as const,
      name: tool,
      description,
      inputSchema: parameters as { type: "object" },
    }));
    const first = await hear(oracle, prompt, { tools: given });
    expect(first).toMatchObject({ thinking: "a file has to be read", text: "I look.", finish: "tool-calls" });
    expect(first.calls.map(({ name: tool, args }) => [tool, args])).toEqual(both);
    expect(first.usage.input).toBe(served.machine.counts[0]?.prompt ?? -1);
    const output = { type: "text" as const, value: "A" };
    prompt.push(
      { role: "assistant", content: first.content },
      {
        role: "tool",
        content: first.calls.map(({ id, name: tool }) => ({
          type: "tool-result" as const,
          toolCallId: id,
          toolName: tool,
          output,
        })),
      },
    );
    expect(await hear(oracle, prompt, { tools: given })).toMatchObject({ text: "told 4", finish: "stop" });
    expect(served.machine.refusals).toEqual([]);
  });
});

describe("Ollama, by its own client", () => {
  const spec = tools.map((tool) => ({ type: "function" as const, function: tool as never }));
  const look = { model: qwen.id, messages: [{ role: "user", content: "look" }] };

  test("lists, shows, loads and unloads", async () => {
    using served = at("ollama");
    const client = new Ollama({ host: served.url });
    const { models } = await client.list();
    expect(models).toMatchObject([{ name: qwen.id, details: { parameter_size: "8.2B" } }]);
    const shown = await client.show({ model: qwen.id });
    expect(shown.capabilities).toEqual(["completion", "tools", "thinking"]);
    expect((await client.ps()).models).toEqual([]);
    await client.chat({ ...look, options: { num_ctx: 8192 } });
    expect((await client.ps()).models).toMatchObject([{ name: qwen.id, context_length: 8192 }]);
    await client.generate({ model: qwen.id, prompt: "", keep_alive: 0, stream: false });
    expect((await client.ps()).models).toEqual([]);
    expect((await client.version()).version).toMatch(/^\d/);
    expect(client.show({ model: "none" })).rejects.toThrow("not found");
  });

  test("chats, whole and in pieces, and its calls go back", async () => {
    using served = at("ollama");
    const client = new Ollama({ host: served.url });
    const whole = await client.chat({ ...look, tools: spec });
    const calls = (whole.message.tool_calls ?? []).map(({ function: call }) => [call.name, call.arguments]);
    expect(calls).toEqual(both);
    let [text, thinking, counted] = ["", "", 0];
    for await (const part of await client.chat({ ...look, tools: spec, stream: true, think: true })) {
      text += part.message.content;
      thinking += part.message.thinking ?? "";
      counted = part.prompt_eval_count ?? counted;
    }
    expect([text, thinking, counted]).toEqual([
      "I look.",
      "a file has to be read",
      served.machine.counts[1]?.prompt ?? 0,
    ]);
    const results = ["A", "B"].map((content) => ({ role: "tool", content, tool_name: "read" }));
    const messages = [...look.messages, whole.message, ...results];
    expect((await client.chat({ ...look, tools: spec, messages })).message.content).toBe("told 4");
    served.machine.quirks.add("error in stream");
    const broken = (async () => {
      for await (const _ of await client.chat({ ...look, stream: true }));
    })();
    expect(broken).rejects.toThrow("error was encountered");
  });
});
