// A scripted server that answers "hi" to whatever agent asks, in the protocol that it asks in, and tells when it was
// first asked. A request for a title or the like is answered too and does not count as the first.
import { now } from "../mock.ts";

export interface Asked {
  /** Epoch milliseconds of the first request that has the prompt in it. */
  arrived: number;
  /** Length of the longest: some agents ask for a title first. */
  bytes: number;
}

export function serveAgents(prompt: string) {
  let first: Asked | undefined;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const arrived = now();
      const { pathname } = new URL(request.url);
      const body = request.method === "POST" ? await request.text() : "";
      const answer = answers.find(({ path }) => path.test(pathname));
      if (!answer) return Response.json({ data: [], models: [] });
      if (body.includes(prompt))
        first = { arrived: first?.arrived ?? arrived, bytes: Math.max(first?.bytes ?? 0, body.length) };
      const events = answer.events.map(([name, data]) => {
        const text = typeof data === "string" ? data : JSON.stringify(data);
        return `${name ? `event: ${name}\n` : ""}data: ${text}\n\n`;
      });
      return new Response(events.join(""), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    base: `http://127.0.0.1:${server.port}`,
    /** The first request since the last call. */
    asked() {
      const seen = first;
      first = undefined;
      return seen;
    },
    stop: () => server.stop(true),
  };
}

type Event = readonly [name: string, data: unknown];
const chunk = (delta: object, finish: string | null): Event => [
  "",
  {
    id: "a",
    object: "chat.completion.chunk",
    created: 0,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  },
];
const message = {
  type: "message",
  id: "m",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "hi", annotations: [] }],
};
const usage = {
  input_tokens: 10,
  output_tokens: 1,
  total_tokens: 11,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

const answers: { path: RegExp; events: readonly Event[] }[] = [
  {
    path: /\/chat\/completions$/,
    events: [chunk({ role: "assistant", content: "hi" }, null), chunk({}, "stop"), ["", "[DONE]"]],
  },
  {
    path: /\/responses$/,
    events: [
      ["response.created", { type: "response.created", response: { id: "r", status: "in_progress", output: [] } }],
      [
        "response.output_item.added",
        { type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } },
      ],
      [
        "response.output_text.delta",
        { type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: "hi" },
      ],
      ["response.output_item.done", { type: "response.output_item.done", output_index: 0, item: message }],
      [
        "response.completed",
        { type: "response.completed", response: { id: "r", status: "completed", output: [message], usage } },
      ],
    ],
  },
  {
    path: /\/messages$/,
    events: [
      [
        "message_start",
        {
          type: "message_start",
          message: {
            id: "m",
            type: "message",
            role: "assistant",
            model: "m",
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 10, output_tokens: 1 },
          },
        },
      ],
      ["content_block_start", { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }],
      ["content_block_delta", { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } }],
      ["content_block_stop", { type: "content_block_stop", index: 0 }],
      [
        "message_delta",
        { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
      ],
      ["message_stop", { type: "message_stop" }],
    ],
  },
  {
    path: /:streamGenerateContent$/,
    events: [
      [
        "",
        {
          candidates: [{ content: { role: "model", parts: [{ text: "hi" }] }, finishReason: "STOP", index: 0 }],
          usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 },
        },
      ],
    ],
  },
];
