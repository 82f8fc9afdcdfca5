// Cost of a conversation before anything was said, and growth of the list of tools.
import { expect, test } from "bun:test";
import { benches, type Play, serve } from "../../packages/llm/src/test/index.ts";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const bench = benches["openai-completions"];
if (!bench) throw new Error("no bench for Chat Completions");
const { fake } = bench;

interface Body {
  tools: { function: { name: string } }[];
}
const namesIn = (raw: string): string[] => (JSON.parse(raw) as Body).tools.map((tool) => tool.function.name);

/** The bodies of a run in a project whose AGENTS.md is empty. */
async function bodies(dir: Scratch, argv: readonly string[], ...plays: Play[]): Promise<string[]> {
  dir.write({ "work/AGENTS.md": "", "work/.git/HEAD": "ref: refs/heads/main\n" });
  using served = serve(fake, ...plays);
  const env = { OPENAI_BASE_URL: `${served.url}/v1`, OPENAI_API_KEY: "key-for-tests" };
  const ended = await pith(dir, ["-p", "hi", "--model", "openai/gpt-5.5", ...argv], { env });
  expect([ended.code, served.refusals]).toEqual([0, []]);
  return served.asks.map(({ raw }) => raw);
}

test("the first request is small, and smaller for small models", async () => {
  using dir = scratch();
  const [usual = ""] = await bodies(dir, [], { text: "Hi." });
  expect(Buffer.byteLength(usual)).toBeLessThanOrEqual(14_000);
  expect(namesIn(usual).toSorted()).toEqual("bash edit find job load_tools read search todo write".split(" "));
  dir.write({ "local.yml": "profile: local\n" });
  const [local = ""] = await bodies(dir, ["--config", dir.at("local.yml")], { text: "Hi." });
  expect(Buffer.byteLength(local)).toBeLessThanOrEqual(10_000);
  expect(namesIn(local)).toEqual(["read", "write", "edit", "bash", "search", "find"]);
});

test("what is found is behind what was told before, and is there again when the session goes on", async () => {
  using dir = scratch();
  const call = { id: "call_1", name: "load_tools", args: { query: "search code by structure", limit: 1 } };
  const [first = "", second = ""] = await bodies(dir, [], { calls: [call] }, { text: "Found." });
  expect(namesIn(second)).toEqual([...namesIn(first), "ast_grep"]);
  const told = (raw: string) => JSON.stringify((JSON.parse(raw) as Body).tools);
  expect(told(second)).toStartWith(told(first).slice(0, -1));
  const [third = ""] = await bodies(dir, ["-c"], { text: "Still." });
  expect(told(third)).toBe(told(second));
});

test("the tools that somebody names are exactly these, and a slip is told", async () => {
  using dir = scratch();
  const [body = ""] = await bodies(dir, ["--tools", "resolve, read"], { text: "Hi." });
  expect(namesIn(body)).toEqual(["read", "resolve"]);
  const slip = await pith(dir, ["-p", "hi", "--model", "faux/echo", "--tools", "read,raed"]);
  expect([slip.code, slip.out]).toEqual([2, ""]);
  expect(slip.err).toContain('there is no tool "raed"; did you mean read?');
});
