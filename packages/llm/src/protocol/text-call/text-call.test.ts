import { expect, test } from "bun:test";
import type { Message } from "../../message/message.ts";
import type { Request } from "../../message/stream.ts";
import { resolveModel } from "../../resolve.ts";
import { collect, folded, joined, reply, result, user } from "../../test/fixture.ts";
import { benches, streamTo } from "../../test/lab.ts";
import { serve } from "../../test/serve.ts";
import { withTextCalls } from "./text-call.ts";

const bench = benches["ollama-chat"];
if (!bench) throw new Error("no bench for Ollama");
const wordy = { ...bench.model, id: "wordy", tools: false, reasoning: false };
const tools = [
  {
    name: "read",
    description: "Reads a file.",
    parameters: { type: "object", properties: { path: { type: "string" } } },
  },
];
const body = (raw: string | undefined) =>
  JSON.parse(raw ?? "{}") as { tools?: unknown; messages: { role: string; content: string; tool_calls?: unknown }[] };

test("a model that cannot call tools is told of them in words, calls by text, and gets results as text", async () => {
  using served = serve(
    bench.fake,
    { text: 'I look.\n<tool_call>{"name": "read", "arguments": {"path": "a.ts"}}</tool_call>' },
    { text: "It is fine." },
  );
  const stream = withTextCalls(await streamTo(bench, served.url));
  const messages: Message[] = [user("is a.ts fine?")];
  const request: Request = { model: wordy, purpose: "main", system: ["be brief"], messages, tools };
  const events = await collect(stream, request);
  expect(events.at(-1)).toMatchObject({ type: "stop", reason: "toolUse" });
  const answer = folded(events, wordy);
  expect(answer.content).toMatchObject([
    { type: "text", text: "I look.\n" },
    { type: "toolCall", name: "read", arguments: { path: "a.ts" } },
  ]);
  const id = answer.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : []))[0] ?? "";
  messages.push(answer, result(id, [{ type: "text", text: "const a = 1;" }]));
  expect(joined(await collect(stream, request), "text")).toBe("It is fine.");

  expect(served.refusals).toEqual([]);
  const [first, second] = served.asks.map(({ raw }) => body(raw));
  expect(first).not.toHaveProperty("tools");
  expect(first?.messages[0]?.content).toStartWith("be brief\n\n# Tools");
  expect(first?.messages[0]?.content).toContain('## read\nReads a file.\nArguments: {"type":"object"');
  expect(second?.messages.slice(2)).toEqual([
    { role: "assistant", content: "I look.\n\n[Called:] read" },
    { role: "user", content: "[read result]\nconst a = 1;" },
  ]);
  // The second request begins with the whole first one.
  expect(served.asks[1]?.raw).toStartWith(served.asks[0]?.raw.slice(0, -"]}".length) ?? "-");
});

test("results of one batch are one message, and the same messages are put into words once", async () => {
  const seen: Request[] = [];
  const stream = withTextCalls(async function* (request) {
    seen.push(request);
    yield [{ type: "stop", reason: "stop" }];
  });
  const call = (id: string) => ({ type: "toolCall" as const, id, name: "read", arguments: {} });
  const messages: Message[] = [
    user("x"),
    reply([call("1"), call("2")]),
    result("1", [{ type: "text", text: "A" }]),
    { ...result("2", []), isError: true },
    user("y"),
  ];
  const request: Request = { model: wordy, purpose: "main", system: ["s"], messages, tools };
  await collect(stream, request);
  await collect(stream, { ...request, messages: [...messages, reply([{ type: "text", text: "z" }]), user("more")] });
  expect(seen[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "user"]);
  expect(seen[0]?.messages[2]).toMatchObject({
    content: [{ text: "[read result]" }, { text: "A" }, { text: "[read result] (failed)" }],
  });
  for (const [at, message] of (seen[0]?.messages ?? []).entries()) expect(seen[1]?.messages[at]).toBe(message);
  expect(seen[1]?.system).toBe(seen[0]?.system ?? []);
});

test("a model that can call tools is asked as ever, and heard when a call slipped through as text", async () => {
  using served = serve(bench.fake, { text: "<function=read>\n<parameter=path>\na.ts\n</parameter>\n</function>" });
  const stream = withTextCalls(await streamTo(bench, served.url));
  const events = await collect(stream, {
    model: bench.model,
    purpose: "main",
    system: [],
    messages: [user("x")],
    tools,
  });
  expect(body(served.asks[0]?.raw).tools).toHaveLength(1);
  expect(folded(events, bench.model).content).toMatchObject([
    { type: "toolCall", name: "read", arguments: { path: "a.ts" } },
  ]);
  expect(joined(events, "text")).toBe("");
});

