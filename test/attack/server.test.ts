import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { until } from "../../packages/kit/src/test/index.ts";
import { pith } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { type Attack, counting, endless, packed, serve, start } from "./flood.ts";

const dir = scratch(afterAll);
const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const call = (args: string, name = "write") =>
  chunk({ tool_calls: [{ index: 0, id: "c", function: { name, arguments: args } }] });
const zeros = Buffer.alloc(1 << 30);
const once = <T>(make: () => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
const gzipBomb = once(() => gzipSync(zeros, { level: 1 }));
const brotliBomb = once(() => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }));
const json = { type: "application/json" };
/**
 * The runtime alone takes 45 MB; the largest honest answer, another 60. What nobody has collected yet of the largest
 * events that are taken counts too.
 */
const roomMb = 300;

const at = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "k" });
const ask = ["-p", "hello", "--model", "openai/x"];

async function attacked(attack: Attack, argv: readonly string[] = ask) {
  using server = await serve(attack);
  const { ended } = start(dir, argv, at(server.url));
  return { ...(await ended), requests: server.requests() };
}

const event = "more than 4 MB in one event";
const reply = "more than 8 MB in one reply";
const pieces = "more than 500,000 pieces in one reply";
const nothing = "more than 16 MB without saying anything";
const parts = "more than 1,000 parts in one reply";

describe("a server that never stops does not fill the memory, and is not asked again", () => {
  test.each<[string, string, () => Attack]>([
    ["a line", event, () => endless("a", { first: "data: " })],
    ["a line of no kind", event, () => endless("a")],
    ["lines of one event", event, () => endless("data: some words\n")],
    ["text", reply, () => endless(chunk({ content: "a".repeat(1000) }))],
    ["text letter by letter", pieces, () => endless(chunk({ content: "a" }))],
    ["thoughts", reply, () => endless(chunk({ reasoning_content: "hm ".repeat(100) }))],
    ["arguments", reply, () => endless(call("x\\n".repeat(200)), { first: call('{"path":"a","content":"') })],
    ["arguments of a call without a name", event, () => endless(call("x".repeat(500), ""))],
    [
      "calls",
      parts,
      () => counting((n) => call("{}", "read").replace('"index":0,"id":"c"', `"index":${n},"id":"c${n}"`)),
    ],
    ["calls without names", parts, () => counting((n) => call("", "").replace('"index":0,"id":"c"', `"index":${n}`))],
    ["words and thoughts in turn", parts, () => endless(chunk({ content: "a" }) + chunk({ reasoning_content: "b" }))],
    ["brackets", "more than 200,000 brackets", () => endless(`data: {"x":[${"{},".repeat(1_300_000)}{}]}\n\n`)],
    ["a document", event, () => endless(" ", { first: "{", headers: { "content-type": "application/json" } })],
    ["comments", nothing, () => endless(": alive\n\n")],
    ["pieces that say nothing", nothing, () => endless(chunk({ role: "assistant" }))],
    ["a gzip bomb", event, () => packed(gzipBomb(), "gzip")],
    ["a gzip bomb as a document", event, () => packed(gzipBomb(), "gzip", json)],
    ["a brotli bomb", event, () => packed(brotliBomb(), "br")],
  ])("%s", async (_, words, attack) => {
    const { code, err, peakMb, requests } = await attacked(attack());
    expect(err).toContain(words);
    expect({ code, requests }).toEqual({ code: 1, requests: 1 });
    expect(peakMb).toBeLessThan(roomMb);
  });

  test.each<[string, () => Attack]>([
    ["an endless one", () => endless("a", { status: 404, first: '{"error":{"message":"' })],
    ["a gzip bomb", () => packed(gzipBomb(), "gzip", { status: 400, ...json })],
    ["a brotli bomb", () => packed(brotliBomb(), "br", { status: 400, ...json })],
    ["a zstd bomb", () => packed(zstdCompressSync(zeros), "zstd", { status: 400, ...json })],
  ])("a refusal: %s", async (_, attack) => {
    const { code, err, peakMb } = await attacked(attack());
    expect(err).toMatch(/\b40[04]\b/);
    expect(code).toBe(1);
    expect(peakMb).toBeLessThan(roomMb);
  });

  test("a redirect to itself", async () => {
    const { err, requests } = await attacked((answer) => answer.writeHead(302, { location: "/again" }).end());
    expect(err).toContain("has moved to /again");
    expect(requests).toBe(1);
  });

  test("headers", async () => {
    const block = Buffer.from(`x-more: ${"a".repeat(1000)}\r\n`.repeat(50));
    let asked = 0;
    const server = createServer((socket) => {
      asked++;
      const more = () => socket.writable && socket.write(block, () => setImmediate(more));
      socket.on("error", () => {});
      socket.write("HTTP/1.1 200 OK\r\n");
      more();
    }).listen(0, "127.0.0.1");
    await until(() => server.listening, "the server");
    const { port } = server.address() as { port: number };
    dir.write({ "home/.pith/config.yml": "retry:\n  max: 0\n" });
    const { ended } = start(dir, ask, at(`http://127.0.0.1:${port}`));
    const { code, peakMb } = await ended;
    server.close();
    expect({ code, asked }).toEqual({ code: 1, asked: 1 });
    expect(peakMb).toBeLessThan(roomMb);
  });

  test("the list of models that is fetched", async () => {
    for (const attack of [endless("a", { first: '"' }), packed(gzipBomb(), "gzip", json)]) {
      using server = await serve(attack);
      const { ended } = start(dir, ["models", "--refresh"], { PITH_MODELS_URL: server.url });
      const { code, err, peakMb } = await ended;
      expect(err).toContain("the answer is longer than 16 MB");
      expect(code).toBe(1);
      expect(peakMb).toBeLessThan(roomMb);
    }
  });
});

