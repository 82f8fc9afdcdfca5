// Limits of spending, the reported costs, and whether requests can be cached.
import { expect, test } from "bun:test";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const priced = (dir: Scratch, ...turns: unknown[]) => {
  dir.write({
    "script.json": JSON.stringify({ model: { cost: { input: 10, output: 100, cacheRead: 1, cacheWrite: 0 } }, turns }),
  });
  return ["--model", dir.at("script.json")];
};
const read = { calls: [{ tool: "read", input: { path: ".keep" } }] };
const used = { input: 10_000, output: 1000, cacheRead: 5000 };

test("a run stops between requests when its budget is used up: exit code 1, a result for every call", async () => {
  using dir = scratch();
  const model = priced(dir, { ...read, usage: used }, { ...read, usage: used }, { text: "too much" });
  const money = await pith(dir, ["-p", "go", ...model, "--max-cost", "0.3"]);
  expect(money).toEqual({
    code: 1,
    signal: null,
    out: "",
    err: "pith: The budget of $0.3 (--max-cost) is used up: $0.4100 so far.\n",
  });
  const tokens = await pith(dir, ["-p", "go", ...model, "--max-tokens", "16000"]);
  expect(tokens).toMatchObject({
    code: 1,
    err: "pith: The budget of 16000 tokens (--max-tokens) is used up: 16000 so far.\n",
  });
  expect(await pith(dir, ["-p", "go", ...model, "--max-cost", "5"])).toMatchObject({ code: 0, out: "too much\n" });
});

test("a budget in money is refused where the price is not known, and an odd amount is a usage error", async () => {
  using dir = scratch();
  const far = { OPENAI_API_KEY: "sk-0123456789abcdef" };
  const unknown = await pith(dir, ["-p", "go", "--model", "openai/of-tomorrow", "--max-cost", "1"], { env: far });
  expect(unknown).toMatchObject({
    code: 2,
    err: expect.stringContaining("the prices of openai/of-tomorrow are not known"),
  });
  for (const amount of ["0", "-1", "much"]) expect((await pith(dir, ["-p", "x", "--max-cost", amount])).code).toBe(2);
});

test("pith stats adds up what sessions used", async () => {
  using dir = scratch();
  const model = priced(dir, { ...read, usage: used }, { text: "done", usage: used });
  await pith(dir, ["-p", "go", ...model]);
  await pith(dir, ["-p", "go", ...model]);
  const { code, out } = await pith(dir, ["stats", "--by", "model"]);
  expect(code).toBe(0);
  expect(out).toMatch(/script\.json +4 +40k +20k +0 +4000 +\$0\.82$/m);
  const project = await pith(dir, ["stats", "--json", "--by", "project"]);
  expect(JSON.parse(project.out.split("\n")[0] ?? "")).toMatchObject({
    by: "project",
    key: dir.at("work"),
    replies: 4,
    cost: expect.closeTo(0.82),
  });
});

test("an attempt that failed is paid for too, by the budget and in the sums, but is no reply", async () => {
  using dir = scratch();
  dir.write({ "quick.yml": "retry:\n  baseDelayMs: 5\n" });
  const model = [
    ...priced(dir, { text: "half", usage: used, cut: true }, { text: "whole", usage: used }),
    "--config",
    dir.at("quick.yml"),
  ];
  expect(await pith(dir, ["-p", "go", ...model])).toMatchObject({ code: 0, out: "whole\n" });
  expect((await pith(dir, ["stats", "--by", "model"])).out).toMatch(/script\.json +1 +20k +10k +0 +2000 +\$0\.41$/m);
  const stopped = await pith(dir, ["-p", "go", ...model, "--max-cost", "0.2"]);
  expect(stopped).toMatchObject({ code: 1, err: expect.stringContaining("is used up: $0.2050 so far.") });
});

test("every request begins with the whole one before it, and PITH_CACHE_DEBUG=1 says so", async () => {
  using dir = scratch();
  const { code, err } = await pith(dir, ["-p", "go", ...priced(dir, read, read, { text: "done" })], {
    env: { PITH_CACHE_DEBUG: "1" },
  });
  expect(code).toBe(0);
  expect(err).toBe("pith: cache: kept: 1 messages as before, 2 new\npith: cache: kept: 3 messages as before, 2 new\n");
});
