import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { scratch, until } from "@pith/kit/test";
import { coderIn } from "../../test/open.ts";

/** A collector that keeps what it is sent. */
function collector(answer: () => Response | Promise<Response> = () => Response.json({})) {
  const taken: { path: string; body: string; headers: Headers }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      taken.push({ path: new URL(request.url).pathname, body: await request.text(), headers: request.headers });
      return answer();
    },
  });
  afterAll(() => void server.stop(true));
  return { taken, env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.port}` } };
}

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: Record<string, unknown>;
}

type Sent = ReturnType<typeof collector>["taken"];
const spansIn = (taken: Sent): Span[] =>
  taken
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap((resource) => resource.scopeSpans)
    .flatMap((scope) => scope.spans)
    .map((span) => ({ ...span, attributes: flat(span.attributes) }));
const flat = (list: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
const metricsIn = (taken: Sent): { name: string }[] =>
  taken
    .filter(({ path }) => path === "/v1/metrics")
    .flatMap(({ body }) => JSON.parse(body).resourceMetrics)
    .flatMap((resource) => resource.scopeMetrics)
    .flatMap((scope) => scope.metrics);

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const on = { "telemetry.enabled": true };

test("a turn, its attempts and its calls go to the collector as one trace below the caller's", async () => {
  using dir = scratch();
  const { taken, env } = collector();
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const TRACEPARENT = `00-${traceId}-b7ad6b7169203331-01`;
  const more = { OTEL_EXPORTER_OTLP_HEADERS: "api-key=k%20ey", OTEL_SERVICE_NAME: "mine", PATH: process.env.PATH };
  const coder = await coderIn(dir, [bash("echo hi"), bash("exit 3"), { text: "Done." }], {
    set: on,
    env: { ...env, ...more, TRACEPARENT },
  });
  await coder.send({ text: "go, my dear" });
  await coder.close();
  const spans = spansIn(taken);
  const [turn] = spans.filter(({ name }) => name === "invoke_agent pith");
  expect(turn).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331" });
  expect(turn?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.conversation.id": coder.header.id,
    "gen_ai.provider.name": "faux",
  });
  const below = spans.filter(({ parentSpanId }) => parentSpanId === turn?.spanId);
  expect(below.map(({ attributes }) => attributes["gen_ai.operation.name"]).sort()).toEqual([
    ...["chat", "chat", "chat"],
    ...["execute_tool", "execute_tool"],
  ]);
  const calls = below.filter(({ name }) => name === "execute_tool bash");
  expect(calls.map(({ attributes }) => attributes["error.type"])).toEqual([undefined, "tool_error"]);
  expect(new Set(metricsIn(taken).map(({ name }) => name))).toContain("gen_ai.client.operation.duration");
  expect(taken[0]?.headers.get("api-key")).toBe("k ey");
  expect(taken.every(({ body }) => body.includes('"mine"'))).toBe(true);
  // Of what was said nothing went along.
  for (const { body } of taken) expect(body).not.toMatch(/my dear|echo hi|Done\./);
});

test("what was said goes along where the user wants it, and no key does", async () => {
  using dir = scratch();
  const { taken, env } = collector();
  const key = "sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
  const coder = await coderIn(dir, [bash(`echo ${key}`), { text: "Done." }], {
    set: { ...on, "telemetry.content": true },
    env: { ...env, PATH: process.env.PATH, ANTHROPIC_API_KEY: key },
  });
  await coder.send({ text: `my key is ${key}` });
  await coder.close();
  const said = taken.map(({ body }) => body).join();
  expect(said).toContain("my key is");
  expect(said).toContain("gen_ai.tool.call.arguments");
  expect(said).toContain("Done.");
  expect(said).not.toContain(key);
});

test("a failed request and its second try are two attempts, and the retry is counted", async () => {
  using dir = scratch();
  const { taken, env } = collector();
  const failing = { error: { status: 503, message: "busy: secret words" } };
  const coder = await coderIn(dir, [failing, { text: "Better." }], {
    set: { ...on, "retry.baseDelayMs": 1 },
    env: { ...env, PATH: process.env.PATH },
  });
  await coder.send({ text: "go" });
  await coder.close();
  const chats = spansIn(taken).filter(({ name }) => name.startsWith("chat "));
  expect(chats.map(({ attributes }) => attributes["error.type"])).toEqual(["overload", undefined]);
  expect(chats[0]?.attributes["http.response.status_code"]).toBe(503);
  expect(metricsIn(taken).map(({ name }) => name)).toContain("pith.retries");
  expect(taken.some(({ body }) => body.includes("secret words"))).toBe(false);
});

test("a collector that is dead, slow or angry costs a line in the log and hardly any time", async () => {
  const hanging = collector(() => new Promise<Response>(() => {}));
  const angry = collector(() => new Response("no", { status: 400 }));
  const dead = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://name:word@127.0.0.1:9" };
  for (const env of [dead, hanging.env, angry.env]) {
    using dir = scratch();
    const more = { PATH: process.env.PATH, OTEL_EXPORTER_OTLP_TIMEOUT: "300" };
    const coder = await coderIn(dir, [{ text: "Done." }], { set: on, env: { ...env, ...more } });
    await coder.send({ text: "go" });
    const began = performance.now();
    await coder.close();
    expect(performance.now() - began).toBeLessThan(5000);
    const log = dir.at("home/logs/pith.log");
    await until(() => existsSync(log), "a line in the log");
    const lines = readFileSync(log, "utf8").trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("telemetry is not taken");
    expect(lines[0]).not.toContain("name:word");
    expect(coder.events.filter(({ type }) => type === "notice")).toEqual([]);
  }
}, 20_000);

test("while it is off, or switched off by OpenTelemetry's own word, nothing is sent", async () => {
  const { taken, env } = collector();
  for (const [set, more] of [
    [{}, {}],
    [on, { OTEL_SDK_DISABLED: "true" }],
  ] as const) {
    using dir = scratch();
    const coder = await coderIn(dir, [{ text: "Done." }], { set, env: { ...env, ...more, PATH: process.env.PATH } });
    await coder.send({ text: "go" });
    await coder.close();
  }
  expect(taken).toEqual([]);
});
