import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emulate, type Mind, weights } from "@pith/llm/test";
import { runIn } from "../../test/command.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pith-models-"));
  for (const name of ["work", "home"]) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true }));

const pith = (argv: string[], process: Parameters<typeof runIn>[2] = {}) => runIn(root, argv, process);

const key = "sk-canary-0123456789";

test("pith models lists what can be used, and says of the rest why not", async () => {
  const { code, out } = await pith(["models"], { env: { ANTHROPIC_API_KEY: key } });
  expect(code).toBe(0);
  expect(out).toMatch(/^anthropic\/claude-opus-5-5 +1M +128k +\$\d+(?:\.\d+)?\/\$\d+ +thinking images$/m);
  expect(out).not.toMatch(/^openai\//m);
  expect(out).toMatch(/^ {2}openai +set OPENAI_API_KEY \(41 models\)$/m);
  expect(out).toMatch(/^ {2}ollama +nobody answers at http:\/\/127\.0\.0\.1:1$/m);
  expect(out).not.toContain(key);
});

test("pith models narrows by a filter, and says so when none of what fits can be used", async () => {
  const { out } = await pith(["models", "opus", "5"], { env: { ANTHROPIC_API_KEY: key } });
  expect(out.split("\n").flatMap((line) => /^anthropic\/(\S+)/.exec(line)?.[1] ?? [])).toEqual([
    "claude-opus-4-5",
    "claude-opus-4-5-20251101",
    "claude-opus-5",
    "claude-opus-5-5",
  ]);
  // What follows it in a shell is how to make it usable: pith models opus && pith auth add anthropic.
  expect(await pith(["models", "opus"])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ {2}anthropic +set ANTHROPIC_API_KEY \(\d+ models\)$/m),
    err: 'pith: no model that can be used now fits "opus"\n',
  });
  expect((await pith(["models", "zebra"])).code).toBe(1);
  expect((await pith(["models"])).code).toBe(1);
});

test("pith models has headings, and fits the window", async () => {
  const env = { ANTHROPIC_API_KEY: key, COLUMNS: "60" };
  const { out } = await pith(["models"], { env, outIs: "device" });
  const lines = out.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^model +context +output +\$\/M in\/out +can$/);
  expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(60);
  expect((await pith(["models"], { env })).out).toMatch(/^.{61}/m);
});

test("pith models shows the models of the server that a variable names, with the key of a conversation", async () => {
  const seen: string[] = [];
  using server = {
    http: Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        seen.push(`${new URL(request.url).pathname} ${request.headers.get("authorization")}`);
        return Response.json({ data: [{ id: "gpt-4o" }, { id: "alpha-1" }, { id: "beta\u202eno" }] });
      },
    }),
    [Symbol.dispose]() {
      this.http.stop(true);
    },
  };
  const OPENAI_BASE_URL = `http://127.0.0.1:${server.http.port}/v1`;
  const { out } = await pith(["models"], { env: { OPENAI_BASE_URL, OPENAI_API_KEY: key } });
  expect(out.split("\n").flatMap((line) => /^openai\/(\S+) .*/.exec(line)?.[0].replace(/ +/g, " ") ?? [])).toEqual([
    "openai/gpt-4o 128k 16k $2.5/$10 images",
    "openai/alpha-1 128k 16k",
    "openai/beta<202e>no 128k 16k",
  ]);
  expect(seen).toEqual([`/v1/models Bearer ${key}`]);
});