test("the local vendors are heard that way", async () => {
  const chat = benches["openai-completions"];
  if (!chat) throw new Error("no bench for Chat Completions");
  using served = serve(chat.fake, { text: '<tool_call>{"name": "read", "arguments": {}}</tool_call>' });
  const resolved = await resolveModel("vllm/some-model", {
    env: { VLLM_BASE_URL: served.url, VLLM_API_KEY: "key-for-tests" },
  });
  if (!resolved.ok) throw new Error(resolved.message);
  const events = await collect(resolved.value.stream, {
    model: resolved.value.model,
    purpose: "main",
    system: [],
    messages: [user("x")],
    tools,
  });
  expect(events.at(-1)).toMatchObject({ type: "stop", reason: "toolUse" });
});

const call = '<tool_call>{"name": "read", "arguments": {"path": "b.ts"}}</tool_call>';
/** Calls in an answer of the local model that says this after these messages. */
async function callsAfter(text: string, messages: Message[], model = bench?.model ?? wordy) {
  const stream = withTextCalls(async function* () {
    yield [{ type: "text", index: 0, delta: text }];
    yield [{ type: "stop", reason: "stop" }];
  });
  const heard = folded(await collect(stream, { model, purpose: "main", system: [], messages, tools }), model).content;
  return heard.flatMap((part) => (part.type === "toolCall" ? [part.id] : [`text: ${"text" in part ? part.text : ""}`]));
}

test.each([
  ["as it is", `# Notes\n${call}\nend`, call],
  ["behind a line number", `1: # Notes\n2: ${call}\n`, call],
  [
    "over several lines",
    `7: ${call.replace("{", "\n8: {").replace("</", "\n9: </")}`,
    call.replace("{", "\n{").replace("</", "\n</"),
  ],
  ["without marks", `x ${call}`, call.replace(/<.*?>/g, "")],
  ["without marks in a fence", `x ${call}`, `\`\`\`json\n${call.replace(/<.*?>/g, "")}\n\`\`\``],
])("what stands word for word in a result is a quotation: %s", async (_, shown, said) => {
  const asked = reply([{ type: "toolCall", id: `call_${"0".repeat(32)}`, name: "read", arguments: {} }]);
  const messages = (text: string) => [user("x"), asked, result(`call_${"0".repeat(32)}`, [{ type: "text", text }])];
  expect(await callsAfter(said, messages(shown))).toEqual([`text: ${said}`]);
  expect(await callsAfter(said, messages(shown.replace("b.ts", "c.ts")))).toEqual([expect.stringMatching(/^call_/)]);
});

test("after a native call a model is not searched for calls in text; after one in text it is", async () => {
  const model = bench.model;
  const called = (id: string, by = model.id) => [
    user("x"),
    { ...reply([{ type: "toolCall", id, name: "read", arguments: {} }]), provider: model.vendor, model: by },
    result(id, []),
  ];
  expect(await callsAfter(call, called("call_native"))).toEqual([`text: ${call}`]);
  expect(await callsAfter(call, called("call_native", "another"))).toEqual([expect.stringMatching(/^call_/)]);
  const [first = ""] = await callsAfter(call, [user("x")]);
  expect(await callsAfter(call, called(first))).toEqual([expect.stringMatching(/^call_/)]);
  // A model that is told of its tools in words has no native calls.
  expect(await callsAfter(call, called("call_native"), { ...model, tools: false })).toEqual([
    expect.stringMatching(/^call_/),
  ]);
});

test("a native call is remembered when a compaction has taken it from the history", async () => {
  let native = true;
  const stream = withTextCalls(async function* () {
    if (native) yield [{ type: "call", index: 0, id: "", name: "read" }];
    else yield [{ type: "text", index: 0, delta: call }];
    yield [{ type: "stop", reason: "stop" }];
  });
  const request = (session: string): Request => ({
    model: bench.model,
    purpose: "main",
    system: [],
    messages: [user("x")],
    tools,
    session,
  });
  await collect(stream, request("one"));
  native = false;
  expect(joined(await collect(stream, request("one")), "text")).toBe(call);
  expect(joined(await collect(stream, request("two")), "text")).toBe("");
});
