// A scripted model on loopback, in a process of its own so that it does not share a thread with what measures. Speaks
// Chat Completions over SSE; plays one scene at a time and keeps the times of its requests.
//   bun bench/mock.ts          prints its port
//   POST /scene                begins a scene and forgets the times of the last one
//   GET  /seen                 what came in since, in order
//   GET  /count                how many of these are answered
export type Scene =
  /** Answers with these words, one event each. */
  | { play: "words"; count: number }
  /** Calls the tool `turns` times, `{n}` in the input being the turn, then says "done". */
  | { play: "calls"; turns: number; tool: string; input: Record<string, string> }
  /** Answers every prompt with one call, in turn, and its result with "done"; tells what the request really took. */
  | { play: "rounds"; calls: readonly { tool: string; input: Record<string, unknown> }[] };

export interface Seen {
  /** Milliseconds since the epoch: the request is here; its answer is handed over. */
  arrived: number;
  answered: number;
  bytes: number;
  /** Length of the previous request, also of an earlier scene, and of the beginning that both share. */
  before: number;
  kept: number;
  /** Tool results in the request, and the end of the last one. */
  results: number;
  last: string;
}

export const now = (): number => performance.timeOrigin + performance.now();

/** The words of an answer: plain prose with a line break here and there. */
export function wordsOf(count: number): string[] {
  const stock = "a small tool that reads one file at a time and says plainly what it found there".split(" ");
  stock.push(..."before the next step is taken".split(" "));
  return Array.from({ length: count }, (_, i) => `${stock[(i * 7) % stock.length]}${i % 23 === 22 ? ".\n" : " "}`);
}

export function serveMock(): { port: number; stop: () => void } {
  let scene: Scene = { play: "words", count: 1 };
  let seen: Seen[] = [];
  let previous = "";
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const arrived = now();
      const { pathname } = new URL(request.url);
      if (pathname === "/count") return Response.json(seen.filter(({ answered }) => answered > 0).length);
      if (pathname === "/seen") return Response.json(seen);
      if (pathname === "/scene") {
        scene = (await request.json()) as Scene;
        seen = [];
        return new Response("ok");
      }
      if (!pathname.endsWith("/chat/completions")) return new Response("not found", { status: 404 });
      const body = await request.text();
      const { messages, tools } = JSON.parse(body) as {
        messages: { role: string; content: unknown }[];
        tools?: unknown[];
      };
      const results = messages.filter((it) => it.role === "tool");
      // Who is asked without tools is to sum up.
      const wanted = messages.at(-1)?.role === "user" && tools && tools.length > 0 ? "call" : "words";
      const last = JSON.stringify(results.at(-1)?.content ?? "").slice(-200);
      const entry: Seen = {
        arrived,
        answered: 0,
        bytes: body.length,
        before: previous.length,
        kept: sharedLength(previous, body),
        results: results.length,
        last,
      };
      previous = body;
      seen.push(entry);
      return answer(scene, seen.length, entry, wanted);
    },
  });
  return { port: server.port ?? 0, stop: () => server.stop(true) };
}

/** Number of characters that two texts share from their start. */
export function sharedLength(a: string, b: string): number {
  let [same, other] = [0, Math.min(a.length, b.length) + 1];
  while (other - same > 1) {
    const middle = (same + other) >> 1;
    if (a.startsWith(b.slice(same, middle), same)) same = middle;
    else other = middle;
  }
  return same;
}

/** Events are joined into pieces of this many, and a piece goes out when the socket takes it. */
const perPiece = 50;

function answer(scene: Scene, turn: number, entry: Seen, wanted: Wanted): Response {
  const events = eventsOf(scene, turn, entry.bytes, wanted);
  let at = 0;
  const body = new ReadableStream({
    pull(stream) {
      stream.enqueue(events.slice(at, at + perPiece).join(""));
      at += perPiece;
      if (at < events.length) return;
      stream.close();
      entry.answered = now();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

type Wanted = "call" | "words";

function eventsOf(scene: Scene, turn: number, bytes: number, wanted: Wanted): string[] {
  const head = { id: `bench-${turn}`, object: "chat.completion.chunk", created: 0, model: "bench" };
  const event = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const sent = scene.play === "rounds" ? Math.ceil(bytes / 4) : 1000;
  const tokens = { prompt_tokens: sent, completion_tokens: 10, total_tokens: sent + 10 };
  const usage = `data: ${JSON.stringify({ ...head, choices: [], usage: tokens })}\n\n`;
  const end = (finish: string) => [event({}, finish), usage, "data: [DONE]\n\n"];
  const open = event({ role: "assistant", content: "" });
  const say = (words: string[]) => [open, ...words.map((content) => event({ content })), ...end("stop")];
  if (scene.play === "words") return say(wordsOf(scene.count));
  const next = callAt(scene, turn, wanted);
  if (!next) return say(["done"]);
  const input = JSON.stringify(next.input)
    .replaceAll("{n}", String(turn))
    .replaceAll("{file}", String((turn % 50) + 1));
  const call = { index: 0, id: `call_${turn}`, type: "function", function: { name: next.tool, arguments: input } };
  return [open, event({ tool_calls: [call] }), ...end("tool_calls")];
}

function callAt(scene: Exclude<Scene, { play: "words" }>, turn: number, wanted: Wanted) {
  if (scene.play === "calls") return turn > scene.turns ? undefined : scene;
  return wanted === "call" ? scene.calls[(turn >> 1) % scene.calls.length] : undefined;
}

if (import.meta.main) process.stdout.write(`${serveMock().port}\n`);
