// Small models on a server of one's own: how they are worked with, and what is told of it.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { countText } from "../../packages/llm/src/index.ts";
import { emulate, type Mind, weights } from "../../packages/llm/src/test/index.ts";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const ready: Mind = () => ({ text: "Ready. [TASK_COMPLETE]" });
const small = { ...weights, window: 32_768 };
const large = { ...small, id: "qwen3:72b", size: "72.7B" };
type Prompt = { profile?: string; tools: { name: string }[]; system: string[] };

/** System prompts of the only session, in order. */
function prompts(dir: Scratch): Prompt[] {
  const [file = ""] = [...new Bun.Glob("**/*.jsonl").scanSync({ cwd: dir.at("home"), absolute: true, dot: true })];
  const entries = readFileSync(file, "utf8").trim().split("\n");
  return entries.flatMap((line) => {
    const { customType, data } = JSON.parse(line);
    return customType === "pith.prompt" ? [data] : [];
  });
}

test("a small model begins with few words and six tools, and stays in its server's memory", async () => {
  using dir = scratch();
  using served = emulate("ollama", { mind: ready, models: [small] });
  dir.write({ "work/package.json": '{ "scripts": { "test": "true" } }', "work/src/a.ts": "", "work/README.md": "" });
  const argv = ["-p", "Say ready.", "--model", `ollama/${small.id}`, "--record", dir.at("tape")];
  expect(await pith(dir, argv, { env: { OLLAMA_HOST: served.url } })).toMatchObject({ code: 0 });
  const [first] = served.machine.seen;
  expect(first?.tools.map(({ name }) => name)).toEqual(["read", "write", "edit", "bash", "search", "find"]);
  expect(countText(JSON.stringify([first?.messages, first?.tools]))).toBeLessThan(2500);
  expect(readFileSync(dir.at("tape"), "utf8")).toMatch(/keep_alive\\?":\\?"30m/);
});

test("a large model on this machine is worked with as any other, unless models.yml says otherwise", async () => {
  using served = emulate("ollama", { mind: ready, models: [large, small] });
  const of = async (yml: string, id: string, set = "auto") => {
    using dir = scratch();
    dir.write({ "home/.pith/models.yml": yml, "set.yml": `profile: ${set}\n` });
    const argv = ["-p", "hi", "--model", `ollama/${id}`, "--config", dir.at("set.yml")];
    await pith(dir, argv, { env: { OLLAMA_HOST: served.url } });
    return prompts(dir).map(({ profile }) => profile);
  };
  const says = (profile: string, id: string) =>
    `providers:\n  ollama:\n    modelOverrides:\n      "${id}":\n        profile: ${profile}\n`;
  expect(await of("", large.id)).toEqual(["default"]);
  expect(await of(says("local", large.id), large.id)).toEqual(["local"]);
  expect(await of(says("default", small.id), small.id)).toEqual(["default"]);
  expect(await of(says("default", small.id), small.id, "local")).toEqual(["local"]);
});

test("whoever goes on with a model of another profile is told so once, and that one is told all anew", async () => {
  using dir = scratch();
  using served = emulate("ollama", { mind: ready, models: [large, small] });
  const env = { OLLAMA_HOST: served.url };
  const on = (id: string) => pith(dir, ["-p", "hi", "-c", "--model", `ollama/${id}`], { env });
  for (const id of [small.id, small.id]) expect((await on(id)).err).not.toContain("anew");
  expect((await on(large.id)).err).toContain("gets its instructions again");
  expect((await on(large.id)).err).not.toContain("anew");
  expect(prompts(dir).map(({ profile }) => profile)).toEqual(["local", "default"]);
});

test("what is known of a model costs no request before the first one leaves", async () => {
  using served = emulate("ollama", { mind: ready, models: [small] });
  const asked: string[] = [];
  using front = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      const body = request.method === "POST" ? await request.text() : undefined;
      return fetch(`${served.url}${pathname}`, { method: request.method, body });
    },
  });
  using dir = scratch();
  const env = { OLLAMA_HOST: `http://127.0.0.1:${front.port}` };
  const before = async (profile: string) => {
    dir.write({ "set.yml": `profile: ${profile}\n` });
    asked.length = 0;
    const argv = ["-p", "hi", "--model", `ollama/${small.id}`, "--config", dir.at("set.yml")];
    expect(await pith(dir, argv, { env })).toMatchObject({ code: 0 });
    return asked.slice(0, asked.indexOf("/api/chat"));
  };
  const bare = await before("default");
  expect(await before("auto")).toEqual(bare);
  expect(await pith(dir, ["models", "probe", `ollama/${small.id}`], { env })).toMatchObject({ code: 1 });
  expect(await before("auto")).toEqual(bare);
});

/** Reads one file after the other, whatever it has forgotten. */
const reader = (): Mind => {
  let read = 0;
  return ({ format }) => {
    if (format !== undefined) return { text: '{"intent":"analyze","needsWrite":false,"reasoning":"x"}' };
    if (++read > 30) return { text: "All read. [TASK_COMPLETE]" };
    return { calls: [{ id: `call_${read}`, name: "read", args: { path: `${read}.txt` } }] };
  };
};
const tales = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => [`work/${at}.txt`, `${at} ${"a tale of herons and lakes ".repeat(60)}\n`]),
);

test.each([
  ["a server that drops what is too long", ["silent cut", "small window", "no window"], "drop the beginning"],
  ["a server that has reserved less than was asked for", ["small window"], "gives it 8,192 tokens, not the 32,768"],
  ["a server that counts only what is new", ["fresh counts"], ""],
  ["a server that does as it says", [], ""],
])("%s is told of in one line, with what to set, or not at all", async (_, quirks, line) => {
  using dir = scratch();
  dir.write(tales);
  using served = emulate("ollama", { mind: reader(), models: [small], quirks });
  const { err } = await pith(dir, ["-p", "Read all.", "--yolo", "--model", `ollama/${small.id}`, "-c"], {
    env: { OLLAMA_HOST: served.url, OLLAMA_CONTEXT_LENGTH: "32768" },
  });
  const told = err.split("\n").filter((one) => one.includes("OLLAMA_CONTEXT_LENGTH"));
  expect(told).toHaveLength(line === "" ? 0 : 1);
  if (line !== "") expect(told[0]).toContain(line);
});

test("a window that the prompt and the tools take half of is told of before the work", async () => {
  using dir = scratch();
  using served = emulate("ollama", { mind: ready, models: [small] });
  const on = async (size: string) =>
    (
      await pith(dir, ["-p", "hi", "--model", `ollama/${small.id}`], {
        env: { OLLAMA_HOST: served.url, OLLAMA_CONTEXT_LENGTH: size },
      })
    ).err;
  expect(await on("2048")).toMatch(/take about [\d,]+ of the 2,048 tokens/);
  expect(await on("32768")).not.toContain("OLLAMA_CONTEXT_LENGTH");
});
