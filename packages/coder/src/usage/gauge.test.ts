import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { loadCounting, type Message, type Model, noUsage, type Usage } from "@pith/llm";
import { samples, type Tokenizer, tokenizers } from "@pith/llm/test";
import { model, reply } from "../test/scripted.ts";
import { Gauge } from "./gauge.ts";

const user = (content: string): Message => ({ role: "user", content, timestamp: 0 });
const result = (text: string): Message => ({
  role: "toolResult",
  toolCallId: "1",
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 0,
});
const says = (text: string, usage: Partial<Usage>, id = "a") =>
  reply({ content: [{ type: "text", text }], usage: { ...noUsage(), ...usage }, model: id });
const prompt = {
  system: [samples.prose?.(0) ?? "", samples.prose?.(1) ?? ""],
  tools: [{ name: "read", description: samples.prose?.(2) ?? "", parameters: { type: "object" } }],
};

/** A conversation whose server counts with a vocabulary of its own, and answers with what it counted. */
async function talk(count: Tokenizer, home?: string, asked: Partial<Model> = {}) {
  const counting = await loadCounting();
  const messages: Message[] = [];
  const state = { model: model("a", { contextWindow: 100_000, ...asked }), messages, stale: 0, prompt };
  const calibrations = new counting.Calibrations(home);
  const gauge = new Gauge({
    counting,
    calibrations,
    model: () => state.model,
    prompt: () => state.prompt,
    shown: () => state,
    now: () => 0,
  });
  const textOf = ({ content }: Message) =>
    typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("");
  const truth = () => {
    const fixed = [...state.prompt.system, JSON.stringify(state.prompt.tools)].reduce(
      (sum, text) => sum + count(text),
      0,
    );
    return state.messages.reduce((sum, message) => sum + count(textOf(message)) + 5, fixed + 30);
  };
  /** Runs an exchange and returns the error of the estimate of its request. */
  const exchange = (asks: Message[], answer: string): number => {
    state.messages.push(...asks);
    const real = truth();
    const off = Math.abs(gauge.size() / real - 1);
    const cached = Math.floor(real / 2);
    state.messages.push(
      says(answer, { input: real - cached, cacheRead: cached, output: count(answer) }, state.model.id),
    );
    return off;
  };
  return { state, gauge, calibrations, truth, exchange };
}

test("after two turns the next request is known within a twentieth, whatever is said in it", async () => {
  const kinds = Object.values(samples);
  for (const load of Object.values(tokenizers)) {
    const count = await load();
    for (let first = 0; first < kinds.length; first++) {
      const { exchange } = await talk(count);
      const offs = Array.from({ length: 8 }, (_, turn) => {
        const at = (first + turn * 3) % kinds.length;
        const [asked, read, said] = [0, 1, 2].map((more) => kinds[(at + more) % kinds.length]?.(turn) ?? "");
        return exchange([user(asked ?? ""), result((read ?? "").repeat(3))], said ?? "");
      });
      expect(Math.max(...offs.slice(2))).toBeLessThan(0.05);
    }
  }
}, 60_000);

test("what a model taught is known in the next session, and a broken note of it is no loss", async () => {
  using dir = scratch();
  // A vocabulary that nobody knows: half as many tokens again.
  const count: Tokenizer = (text) => Math.ceil(text.length / 2.6);
  const one = await talk(count, dir.path);
  expect(one.exchange([user(samples.prose?.(3) ?? "")], "Yes.")).toBeGreaterThan(0.3);
  one.gauge.learn();
  const two = await talk(count, dir.path);
  expect(two.exchange([user(samples.prose?.(4) ?? "")], "Yes.")).toBeLessThan(0.05);
  for (const broken of ["", "{", "[]", "null", '{"test/a":null}', '{"test/a":{"counted":-1,"told":"x","at":0}}']) {
    writeFileSync(dir.at("cache/tokens.json"), broken);
    const three = await talk(count, dir.path);
    expect(three.gauge.size()).toBeGreaterThan(0);
    expect(three.calibrations.factor(three.state.model)).toBe(1);
  }
});

