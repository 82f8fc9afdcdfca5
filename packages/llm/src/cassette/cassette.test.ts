import { expect, test } from "bun:test";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import type { Request, Stream } from "../message/stream.ts";
import { resolveModel } from "../resolve.ts";
import type { Play } from "../test/fake.ts";
import { collect, folded, result, user } from "../test/fixture.ts";
import { benches, serve } from "../test/index.ts";

const key = "key-for-tests-1234";
/** Model name and environment for three vendors. */
const ways: Record<string, (origin: string) => { name: string; env: Record<string, string> }> = {
  "openai-completions": (origin) => ({
    name: "openai/gpt-5.5",
    env: { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: key },
  }),
  "anthropic-messages": (origin) => ({
    name: "anthropic/claude-sonnet-4-5",
    env: { ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: key },
  }),
  "ollama-chat": (origin) => ({ name: "ollama/qwen3", env: { OLLAMA_HOST: origin } }),
};
const tools = [{ name: "read", description: "Reads.", parameters: { type: "object", properties: {} } }];

async function opened(name: string, more: Omit<Parameters<typeof resolveModel>[1], "env"> & { env?: object }) {
  const resolved = await resolveModel(name, { ...more, env: { ...more.env } });
  if (!resolved.ok) throw new Error(resolved.message);
  return resolved.value;
}

/** A question, a call, its result, an answer; a request that fails is made again, as a conversation would. */
async function talk({ model, stream }: { model: Request["model"]; stream: Stream }) {
  const messages: Request["messages"][number][] = [user("is ä.ts fine? 🧵")];
  const request: Request = { model, purpose: "main", system: ["be brief"], messages, tools };
  const ends: string[] = [];
  for (let step = 0; step < 2; step++) {
    for (let attempt = 0; attempt < 5; attempt++) {
      const events = await collect(stream, { ...request, messages: [...messages] });
      const last = events.at(-1);
      ends.push(last?.type === "fail" ? last.failure.kind : "ok");
      if (last?.type === "fail") continue;
      const answer = folded(events, model);
      messages.push(answer);
      for (const part of answer.content)
        if (part.type === "toolCall") messages.push(result(part.id, [{ type: "text", text: "const ä = 1;" }]));
      break;
    }
  }
  const said = messages.map((message) => ("content" in message ? message.content : []));
  return { said: JSON.stringify(said).replace(/call_n?[0-9a-f]{31,32}/g, "made"), ends };
}

const plays: Play[] = [
  { text: "Ich sehe nach: “ä.ts” 🧵.", calls: [{ id: "call_1", name: "read", args: { path: "ä.ts" } }] },
  { text: "It is fine, and all of it was read twice: ünïcödé." },
];

