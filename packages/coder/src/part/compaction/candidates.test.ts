import { afterAll, expect, test } from "bun:test";
import { remoteCandidate } from "./candidates.ts";

const asked: unknown[] = [];
const answers: Record<string, (request: Request) => Response | Promise<Response>> = {
  "/ok": async (request) => {
    asked.push(await request.json());
    return Response.json({ summary: " All done. " });
  },
  "/none": () => Response.json({ text: "x" }),
  "/empty": () => Response.json({ summary: "  " }),
  "/broken": () => new Response("{", { headers: { "content-type": "application/json" } }),
  "/down": () => new Response("no", { status: 503 }),
  "/away": () => Response.redirect("/ok"),
  "/silent": () => new Promise(() => {}),
  "/endless": () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new Uint8Array(65_536).fill(0x20));
          await Bun.sleep(1);
        },
      }),
    ),
  "/bomb": () => new Response(Bun.gzipSync(new Uint8Array(64 << 20)), { headers: { "content-encoding": "gzip" } }),
};
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => answers[new URL(request.url).pathname]?.(request) ?? new Response("?", { status: 404 }),
});
afterAll(() => server.stop(true));

const question = { system: "be exact", prompt: "sk-key said \ud800", maxOutput: 100 };
const ask = (path: string, signal = new AbortController().signal, timeoutMs = 5000) =>
  remoteCandidate({
    url: `http://127.0.0.1:${server.port}${path}`,
    mask: (text) => text.replaceAll("sk-key", "[[secret]]"),
    timeoutMs,
  }).ask(question, signal);

test("an endpoint gets the system prompt and the prompt without secrets, and its summary is used", async () => {
  expect(await ask("/ok")).toEqual({ ok: true, value: "All done." });
  expect(asked).toEqual([{ systemPrompt: "be exact", prompt: "[[secret]] said \ufffd" }]);
});

test("an endpoint that answers wrongly, fails, redirects, is silent or never ends gives no summary", async () => {
  const before = asked.length;
  expect(await ask("/none")).toMatchObject({ kind: "refused" });
  expect(await ask("/empty")).toMatchObject({ kind: "refused" });
  expect(await ask("/broken")).toMatchObject({ kind: "failed", message: "its answer is not JSON" });
  expect(await ask("/down")).toMatchObject({ kind: "failed", message: "it answers 503" });
  expect(await ask("/away")).toMatchObject({ kind: "failed", message: "it sends us elsewhere" });
  expect(await ask("/silent", undefined, 200)).toMatchObject({ kind: "failed", message: "no answer within 0.2 s" });
  expect(await ask("/endless")).toMatchObject({ kind: "failed" });
  expect(await ask("/bomb")).toMatchObject({ kind: "failed" });
  expect(asked.length).toBe(before);
});

test("an endpoint that is interrupted, or has no valid address, does no harm", async () => {
  expect(await ask("/silent", AbortSignal.timeout(100))).toMatchObject({ kind: "aborted" });
  const mask = (text: string) => text;
  const { signal } = new AbortController();
  for (const url of ["file:///etc/passwd", "nonsense", "http://127.0.0.1:1/"])
    expect(await remoteCandidate({ url, mask }).ask(question, signal)).toMatchObject({ kind: "failed" });
});
