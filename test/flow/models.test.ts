// Through the real program: what happens when a model fails, falls silent, is refused or is another one than before.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const quick = (dir: Scratch, more = "") => {
  dir.write({ "quick.yml": `retry:\n  baseDelayMs: 5\n${more}` });
  return ["--config", dir.at("quick.yml")];
};
const script = (dir: Scratch, name: string, ...turns: unknown[]): string => {
  dir.write({ [name]: JSON.stringify({ turns }) });
  return dir.at(name);
};

/** A server of Chat Completions on loopback; `answer` gets every body, and a text is what the model says. */
function serve(answer: (body: string, headers: Headers) => string | Response) {
  const bodies: string[] = [];
  const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      bodies.push(body);
      const said = answer(body, request.headers);
      if (typeof said !== "string") return said;
      return new Response(
        `${chunk({ delta: { content: said } })}${chunk({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`,
        {
          headers: { "content-type": "text/event-stream" },
        },
      );
    },
  });
  return { url: `http://127.0.0.1:${server.port}/v1`, bodies, [Symbol.dispose]: () => void server.stop(true) };
}

describe("a request that fails", () => {
  test("is tried again, with one line for each try", async () => {
    using dir = scratch();
    const model = scripted(
      dir,
      { error: { status: 529, message: "busy" } },
      { error: { kind: "cut" } },
      { text: "At last." },
    );
    const { code, out, err } = await pith(dir, ["-p", "go", ...model, ...quick(dir)]);
    expect({ code, out }).toEqual({ code: 0, out: "At last.\n" });
    expect(err.trim().split("\n")).toEqual([
      "pith: busy. Trying again now.",
      expect.stringMatching(/\. Trying again now\.$/),
    ]);
  });

  test("waits as long as the server asks, and can be stopped while it waits", async () => {
    using dir = scratch();
    const model = scripted(dir, { error: { kind: "rate", retryAfterMs: 60_000 } }, { text: "never" });
    const began = performance.now();
    const { code, err } = await pith(dir, ["-p", "go", ...model, ...quick(dir), "--max-time", "1"]);
    expect(code).toBe(1);
    expect(err).toContain("Trying again in 60 s.");
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  test("ends with the failure when nothing helps, and a server that asks too much is not waited for", async () => {
    using dir = scratch();
    expect(
      await pith(dir, ["-p", "go", ...scripted(dir, { error: { kind: "auth", message: "wrong key" } })]),
    ).toMatchObject({
      code: 1,
      err: "pith: wrong key\n",
    });
    const model = scripted(dir, { error: { kind: "rate", message: "slow down", retryAfterMs: 7_200_000 } });
    expect((await pith(dir, ["-p", "go", ...model])).err).toBe(
      "pith: The server asks to wait 2 h; retry.maxDelayMs allows 5 min.\npith: slow down\n",
    );
  });

  test("half a call of it is never run", async () => {
    using dir = scratch();
    const write = { tool: "write", input: { path: "made.txt", content: "half" } };
    const model = scripted(dir, { calls: [write], cut: 3, chunkSize: 8 }, { text: "No file." });
    expect(await pith(dir, ["-p", "go", ...model, ...quick(dir), "--yolo"])).toMatchObject({
      code: 0,
      out: "No file.\n",
    });
    const cutByLength = scripted(
      dir,
      { calls: [{ tool: "write", rawInput: '{"path": "made.txt", "conte' }], stop: "length" },
      { text: "Again." },
    );
    expect(await pith(dir, ["-p", "go", ...cutByLength, "--yolo"])).toMatchObject({ code: 0, out: "Again.\n" });
    expect(existsSync(dir.at("work", "made.txt"))).toBe(false);
  });
});

describe("a model that falls silent", () => {
  test("is given up after the time of its variable, before or in the middle of an answer", async () => {
    using dir = scratch();
    const once = quick(dir, "  max: 0\n");
    const silent = await pith(dir, ["-p", "go", ...scripted(dir, { hang: true }), ...once], {
      env: { PITH_STREAM_FIRST_EVENT_TIMEOUT_MS: "300" },
    });
    expect(silent).toMatchObject({ code: 1, err: "pith: the model said nothing for 0.3 s\n" });
    const stalls = await pith(dir, ["-p", "go", ...scripted(dir, { text: "Well,", hang: true }), ...once], {
      env: { PITH_STREAM_IDLE_TIMEOUT_MS: "300" },
    });
    expect(stalls).toMatchObject({ code: 1, err: "pith: the model said nothing more for 0.3 s\n" });
  });

  test("gives way to the next of the chain, and both are in the record", async () => {
    using dir = scratch();
    const next = script(dir, "next.json", { text: "I am the other one." });
    const config = quick(dir, `  max: 0\nfallback:\n  models: ${dir.at("missing.json")}, ${next}\n`);
    const { code, out, err } = await pith(dir, ["-p", "go", ...scripted(dir, { hang: true }), ...config], {
      env: { PITH_STREAM_FIRST_EVENT_TIMEOUT_MS: "200" },
    });
    expect({ code, out }).toEqual({ code: 0, out: "I am the other one.\n" });
    expect(err).toContain("missing.json cannot be used");
    expect(err).toMatch(/said nothing for 0\.2 s\); going on with faux\//);
    expect(
      records(dir)
        .filter((entry) => entry.type === "model_change")
        .map((entry) => entry.modelId),
    ).toEqual([dir.at("script.json"), next]);
  });

  test("is asked first again when the session goes on in another run", async () => {
    using dir = scratch();
    const next = script(dir, "next.json", { text: "I stand in." });
    const config = quick(dir, `  max: 0\nfallback:\n  models: ${next}\n`);
    const model = scripted(dir, { error: { kind: "overload" } }, { when: { user: "on" }, text: "I am back." });
    expect((await pith(dir, ["-p", "go", ...model, ...config])).out).toBe("I stand in.\n");
    expect((await pith(dir, ["-p", "on", "-c", ...model, ...config])).out).toBe("I am back.\n");
    const changes = records(dir).filter((entry) => entry.type === "model_change");
    expect(changes.map((entry) => entry.modelId)).toEqual([dir.at("script.json"), next, dir.at("script.json")]);
  });
});

test("an answer that was cut at the output limit is asked on and printed as one", async () => {
  using dir = scratch();
  const model = scripted(
    dir,
    { text: "One, two, ", stop: "length" },
    { expect: { user: "The answer above reached the length limit before it was finished." }, text: "three." },
  );
  expect(await pith(dir, ["-p", "count", ...model])).toEqual({
    code: 0,
    signal: null,
    out: "One, two, three.\n",
    err: "",
  });
});

test("a conversation that the server refuses goes on, also resumed, and the record keeps what was said", async () => {
  using dir = scratch();
  using server = serve((body) =>
    body.includes("poison")
      ? Response.json({ error: { message: "invalid request", type: "invalid_request_error" } }, { status: 400 })
      : "Fine.",
  );
  const env = { OPENAI_BASE_URL: server.url };
  const first = await pith(dir, ["-p", "drink poison", "--model", "openai/m"], { env });
  expect(first).toMatchObject({ code: 1, out: "" });
  expect(first.err).toContain("The server refuses this prompt");
  const second = await pith(dir, ["-p", "and now?", "-c"], { env });
  expect(second).toMatchObject({ code: 0, out: "Fine.\n" });
  expect(second.err).toContain("it goes on without 1 block (the text of a prompt). The record keeps everything.");
  const asked = server.bodies.length;
  expect(await pith(dir, ["-p", "and then?", "-c"], { env })).toMatchObject({ code: 0, out: "Fine.\n" });
  expect(server.bodies.length).toBe(asked + 1);
  expect(JSON.stringify(records(dir))).toContain("drink poison");
  expect(records(dir).find((entry) => entry.customType === "pith.heal")?.data).toMatchObject({
    rules: true,
    blocks: [{ what: "the text of a prompt" }],
  });
});

test("another model goes on with the same history", async () => {
  using dir = scratch();
  const call = { thinking: "which animal was it", calls: [{ tool: "read", input: { path: ".keep" } }] };
  expect((await pith(dir, ["-p", "remember the word zebra", ...scripted(dir, call, { text: "Noted." })])).code).toBe(0);
  using server = serve((body) =>
    body.includes("zebra") && body.includes('"role":"tool"') && !body.includes("which animal") ? "zebra" : "what word?",
  );
  const { out } = await pith(dir, ["-p", "which word?", "-c", "--model", "openai/other"], {
    env: { OPENAI_BASE_URL: server.url },
  });
  expect(out).toBe("zebra\n");
});

test("roles are models: by option, by variable, by setting", async () => {
  using dir = scratch();
  const [small, hard, plans] = ["small", "hard", "plans"].map((name) =>
    script(dir, `${name}.json`, { text: name }),
  ) as [string, string, string];
  const config = quick(dir, `roles:\n  slow: ${hard}\n`);
  expect((await pith(dir, ["-p", "x", "--model", "smol", "--smol", small])).out).toBe("small\n");
  expect((await pith(dir, ["-p", "x", "--model", "smol"], { env: { PITH_SMOL_MODEL: small } })).out).toBe("small\n");
  expect((await pith(dir, ["-p", "x", "--model", "slow", ...config])).out).toBe("hard\n");
  expect((await pith(dir, ["-p", "x", "--approval", "plan", "--plan", plans])).out).toBe("plans\n");
});

test("how long a model thinks goes out as it is asked for, from the name or the option", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/models.yml": "" });
  using server = serve(() => "ok");
  dir.write({
    "home/.pith/models.yml": `providers:
  mine:
    baseUrl: ${server.url}
    models:
      - { id: thinker, reasoning: true }
`,
  });
  await pith(dir, ["-p", "x", "--model", "mine/thinker:high"]);
  await pith(dir, ["-p", "x", "--model", "mine/thinker", "--thinking", "low"]);
  expect(server.bodies.map((body) => JSON.parse(body).reasoning_effort)).toEqual(["high", "low"]);
});

test("no key is in anything that is written or printed, whatever the server does with it", async () => {
  using dir = scratch();
  const keys = ["sk-canary-aaaaaaaaaaaaaaaa", "canary-bbbbbbbbbbbbbbbb", "canary-cccccccccccccccc"] as const;
  using server = serve((_, headers) =>
    headers.get("authorization")?.includes(keys[1])
      ? "fine"
      : Response.json(
          {
            error: { message: `the key ${headers.get("authorization")} is wrong`, param: headers.get("authorization") },
          },
          { status: 401 },
        ),
  );
  dir.write({
    "home/.pith/models.yml": `providers:
  mine: { baseUrl: "${server.url}", apiKey: "!printf ${keys[1]}", models: [{ id: m }] }
`,
  });
  const runs = [
    await pith(dir, ["auth", "add", "groq"], { input: `${keys[2]}\n` }),
    await pith(dir, ["--mode", "json", "hello", "--model", "openai/m"], {
      env: { OPENAI_API_KEY: keys[0], OPENAI_BASE_URL: server.url },
    }),
    await pith(dir, ["-p", "hello", "--model", "mine/m"], { env: { PITH_CACHE_DEBUG: "1", PITH_TIMING: "1" } }),
    await pith(dir, ["-p", "hello", "--model", "groq/m"], { env: { GROQ_BASE_URL: server.url } }),
    await pith(dir, ["auth"]),
    await pith(dir, ["auth", "why", "groq"]),
    await pith(dir, ["models", "--json"], { env: { OPENAI_API_KEY: keys[0] } }),
  ];
  expect(runs.map((run) => run.code)).toEqual([0, 1, 0, 1, 0, 0, 0]);
  const written = readdirSync(dir.at("home"), { recursive: true, encoding: "utf8" })
    .map((name) => join(dir.at("home"), name))
    // Keys are stored in these two files.
    .filter((file) => statSync(file).isFile() && !/(?:models\.yml|agent\.db)$/.test(file));
  expect(written.some((file) => file.endsWith(".jsonl")) && written.some((file) => file.endsWith(".log"))).toBe(true);
  const all = [
    ...runs.flatMap(({ out, err }) => [out, err]),
    ...written.map((file) => readFileSync(file, "latin1")),
  ].join("\n");
  for (const key of keys) expect(all).not.toContain(key.slice(-14));
}, 120_000);

function records(dir: Scratch) {
  const base = dir.at("home", ".pith", "sessions");
  const files = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  return files.flatMap((name) =>
    readFileSync(join(base, name), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
}
