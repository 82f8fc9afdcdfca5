import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeIo } from "../test/fake.ts";
import { run } from "./run.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pith-vendor-"));
  for (const name of ["work", "home"]) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true }));

const key = "sk-canary-0123456789";
// Nothing on this machine may be found by chance.
const nowhere = {
  OLLAMA_HOST: "127.0.0.1:1",
  LM_STUDIO_BASE_URL: "http://127.0.0.1:1/v1",
  LLAMA_CPP_BASE_URL: "http://127.0.0.1:1",
  VLLM_BASE_URL: "http://127.0.0.1:1/v1",
  LITELLM_BASE_URL: "http://127.0.0.1:1",
};

async function pith(argv: string[], given: Parameters<typeof fakeIo>[0] = {}) {
  const io = fakeIo({ cwd: join(root, "work"), home: join(root, "home"), ...given, env: { ...nowhere, ...given.env } });
  const code = await run(argv, io);
  return { code, out: io.printed(), err: io.complained() };
}
const piped = (text: string) => ({
  input: {
    kind: "pipe" as const,
    async *bytes() {
      yield new TextEncoder().encode(text);
    },
  },
});

describe("pith models", () => {
  test("lists what can be used, and says of the rest why not", async () => {
    const { code, out } = await pith(["models"], { env: { ANTHROPIC_API_KEY: key } });
    expect(code).toBe(0);
    expect(out).toMatch(/^anthropic\/claude-opus-5-5 +1M +128k +\$\d+(?:\.\d+)?\/\$\d+ +thinking images$/m);
    expect(out).not.toMatch(/^openai\//m);
    expect(out).toMatch(/^ {2}openai +set OPENAI_API_KEY \(41 models\)$/m);
    expect(out).toMatch(/^ {2}ollama +nobody answers at http:\/\/127\.0\.0\.1:1$/m);
    expect(out).not.toContain(key);
  });

  test("narrows by a filter, and without a usable one exits with 1", async () => {
    const { out } = await pith(["models", "opus", "5"], { env: { ANTHROPIC_API_KEY: key } });
    expect(out.split("\n").flatMap((line) => /^anthropic\/(\S+)/.exec(line)?.[1] ?? [])).toEqual([
      "claude-opus-4-5",
      "claude-opus-4-5-20251101",
      "claude-opus-5",
      "claude-opus-5-5",
    ]);
    expect(await pith(["models", "opus"])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no model that can be used now fits "opus"'),
    });
  });

  test("tells all of it as JSON", async () => {
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

  test("refreshes from a list, keeps it, and knows a new model afterwards", async () => {
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
      own: Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(list) }),
      [Symbol.dispose]() {
        this.own.stop(true);
      },
    };
    const env = { OPENAI_API_KEY: key, PITH_MODELS_URL: `http://127.0.0.1:${server.own.port}/api.json` };
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

  test("of a broken models.yml says where it is broken", async () => {
    writeFileSync(join(root, "home", "models.yml"), "providers:\n  x: { api: smoke }\n");
    expect(await pith(["models"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("models.yml:2: providers.x.api: expected one of"),
    });
  });
});

describe("pith auth", () => {
  test("keeps a key that is piped in, shows its last letters, uses it, and forgets it", async () => {
    expect(await pith(["auth", "add", "google", "--label", "work"], piped(`${key}\n`))).toEqual({
      code: 0,
      out: "1  gemini  …6789\n",
      err: "",
    });
    const file = join(root, "home", "agent.db");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await pith(["auth"])).out).toBe("  1  gemini                  key    …6789  work\n");
    expect((await pith(["models", "gemini-2.5-pro"])).out).toMatch(/^gemini\/gemini-2\.5-pro /m);
    expect((await pith(["auth", "remove", "1"])).code).toBe(0);
    expect(readFileSync(file).includes(key)).toBe(false);
    expect(await pith(["auth"])).toMatchObject({
      code: 0,
      out: "",
      err: expect.stringContaining("no keys are stored"),
    });
  });

  test("with a damaged file of keys says which it is and what to do, in every command that needs it", async () => {
    writeFileSync(join(root, "home", "agent.db"), "not a database, though long enough to be taken for one ".repeat(40));
    for (const argv of [["auth"], ["auth", "why", "openai"], ["auth", "remove", "1"], ["models"]])
      expect(await pith(argv)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/agent\.db\): .* move it away and add the keys again\.\n$/),
      });
    expect((await pith(["auth", "add", "openai"], piped(key))).code).toBe(2);
  });

  test("says where the key of a vendor comes from, from the strongest place to the weakest", async () => {
    await pith(["auth", "add", "openai"], piped(key));
    await pith(["auth", "add", "openai"], piped(`${key}-two`));
    const { code, out } = await pith(["auth", "why", "openai"], { env: { OPENAI_API_KEY: `${key}-env` } });
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "openai, from the strongest place to the weakest:",
      "  1. stored keys (pith auth add)     1 …6789, 2 …-two  used, in turns",
      "  2. OPENAI_API_KEY                  …-env  used last",
      "",
    ]);
    writeFileSync(join(root, "home", "models.yml"), `providers:\n  openai: { apiKey: ${key}-yml }\n`);
    expect(
      (await pith(["auth", "why", "openai"], { env: { OPENAI_API_KEY: `${key}-env` } })).out
        .split("\n")
        .map((line) => line.slice(37)),
    ).toEqual(["he weakest:", "…-yml  used", "1 …6789, 2 …-two  not used", "…-env  not used", ""]);
    expect(await pith(["auth", "why", "groq"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("no key of groq was found"),
    });
  });

  test("takes no key as an argument, no vendor nobody knows, and no text that is no key", async () => {
    const { code, err } = await pith(["auth", "add", "openai", key]);
    expect(code).toBe(2);
    expect(err).toContain("standard input");
    expect(err).not.toContain(key);
    expect(await pith(["auth", "add", "opnai"], piped(key))).toMatchObject({
      code: 2,
      err: expect.stringContaining("did you mean openai?"),
    });
    expect(await pith(["auth", "add", "openai"], piped("two words"))).toMatchObject({ code: 2 });
    expect(await pith(["auth", "remove", "7"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no key 7"),
    });
    expect(await pith(["auth", "frobnicate"])).toMatchObject({ code: 2 });
  });
});