test("a server that does not tell its models can be used by name, and pith models says why not", async () => {
  const answers: Record<string, () => Response> = {
    gone: () => new Response("no", { status: 404 }),
    page: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    half: () => new Response("{", { headers: { "content-type": "application/json" } }),
    other: () => Response.json({}),
    empty: () => Response.json({ data: [] }),
  };
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => answers[new URL(url).pathname.split("/")[1] ?? ""]?.() ?? new Promise<Response>(() => {}),
  });
  const at = (path: string, ...argv: string[]) =>
    pith(["models", ...argv], { env: { OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/${path}` } });
  for (const [path, why] of [
    ["gone", "it answers 404"],
    ["page", "it answers with something that is not JSON"],
    ["half", "its answer is not JSON"],
    ["other", "there is no list in its answer"],
    ["empty", "its list is empty"],
    ["slow", "no answer within 500 ms"],
  ] as const) {
    const { code, out, err } = await at(path);
    expect({ path, code, err }).toEqual({ path, code: 0, err: "" });
    expect(out).toContain(`/${path} does not tell its models: ${why}\n`);
  }
  expect(await at("gone", "--json")).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^pith: openai: .*does not tell its models: it answers 404\n$/),
  });
  const dead = await pith(["models", "openai"], { env: { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" } });
  expect(dead).toMatchObject({
    code: 0,
    out: expect.stringContaining("http://127.0.0.1:1/v1 does not tell its models: nobody answers"),
    err: "",
  });
});

test("pith models tells all of it as JSON", async () => {
  const { out } = await pith(["models", "--json", "gpt-4o-mini"], { env: { OPENAI_API_KEY: key } });
  const rows = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rows.find((row) => row.model === "openai/gpt-4o-mini")).toMatchObject({
    usable: true,
    why: "OPENAI_API_KEY",
    facts: { contextWindow: 128_000 },
  });
  expect(rows.some((row) => !row.usable)).toBe(true);
});

test("pith models refreshes from a list, keeps it, and knows a new model afterwards", async () => {
  const list = {
    openai: {
      models: {
        "gpt-new": {
          name: "New",
          limit: { context: 5000, output: 100 },
          cost: { input: 3, output: 4 },
          modalities: { input: ["text", "image"] },
          reasoning: true,
        },
      },
    },
    nobody: {},
  };
  using server = {
    http: Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(list) }),
    [Symbol.dispose]() {
      this.http.stop(true);
    },
  };
  const env = { OPENAI_API_KEY: key, PITH_MODELS_URL: `http://127.0.0.1:${server.http.port}/api.json` };
  const { code, out, err } = await pith(["models", "--refresh", "gpt-new"], { env });
  expect({ code, err }).toEqual({ code: 0, err: "pith: 1 model of 1 vendor refreshed\n" });
  expect(out).toMatch(/^openai\/gpt-new +5k +100 +\$3\/\$4 +thinking images$/m);
  expect((await pith(["models", "gpt-4o"], { env })).out).toContain("openai/gpt-4o ");
  expect(
    await pith(["models", "--refresh"], { env: { ...env, PITH_MODELS_URL: "http://127.0.0.1:1/" } }),
  ).toMatchObject({
    code: 1,
    err: expect.stringContaining("could not be fetched"),
  });
});

test("pith models of a broken models.yml says where it is broken", async () => {
  writeFileSync(join(root, "home", "models.yml"), "providers:\n  x: { api: [smoke] }\n");
  expect(await pith(["models"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("models.yml:2: providers.x.api: expected one of"),
  });
});

test("pith models probe says what a model can do, and ends badly where it cannot call", async () => {
  const ready = { text: "ready" };
  const calls = [{ id: "call_1", name: "note", args: { word: "red" } }];
  const mind: Mind = ({ tools }) => (tools.length > 0 ? { calls } : ready);
  using served = emulate("ollama", { mind, models: [{ ...weights, window: 32_768 }] });
  const env = { OLLAMA_HOST: served.url };
  const probed = await pith(["models", "probe", `ollama/${weights.id}`], { env });
  expect(probed).toMatchObject({ code: 0, err: "" });
  expect(probed.out).toMatch(/^one tool +yes +by its server's own means$/m);
  expect(probed.out).toMatch(/^parallel tools +no +1 of 2 calls in one answer$/m);
  const listed = await pith(["models", weights.id], { env });
  expect(listed.out).toMatch(/^ollama\/\S+ .*profile local \(probed: calls\)$/m);
  const told = JSON.parse((await pith(["models", weights.id, "--json"], { env })).out);
  expect(told).toMatchObject({ profile: "local", learned: { calls: "native" }, facts: { size: 8.2, local: true } });
  writeFileSync(join(root, "home", "cache", "probes.json"), "{");
  expect((await pith(["models", weights.id], { env })).err).toContain("probes.json: it is not JSON");
  using mute = emulate("ollama", { mind: () => ready, models: [weights] });
  const none = await pith(["models", "probe", `ollama/${weights.id}`, "--json"], { env: { OLLAMA_HOST: mute.url } });
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining("cannot call tools") });
  expect(JSON.parse(none.out)).toMatchObject({ model: `ollama/${weights.id}`, learned: { calls: "none" } });
  expect((await pith(["models", "probe"])).code).toBe(2);
  expect((await pith(["models", "probe", "ollama/x"])).code).toBe(1);
});
