import { expect, test } from "bun:test";
import { openaiChat } from "../protocol/openai-chat/openai-chat.ts";
import { listModels } from "../vendor/local.ts";
import { limitedText } from "./body.ts";
import { awsEventStream } from "./framing/event-stream.ts";

const bottomless = () => {
  let cancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1000).fill(97)),
    cancel: () => {
      cancelled = true;
    },
  });
  return { response: new Response(body), isCancelled: () => cancelled };
};

test("a body that is longer than it can be is not read to its end", async () => {
  const { response, isCancelled } = bottomless();
  expect(limitedText(response, 4096)).rejects.toThrow("the answer is longer than 4 KB");
  await Bun.sleep(0);
  expect(isCancelled()).toBe(true);
  expect(await limitedText(new Response("x".repeat(4096)), 4096)).toHaveLength(4096);
});

test("a server on this machine that lists models without end is passed over", async () => {
  const headers = { "content-type": "application/json" };
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(bottomless().response.body, { headers }),
  });
  const endpoint = { url: new URL(server.url), shown: "", variable: "", near: true };
  const before = performance.now();
  expect(await listModels({ vendor: "llama.cpp", endpoint, env: {}, timeoutMs: 60_000 })).toBeUndefined();
  expect(performance.now() - before).toBeLessThan(30_000);
});

test("a frame says how long it will be before it has come", () => {
  const frame = new DataView(new ArrayBuffer(12));
  frame.setUint32(0, 1_000_000_000);
  frame.setUint32(8, Bun.hash.crc32(new Uint8Array(frame.buffer, 0, 8)));
  const cutter = awsEventStream();
  expect(cutter.push(new Uint8Array(frame.buffer))).toEqual([]);
  expect(cutter.held).toBe(1_000_000_000);
});

test("a refusal without end is told in a few words", () => {
  const decoder = openaiChat({}).decoder({ model: { id: "x" }, system: [], messages: [], tools: [] } as never);
  const out: Parameters<typeof decoder.push>[1] = [];
  const delta = { refusal: "no ".repeat(1000) };
  for (let i = 0; i < 100; i++) decoder.push(JSON.stringify({ choices: [{ delta, finish_reason: "stop" }] }), out);
  decoder.push("[DONE]", out);
  expect(JSON.stringify(out).length).toBeLessThan(3000);
});
