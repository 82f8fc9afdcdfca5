import { afterEach, describe, expect, test } from "bun:test";
import type { Server, Socket, TCPSocketListener } from "bun";
import type { Stream } from "../message/stream.ts";
import { resolveModel } from "../resolve.ts";
import { ask, collect, failureIn, joined, user } from "../test/fixture.ts";

const key = "sk-test-0123456789";
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const answer = (text: string) => `${chunk({ content: text })}${chunk({}, "stop")}data: [DONE]\n\n`;
const eventStream = { headers: { "content-type": "text/event-stream" } };

const open: { stop(now?: boolean): unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.stop(true);
});

/** A server on loopback, and the stream of a model behind it. */
async function serve(
  handle: (request: Request, server: Server<unknown>) => Response | Promise<Response>,
  env: Record<string, string> = { OPENAI_API_KEY: key },
): Promise<{ stream: Stream; url: string }> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: handle });
  open.push(server);
  const url = `http://127.0.0.1:${server.port}/v1`;
  return { stream: await streamAt(url, env), url };
}

async function streamAt(url: string, env: Record<string, string> = {}): Promise<Stream> {
  const resolved = await resolveModel("openai/some-model", { env: { OPENAI_BASE_URL: url, ...env } });
  if (!resolved.ok) throw new Error(resolved.message);
  return resolved.value.stream;
}

/** A body that stays open, or closes a while after its last part. */
function held(parts: readonly string[], onCancel: () => void = () => {}, closeMs?: number): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
      if (closeMs !== undefined) setTimeout(() => controller.close(), closeMs);
    },
    cancel: onCancel,
  });
  return new Response(body, eventStream);
}

const request = ask([user("hello")]);