test("what came before an answer was stopped is kept, in a line that can be read", async () => {
  using own = scratch();
  using server = await serve(endless(chunk({ content: "kept words\u0001" })));
  await pith(own, ask, { env: at(server.url) });
  const folder = own.at("home/.pith");
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".jsonl"));
  const path = `${folder}/${file}`;
  expect(readFileSync(path, "utf8")).toContain("kept words");
  expect(statSync(path).size).toBeLessThan(16 * 1024 * 1024);
});

test("a compressed answer is read like any other, and as it comes", async () => {
  const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`;
  const all = Buffer.from(chunk({ content: "all of it" }) + end);
  // Flushed, and the connection stays open.
  const held: Attack = (answer) => {
    answer.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    answer.write(gzipSync(all, { finishFlush: constants.Z_SYNC_FLUSH }));
  };
  const bodies = [packed(gzipSync(all), "gzip"), packed(brotliCompressSync(all), "br"), held];
  for (const attack of [...bodies, packed(zstdCompressSync(all), "zstd")]) {
    const { out, code } = await attacked(attack);
    expect({ out, code }).toEqual({ out: "all of it\n", code: 0 });
  }
});

describe("a signal ends pith within a second", () => {
  test.each<[string, () => Attack]>([
    ["keep-alives", () => endless(": ping\n\n")],
    ["events without words", () => endless(chunk({ content: "" }))],
    ["a refusal of the model", () => endless(chunk({ refusal: "no ".repeat(500) }))],
    [
      "huge events that say next to nothing",
      () => endless(`data: {"choices":[],"x":"${"y".repeat(3_900_000)}"}\n\n${chunk({ content: "a" })}`),
    ],
  ])("during endless %s", async (_, attack) => {
    using server = await serve(attack());
    const { child, ended } = start(dir, ask, at(server.url));
    await until(() => server.drained() > 50, "the flood");
    const before = performance.now();
    child.kill("SIGTERM");
    const { code, peakMb } = await ended;
    expect(performance.now() - before).toBeLessThan(1000);
    expect(code).toBe(130);
    expect(peakMb).toBeLessThan(roomMb);
  });
});
