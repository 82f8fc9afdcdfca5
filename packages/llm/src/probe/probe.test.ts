import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { resolveModel } from "../resolve.ts";
import { type Emulated, emulate, type KindName } from "../test/emulate/emulate.ts";
import { qwen } from "../test/emulate/model.ts";
import type { Mind } from "../test/emulate/seen.ts";
import { probe } from "./probe.ts";

/** Does as it is told, with the tools that it has; in words where it is told of them in words. */
const able: Mind = ({ messages, tools, format }) => {
  if (format) return { text: '{"colour":"red"}' };
  const last = messages.at(-1)?.text ?? "";
  if (!last.startsWith("Call the tool note")) return { thinking: "hm", text: "ready" };
  const words = last.includes("twice") ? ["red", "blue"] : ["red"];
  const calls = words.map((word, at) => ({ id: `call_${at}`, name: "note", args: { word } }));
  if (tools.length > 0) return { calls };
  const told = messages.some(({ text }) => text.includes("<tool_call>"));
  const said = calls.map(({ name, args }) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`);
  return { text: told ? said.join("\n") : "I have no tools." };
};
const big = { ...qwen, window: 32_768 };
const variables: Readonly<Record<KindName, string>> = {
  ollama: "OLLAMA_HOST",
  "llama.cpp": "LLAMA_CPP_BASE_URL",
  "lm-studio": "LM_STUDIO_BASE_URL",
  vllm: "VLLM_BASE_URL",
};
const at = (kind: KindName, { url }: Emulated, home: string) => ({ env: { [variables[kind]]: url }, home });
const run = async (kind: KindName, served: Emulated, home: string) => {
  const probed = await probe(`${kind}/${qwen.id}`, at(kind, served, home), new AbortController().signal);
  if (!probed.ok) throw new Error(probed.message);
  const verdicts = Object.fromEntries(probed.value.findings.map(({ name, verdict }) => [name, verdict]));
  return { ...probed.value, verdicts };
};
const toolsOf = async (kind: KindName, served: Emulated, home: string) => {
  const resolved = await resolveModel(`${kind}/${qwen.id}`, at(kind, served, home));
  return resolved.ok ? resolved.value.model.tools : resolved.message;
};

test.each(Object.keys(variables) as KindName[])("%s: what works is found, and nothing else", async (kind) => {
  using dir = scratch();
  using served = emulate(kind, { mind: able, models: [big] });
  const { verdicts, learned, notes } = await run(kind, served, dir.at("home"));
  expect(verdicts).toMatchObject({
    "plain text": "yes",
    "one tool": "yes",
    "parallel tools": "yes",
    thinking: "yes",
    "JSON schema": "yes",
    image: "no",
    "served context": "yes",
    "stop behaviour": "yes",
  });
  expect(verdicts["streamed arguments"]).toBe(kind === "ollama" ? "no" : "yes");
  expect(verdicts["prefix reuse"]).toBe(kind === "llama.cpp" || kind === "vllm" ? "yes" : "unknown");
  expect([learned.calls, notes]).toEqual(["native", []]);
});

test("a model whose server takes no tools is told of them in words from then on, until it is another", async () => {
  using dir = scratch();
  using served = emulate("ollama", { mind: able, models: [big], quirks: ["no tools"] });
  expect(await toolsOf("ollama", served, dir.at("home"))).toBeUndefined();
  expect((await run("ollama", served, dir.at("home"))).learned).toMatchObject({
    calls: "text",
    dialect: "Hermes, Qwen",
    profile: "local",
  });
  expect(await toolsOf("ollama", served, dir.at("home"))).toBe(false);
  served.machine.quirks.add("says no tools");
  served.machine.quirks.delete("no tools");
  expect((await run("ollama", served, dir.at("home"))).learned.calls).toBe("native");
  expect(await toolsOf("ollama", served, dir.at("home"))).toBe(true);
});

test("models.yml wins over what was learned", async () => {
  using dir = scratch();
  using served = emulate("vllm", { mind: able, models: [big], quirks: ["no tools"] });
  await run("vllm", served, dir.at("home"));
  expect(await toolsOf("vllm", served, dir.at("home"))).toBe(false);
  dir.write({ "home/models.yml": `providers:\n  vllm:\n    models:\n      - id: ${JSON.stringify(qwen.id)}\n` });
  expect(await toolsOf("vllm", served, dir.at("home"))).not.toBe(false);
});

test("a call that its server lets through as text is heard, and so is its dialect", async () => {
  using dir = scratch();
  using served = emulate("llama.cpp", { mind: able, models: [big], quirks: ["text calls: GLM"] });
  expect((await run("llama.cpp", served, dir.at("home"))).learned).toMatchObject({ calls: "native", dialect: "GLM" });
});

test("a prompt that is cut in silence gives a smaller window, and a broken file none", async () => {
  using dir = scratch();
  using served = emulate("vllm", { mind: able, models: [{ ...qwen, window: 8000 }], quirks: ["silent cut"] });
  served.machine.quirks.add("small window");
  const { verdicts, learned } = await run("vllm", served, dir.at("home"));
  expect([verdicts["served context"], learned.window]).toEqual(["no", 1999]);
  const resolved = await resolveModel(`vllm/${qwen.id}`, at("vllm", served, dir.at("home")));
  expect(resolved.ok && resolved.value.model.contextWindow).toBe(1999);
  const file = dir.at("home/cache/probes.json");
  const rows = JSON.parse(readFileSync(file, "utf8")) as Record<string, object>;
  for (const broken of [
    "{",
    "[]",
    JSON.stringify({ [Object.keys(rows)[0] ?? ""]: { calls: "text", at: 1, window: 3 } }),
  ]) {
    dir.write({ "home/cache/probes.json": broken });
    expect(await toolsOf("vllm", served, dir.at("home"))).toBeUndefined();
    const resolved = await resolveModel(`vllm/${qwen.id}`, at("vllm", served, dir.at("home")));
    expect(resolved.ok && resolved.value.notes).toEqual([expect.stringMatching(/^\S*probes\.json: .*not used/)]);
  }
});

test("a model that cannot call, and one that does not answer, are told apart", async () => {
  using dir = scratch();
  using served = emulate("vllm", { mind: () => ({ text: "I am a poet." }), models: [big] });
  expect((await run("vllm", served, dir.at("home"))).learned.calls).toBe("none");
  const from = at("vllm", served, dir.at("home"));
  served.machine.quirks.add("loading");
  const silent = await probe(`vllm/${qwen.id}`, from, new AbortController().signal);
  expect(silent).toMatchObject({ ok: false, kind: "unreachable" });
});

test("a model that cannot be given tools is told of them in the words in which it writes calls by itself", async () => {
  using dir = scratch();
  const stubborn: Mind = (seen) => {
    const { text = "", ...rest } = able(seen);
    const written = '<invoke name="note"><parameter name="word">red</parameter></invoke>';
    return { ...rest, text: text.startsWith("<tool_call>") ? written : text };
  };
  using served = emulate("vllm", { mind: stubborn, models: [big], quirks: ["no tools"] });
  expect((await run("vllm", served, dir.at("home"))).learned).toMatchObject({ dialect: "Anthropic, MiniMax" });
  const resolved = await resolveModel(`vllm/${qwen.id}`, at("vllm", served, dir.at("home")));
  if (!resolved.ok) throw new Error(resolved.message);
  const { model, stream } = resolved.value;
  const tools = [{ name: "note", description: "Notes.", parameters: {} }];
  const messages = [{ role: "user" as const, content: "hi", timestamp: 0 }];
  const request = { model, purpose: "main" as const, system: [], messages, tools };
  for await (const _ of stream(request, new AbortController().signal));
  const [system] = served.machine.seen.at(-1)?.messages ?? [];
  expect(system?.text).toContain('<invoke name="tool name">');
  expect(system?.text).not.toContain("<tool_call>");
});

test("a learned window is forgotten when the server reports another one; the rest stays", async () => {
  using dir = scratch();
  const models = [{ ...qwen, window: 8000 }];
  using served = emulate("vllm", { mind: able, models, quirks: ["no tools", "silent cut", "small window"] });
  await run("vllm", served, dir.at("home"));
  const facts = async () => {
    const resolved = await resolveModel(`vllm/${qwen.id}`, at("vllm", served, dir.at("home")));
    return resolved.ok ? [resolved.value.model.contextWindow, resolved.value.model.tools] : [];
  };
  expect(await facts()).toEqual([1999, false]);
  models[0] = { ...qwen, window: 16_000 };
  expect(await facts()).toEqual([16_000, false]);
});

test("a server that takes a picture and drops it is not said to show it", async () => {
  const blind: Mind = (seen) => able(seen);
  const sees: Mind = (seen) => (seen.messages.at(-1)?.images ? { text: "Red." } : able(seen));
  for (const [mind, verdict] of [
    [blind, "unknown"],
    [sees, "yes"],
  ] as const) {
    using dir = scratch();
    using served = emulate("ollama", { mind, models: [{ ...big, can: ["tools", "vision"] }] });
    const { verdicts, learned } = await run("ollama", served, dir.at("home"));
    expect([verdicts.image, learned.images]).toEqual([verdict, verdict === "yes" ? true : undefined] as never);
  }
});
