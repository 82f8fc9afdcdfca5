/** A model that says `count` tokens, one event each, `perSecond` of them in a second. */
export function serveTokens(
  count: number,
  perSecond: number,
): {
  url: string;
  text: string;
  /** Time of the request by the clock of this process; 0 before. */
  asked(): number;
  done(): boolean;
  stop(): void;
} {
  const stock = "a small tool that reads one file at a time and says **plainly** what it found".split(" ");
  stock.push(..."`there` before the next step is taken".split(" "));
  const tokens = Array.from(
    { length: count },
    (_, at) => `${stock[(at * 7) % stock.length]}${at % 61 === 60 ? ".\n\n" : " "}`,
  );
  let asked = 0;
  let done = false;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch(request) {
      // Nothing but the one question is asked here.
      if (request.method === "POST") asked = performance.now();
      return new Response(
        new ReadableStream({
          async start(controller) {
            const began = performance.now();
            for (const [at, content] of tokens.entries()) {
              controller.enqueue(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
              const ahead = began + ((at + 1) * 1000) / perSecond - performance.now();
              if (ahead > 0) await Bun.sleep(ahead);
            }
            controller.enqueue("data: [DONE]\n\n");
            controller.close();
            done = true;
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      );
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    text: tokens.join(""),
    asked: () => asked,
    done: () => done,
    stop: () => void server.stop(true),
  };
}

/** The tokens of such a stream, as they come. */
export async function* readTokens(url: string): AsyncIterable<string> {
  const response = await fetch(url, { method: "POST", body: "{}" });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      yield (JSON.parse(line.slice(6)) as { choices: { delta: { content: string } }[] }).choices[0]?.delta.content ??
        "";
    }
  }
}