test.each(Object.keys(ways))("%s: what was recorded is answered again on the worst of days", async (api) => {
  using dir = scratch();
  const fake = benches[api]?.fake;
  if (!fake) throw new Error(api);
  const file = dir.at("tape");
  let live: Awaited<ReturnType<typeof talk>>;
  {
    using served = serve(fake, ...plays);
    const { name, env } = ways[api]?.(new URL(served.url).origin) ?? { name: "", env: {} };
    live = await talk(await opened(name, { env, wire: { record: file } }));
  }
  expect(live.ends).toEqual(["ok", "ok"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toContain(key);
  expect((await talk(await opened(`cassette/${file}`, {}))).said).toBe(live.said);
  const seen = new Set<string>();
  const seeds = Array.from({ length: 50 }, (_, at) => at + 1);
  const bad = await Promise.all(
    seeds.map(async (chaos) => talk(await opened(`cassette/${file}`, { wire: { chaos } }))),
  );
  for (const [at, { said, ends }] of bad.entries()) {
    expect({ seed: at + 1, said }).toEqual({ seed: at + 1, said: live.said });
    for (const end of ends) seen.add(end);
  }
  // The chaos disturbed at least one request.
  expect([...seen].sort()).toEqual(["cut", "ok", "rate"]);
});

test("a request that was not recorded fails and shows where it differs", async () => {
  using dir = scratch();
  using served = serve(benches["openai-completions"]?.fake ?? never(), ...plays);
  const { name, env } = ways["openai-completions"]?.(new URL(served.url).origin) ?? never();
  await talk(await opened(name, { env, wire: { record: dir.at("tape") } }));
  const { model, stream } = await opened(`cassette/${dir.at("tape")}`, {});
  const events = await collect(stream, { model, purpose: "main", system: ["be long"], messages: [user("x")], tools });
  expect(events).toMatchObject([{ type: "fail", failure: { kind: "missing" } }]);
  const [event] = events;
  expect(event?.type === "fail" ? event.failure.message : "").toMatch(
    /request 1 at character \d+: .*be long.*recorded .*be brief/,
  );
});

test("a key that a server sends back, cut in two, is not written down", async () => {
  using dir = scratch();
  const bytes = new TextEncoder().encode(`{"error":{"message":"bad key ${key}"}}`);
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            controller.enqueue(bytes.slice(0, 35));
            // A server that pauses within a line.
            await Bun.sleep(20);
            controller.enqueue(bytes.slice(35));
            controller.close();
          },
        }),
        { status: 400 },
      ),
  });
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${server.port}`, OPENAI_API_KEY: key };
  await talk(await opened("openai/gpt-5.5", { env, wire: { record: dir.at("tape") } }));
  const lines = readFileSync(dir.at("tape"), "utf8").split("\n").slice(1).filter(Boolean);
  const said = lines.map((line) =>
    Buffer.concat(
      (JSON.parse(line).chunks as [number, string][]).map(([, chunk]) => Buffer.from(chunk, "base64")),
    ).toString(),
  );
  expect(said[0]).toContain("bad key xxxx");
  expect(said.join()).not.toContain(key);
});

test("nothing of anybody's is written over, and broken cassettes are named by their line", async () => {
  using dir = scratch();
  writeFileSync(dir.at("mine"), "mine");
  symlinkSync(dir.at("elsewhere"), dir.at("link"));
  const env = { OPENAI_API_KEY: key };
  for (const file of ["mine", "link"]) {
    const refused = await resolveModel("openai/gpt-5.5", { env, wire: { record: dir.at(file) } });
    expect(refused).toMatchObject({ ok: false, kind: "cassette", message: expect.stringContaining("already") });
  }
  expect(readFileSync(dir.at("mine"), "utf8")).toBe("mine");
  dir.write({ half: '{"cassette":1}\n{"model":{}}\n{}\n', other: "x" });
  expect(await resolveModel(`cassette/${dir.at("half")}`, { env: {} })).toMatchObject({
    message: expect.stringContaining("line 2"),
  });
  expect(await resolveModel(`cassette/${dir.at("other")}`, { env: {} })).toMatchObject({
    message: expect.stringContaining("no cassette"),
  });
  expect(await resolveModel("cassette//dev/zero", { env: {} })).toMatchObject({ ok: false, kind: "cassette" });
});

test("a cassette whose parts are not of their kind is refused by its line, whoever wrote it", async () => {
  using dir = scratch();
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = { vendor: "x", id: "y", api: "openai-completions", name: "y", contextWindow: 1, maxOutput: 1, cost };
  const whole = { model: { ...model, input: ["text"] }, compat: {}, body: "{}", headers: {}, chunks: [], status: 200 };
  const played = (exchange: object) => {
    dir.write({ tape: `{"cassette":1}\n${JSON.stringify(exchange)}\n` });
    return resolveModel(`cassette/${dir.at("tape")}`, { env: {} });
  };
  expect((await played(whole)).ok).toBe(true);
  for (const odd of [
    { model: { ...whole.model, cost: null } },
    { model: { ...whole.model, contextWindow: "many" } },
    { model: { ...whole.model, input: "text" } },
    { model: { ...whole.model, compat: 3 } },
    { compat: null },
    { headers: null },
    { headers: { "content-type": 3 } },
    { status: 99 },
    { chunks: [null] },
  ])
    expect(await played({ ...whole, ...odd })).toMatchObject({ ok: false, message: expect.stringContaining("line 2") });
  for (const api of ["__proto__", "constructor", "nobody"])
    expect(await played({ ...whole, model: { ...whole.model, api } })).toMatchObject({
      message: expect.stringContaining("does not know"),
    });
});

function never(): never {
  throw new Error("not there");
}