describe("an answer that is whole", () => {
  test("is taken though the server neither says that it is over nor closes", async () => {
    const { stream } = await serve(() => held([chunk({ content: "all of it" }), chunk({}, "stop")]));
    const events = await collect(stream, request);
    expect(joined(events, "text")).toBe("all of it");
    expect(events.at(-1)).toEqual({ type: "stop", reason: "stop", raw: "stop" });
  });

  test("waits a moment for its figures", async () => {
    const figures = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } })}\n\n`;
    const { stream } = await serve(() => {
      const body = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode(chunk({ content: "x" }) + chunk({}, "stop")));
          // A server that pauses before its figures.
          await Bun.sleep(100);
          controller.enqueue(new TextEncoder().encode(figures));
        },
      });
      return new Response(body, eventStream);
    });
    expect(await collect(stream, request)).toContainEqual(
      expect.objectContaining({ type: "usage", usage: expect.objectContaining({ input: 7, output: 2 }) }),
    );
  });
});

test("words that come together are one event, and thoughts and words stay apart", async () => {
  const all = [{ reasoning: "h" }, { reasoning: "m" }, { content: "a" }, { content: "b" }, { content: "c" }];
  const { stream } = await serve(
    () => new Response(all.map((one) => chunk(one)).join("") + chunk({}, "stop"), eventStream),
  );
  const events = (await collect(stream, request)).filter(({ type }) => type === "text" || type === "thinking");
  expect(events).toEqual([
    { type: "thinking", index: 0, delta: "hm" },
    { type: "text", index: 1, delta: "abc" },
  ]);
});

test("an answer is read as what it is, though its server calls it a document", async () => {
  const { stream } = await serve(
    () => new Response(answer("streamed"), { headers: { "content-type": "application/json" } }),
  );
  expect(joined(await collect(stream, request), "text")).toBe("streamed");
  const whole = { choices: [{ message: { content: "in one" }, finish_reason: "stop" }] };
  const { stream: other } = await serve(
    () => new Response(JSON.stringify(whole, null, 2), { headers: { "content-type": "application/json" } }),
  );
  expect(joined(await collect(other, request), "text")).toBe("in one");
});

test("a key in what a server sends instead of JSON is hidden wherever it stands", async () => {
  for (const before of [0, 150, 190, 480, 1990]) {
    const { stream } = await serve(() => new Response(`data: ${"x ".repeat(before / 2)}${key}\n\n`, eventStream));
    const { message = "" } = failureIn(await collect(stream, request)) ?? {};
    expect(message).toStartWith("the server sent something that is not JSON");
    expect(message).not.toContain(key.slice(0, 8));
  }
});

describe("a request", () => {
  test("goes to /chat/completions below the base, with the key and the body", async () => {
    let seen: { url: string; auth: string | null; body: unknown } | undefined;
    const { stream, url } = await serve(async (req) => {
      seen = { url: req.url, auth: req.headers.get("authorization"), body: await req.json() };
      return new Response(answer("hi"), eventStream);
    });
    const events = await collect(stream, request);
    expect(seen).toMatchObject({
      url: `${url}/chat/completions`,
      auth: `Bearer ${key}`,
      body: { model: "some-model", stream: true },
    });
    expect(joined(events, "text")).toBe("hi");
    expect(events.at(-1)).toMatchObject({ type: "stop", reason: "stop" });
  });

  test("to a server of one's own without a key carries no authorization", async () => {
    let auth: string | null = "unset";
    const { stream } = await serve((req) => {
      auth = req.headers.get("authorization");
      return new Response(answer("hi"), eventStream);
    }, {});
    await collect(stream, request);
    expect(auth).toBeNull();
  });

  test("keeps the query of the base address and survives a slash at its end", async () => {
    let seen = "";
    const { url } = await serve((req) => {
      seen = new URL(req.url).pathname + new URL(req.url).search;
      return new Response(answer("hi"), eventStream);
    });
    await collect(await streamAt(`${url}/?version=2`), request);
    expect(seen).toBe("/v1/chat/completions?version=2");
  });

  test("reuses the connection of the one before, also when the reader leaves at the stop", async () => {
    const ports = new Set<number | undefined>();
    const { stream } = await serve((req, server) => {
      ports.add(server.requestIP(req)?.port);
      return held([answer("hi")], () => {}, 10);
    });
    for (let step = 0; step < 8; step++) {
      const abort = new AbortController();
      const groups = stream(request, abort.signal)[Symbol.asyncIterator]();
      for (let next = await groups.next(); !next.done && next.value.at(-1)?.type !== "stop"; )
        next = await groups.next();
      abort.abort();
    }
    // On a busy machine the end of a body may come too late to wait for; without reuse there would be eight.
    expect(ports.size).toBeLessThan(5);
  });

  test("to a server that does not stream is answered all the same", async () => {
    const body = {
      id: "r",
      choices: [{ index: 0, message: { role: "assistant", content: "whole" }, finish_reason: "stop" }],
    };
    const { stream } = await serve(() => Response.json(body));
    expect(joined(await collect(stream, request), "text")).toBe("whole");
  });
});

describe("trouble", () => {
  test("a server that is down is named with its address", async () => {
    const { stream, url } = await serve(() => new Response(""));
    for (const server of open.splice(0)) server.stop(true);
    const failure = failureIn(await collect(stream, request));
    expect(failure?.kind).toBe("network");
    expect(failure?.message).toContain(`${url}/chat/completions`);
  });

  test.each([
    [401, "auth"],
    [404, "missing"],
    [429, "rate"],
    [500, "server"],
    [503, "overload"],
  ])("HTTP %i is of kind %s, and no message holds the key", async (status, kind) => {
    const { stream } = await serve(() =>
      Response.json({ error: { message: `no: ${key}` } }, { status, headers: { "retry-after": "3" } }),
    );
    const failure = failureIn(await collect(stream, request));
    expect(failure).toMatchObject({ kind: kind as never, status, retryAfterMs: 3000 });
    expect(failure?.message).not.toContain(key);
  });

  test("a redirect is not followed: the key stays here", async () => {
    let visited = false;
    const other = await serve(() => {
      visited = true;
      return new Response(answer("stolen"), eventStream);
    });
    const { stream } = await serve(
      () => new Response(null, { status: 307, headers: { location: `${other.url}/chat/completions` } }),
    );
    expect(failureIn(await collect(stream, request))).toMatchObject({
      kind: "missing",
      message: expect.stringContaining(other.url),
    });
    expect(visited).toBe(false);
  });

  test("a web page instead of an answer says that the address is wrong", async () => {
    const { stream } = await serve(
      () => new Response("<html>login</html>", { headers: { "content-type": "text/html" } }),
    );
    expect(failureIn(await collect(stream, request))).toMatchObject({
      kind: "missing",
      message: expect.stringContaining("OPENAI_BASE_URL"),
    });
  });

  test("an error inside the stream is cleaned of the key and of escape sequences", async () => {
    const { stream } = await serve(
      () =>
        new Response(
          `data: ${JSON.stringify({ error: { message: `\u001b[2Jbad ${key}`, code: 500 } })}\n\n`,
          eventStream,
        ),
    );
    expect(failureIn(await collect(stream, request))).toEqual({ kind: "server", status: 500, message: "bad ***" });
  });

  test("a stream that ends in the middle is a cut, whether it closes or breaks", async () => {
    const { stream } = await serve(() => new Response(chunk({ content: "half" }), eventStream));
    const events = await collect(stream, request);
    expect(joined(events, "text")).toBe("half");
    expect(failureIn(events)?.kind).toBe("cut");
    const broken = await collect(await streamAt(breakingServer(chunk({ content: "half" }))), request);
    expect(joined(broken, "text")).toBe("half");
    expect(failureIn(broken)?.kind).toBe("cut");
  });

  test("a finished answer whose connection then breaks is a finished answer", async () => {
    const url = breakingServer(chunk({ content: "all" }) + chunk({}, "stop"));
    expect((await collect(await streamAt(url), request)).at(-1)).toMatchObject({ type: "stop" });
  });

  test("a server that lingers after [DONE] is not waited for", async () => {
    const { stream } = await serve(() => held([answer("hi")]));
    expect((await collect(stream, request)).at(-1)).toMatchObject({ type: "stop" });
  });
});

describe("an abort", () => {
  test("before the request sends nothing", async () => {
    let asked = false;
    const { stream } = await serve(() => {
      asked = true;
      return new Response(answer("hi"), eventStream);
    });
    expect(failureIn(await collect(stream, request, AbortSignal.abort()))?.kind).toBe("aborted");
    expect(asked).toBe(false);
  });

  test("while the server thinks ends at once", async () => {
    const abort = new AbortController();
    const { stream } = await serve(() => {
      abort.abort();
      return new Promise<Response>(() => {});
    });
    expect(failureIn(await collect(stream, request, abort.signal))?.kind).toBe("aborted");
  });

  test("in the middle of the stream ends it, keeps what came, and tells the server", async () => {
    const abort = new AbortController();
    const cancelled = Promise.withResolvers<void>();
    const { stream } = await serve(() => held([chunk({ content: "so far" })], () => cancelled.resolve()));
    const texts: string[] = [];
    for await (const events of stream(request, abort.signal)) {
      texts.push(joined(events, "text"));
      if (texts.join("") === "so far") abort.abort();
      else expect(failureIn(events)?.kind).toBe("aborted");
    }
    expect(texts.join("")).toBe("so far");
    await cancelled.promise;
  });

  test("by walking away from the stream also tells the server", async () => {
    const cancelled = Promise.withResolvers<void>();
    const { stream } = await serve(() => held([chunk({ content: "so far" })], () => cancelled.resolve()));
    for await (const _ of stream(request, new AbortController().signal)) break;
    await cancelled.promise;
  });
});

const httpHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const httpChunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Sends a part of an answer and drops the connection. */
function breakingServer(part: string): string {
  const server = listen((socket) => {
    socket.write(httpHead + httpChunk(part));
    socket.flush();
    // Not at once: a reset would overtake what was sent.
    setTimeout(() => socket.terminate(), 20);
  });
  return `http://127.0.0.1:${server.port}/v1`;
}

function listen(onRequest: (socket: Socket) => void): TCPSocketListener {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, data) {
        if (data.includes("POST ")) onRequest(socket);
      },
    },
  });
  open.push(server);
  return server;
}