test("a server that reports nothing, or nonsense, is not believed", async () => {
  const { state, gauge, truth } = await talk(await tokenizers.gpt());
  const wrong: Partial<Usage>[] = [{}, { input: 3 }, { input: 9_000_000 }, { input: Number.NaN }, { input: -50 }];
  for (const usage of wrong) {
    state.messages.push(user(samples.code?.(1) ?? ""), says(samples.prose?.(5) ?? "", usage));
    expect(Math.abs(gauge.size() / truth() - 1)).toBeLessThan(0.1);
  }
  expect(gauge.view().told).toBe(0);
});

test("another model's figure is carried over by what is known of both; thoughts count only where kept", async () => {
  const gpt = await tokenizers.gpt();
  const wide: Tokenizer = (text) => gpt(text) * 2;
  const { state, gauge, exchange, truth } = await talk(gpt);
  exchange([user(samples.prose?.(1) ?? ""), result((samples.code?.(2) ?? "").repeat(4))], "Done.");
  const before = gauge.size();
  state.messages.push(
    reply({
      content: [
        { type: "thinking", thinking: (samples.prose?.(7) ?? "").repeat(9) },
        { type: "text", text: "Done." },
      ],
      usage: { ...noUsage(), input: truth(), output: 4000, reasoning: 3990 },
    }),
  );
  expect(gauge.size() - before).toBeLessThan(200);
  const other = await talk(wide, undefined, { id: "b" });
  other.exchange([user(samples.prose?.(1) ?? "")], "Yes.");
  other.exchange([user(samples.prose?.(2) ?? "")], "Yes.");
  const then = other.gauge.size();
  // Asked of a model that counts like ours, it is half as much.
  other.state.model = model("c", { contextWindow: 100_000 });
  expect(Math.abs(other.gauge.size() / (then / 2) - 1)).toBeLessThan(0.1);
});

test("what was answered in another context tells nothing of this one, and more tools are counted at once", async () => {
  const { state, gauge, exchange, truth } = await talk(await tokenizers.gpt());
  for (let turn = 0; turn < 4; turn++) exchange([user((samples.code?.(turn) ?? "").repeat(5))], "Done.");
  // As after a compaction: a summary, and the last exchange.
  state.messages = [user("A short summary."), ...state.messages.slice(-2)];
  state.stale = state.messages.length;
  expect(Math.abs(gauge.size() / truth() - 1)).toBeLessThan(0.1);
  state.stale = 1;
  exchange([user("go on")], "Done.");
  const before = gauge.size();
  const more = { name: "search", description: (samples.prose?.(3) ?? "").repeat(4), parameters: { type: "object" } };
  state.prompt = { ...state.prompt, tools: [...state.prompt.tools, more] };
  expect(gauge.size()).toBeGreaterThan(before + 300);
  expect(Math.abs(gauge.size() / truth() - 1)).toBeLessThan(0.05);
});

test("the categories add up to the size, and long prompts count as files", async () => {
  const { state, gauge, exchange } = await talk(await tokenizers.gpt());
  exchange([user("short"), user("x ".repeat(300)), result(samples.json?.(1) ?? "")], "Done.");
  const { categories, size, window, told, model: name } = gauge.view();
  const { total, ...shares } = categories;
  expect(Object.values(shares).reduce((sum, tokens) => sum + tokens, 0)).toBe(total);
  expect([total, window, name]).toEqual([size, 100_000, "test/a"]);
  expect(Object.values(shares).every((tokens) => tokens > 0)).toBe(true);
  expect(categories.files).toBeGreaterThan(categories.messages);
  expect(told).toBe(size);
  expect(state.messages).toHaveLength(4);
});

test("looking costs only what is new, however long the conversation is", async () => {
  const { state, gauge } = await talk(() => 0);
  const reads = { count: 0 };
  const counted = (text: string): Message =>
    new Proxy(user(text), {
      get(target, name) {
        reads.count++;
        return Reflect.get(target, name);
      },
    });
  for (let at = 0; at < 2000; at++) state.messages.push(counted(`message ${at}`));
  gauge.size();
  reads.count = 0;
  state.messages.push(counted("one more"));
  gauge.size();
  expect(reads.count).toBeLessThan(20);
});