describe("pith stats", () => {
  const line = (own: object) => `${JSON.stringify(own)}\n`;
  const reply = (id: string, model: string, timestamp: number, input: number, total: number) =>
    line({
      type: "message",
      id,
      parentId: null,
      timestamp: new Date(timestamp).toISOString(),
      message: {
        role: "assistant",
        content: [],
        provider: "p",
        model,
        timestamp,
        usage: { input, output: 5, cacheRead: 2, cacheWrite: 1, totalTokens: input + 8, cost: { total } },
      },
    });
  const day = (n: number) => new Date(2026, 0, n, 12).getTime();
  const session = (name: string, cwd: string, ...replies: string[]) => {
    const folder = join(root, "home", "sessions", `--${cwd.slice(1)}--`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `2026-01-01T00-00-00-000Z_${name}.jsonl`),
      line({ type: "session", version: 3, id: name, timestamp: new Date(day(1)).toISOString(), cwd }) +
        replies.join(""),
    );
  };

  test("prints totals by day, by model and by project", async () => {
    session("0aa", "/a", reply("1", "x", day(1), 100, 0.5), reply("2", "x", day(2), 20_000, 1.25));
    session("0bb", "/b", reply("3", "y", day(2), 7, 0));
    const { code, out } = await pith(["stats"]);
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "day           replies    input   cached  written   output       cost",
      "2026-01-01          1      100        2        1        5      $0.50",
      "2026-01-02          2      20k        4        2       10      $1.25",
      "",
      "model    replies    input   cached  written   output       cost",
      "p/x            2      20k        4        2       10      $1.75",
      "p/y            1        7        2        1        5          –",
      "",
      "project    replies    input   cached  written   output       cost",
      "/a               2      20k        4        2       10      $1.75",
      "/b               1        7        2        1        5          –",
      "all              3      20k        6        3       15      $1.75",
      "",
      "15 tokens have no price: of servers of your own, or of models nobody knows the price of.",
      "",
    ]);
  });

  test("narrows to a time, a view or a session, and tells it as JSON", async () => {
    session("0aa", "/a", reply("1", "x", day(1), 100, 0.5), reply("2", "x", day(2), 200, 1));
    const rows = (await pith(["stats", "--json", "--by", "model", "--since", "2026-01-02"])).out
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(rows).toEqual([
      { by: "model", key: "p/x", replies: 1, input: 200, output: 5, cacheRead: 2, cacheWrite: 1, cost: 1, unpriced: 0 },
      { by: "all", key: "all", replies: 1, input: 200, output: 5, cacheRead: 2, cacheWrite: 1, cost: 1, unpriced: 0 },
    ]);
    expect((await pith(["stats", "--session", "0aa"])).out).toContain("context of about");
    expect(await pith(["stats", "--since", "soon"])).toMatchObject({ code: 2 });
  });

  test("says so when nothing was used yet", async () => {
    expect(await pith(["stats"])).toEqual({ code: 0, out: "", err: "pith: no session has used anything yet\n" });
  });
});
