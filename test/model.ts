// A model on loopback that replies exactly as a test says, even with broken arguments, and stores each request: tests
// check what pith tells the model by the next request, not by the record of pith.
import { pith } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

interface Reply {
  text?: string;
  /** A string as `args` is sent as it is. */
  calls?: { tool: string; args: unknown }[];
  /** Status with which the server refuses the request. */
  refuse?: number;
}
/** A reply, or a function that makes it from the request. */
type Turn = Reply | ((asked: Asked) => Reply | Promise<Reply>);

/** A request, as far as tests check it. */
interface Asked {
  /** The whole body. */
  raw: string;
  system: string;
  /** All messages after the instructions, as `role: text`. */
  said: string[];
  /** Tool results since the last reply. */
  results: string[];
  /** Arguments of all calls in the conversation, as sent. */
  calls: string[];
}

export interface Model extends Disposable {
  /** Environment and option with which pith uses this model. */
  env: Record<string, string>;
  argv: string[];
  asked: Asked[];
}

export function model(...turns: Turn[]): Model {
  const asked: Asked[] = [];
  let count = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== "POST") return new Response("{}", { status: 404 });
      const now = read(await request.text());
      asked.push(now);
      const turn = turns[Math.min(count++, turns.length - 1)] ?? { text: "ok" };
      const reply = typeof turn === "function" ? await turn(now) : turn;
      if (reply.refuse !== undefined)
        return Response.json({ error: { message: "this is not taken" } }, { status: reply.refuse });
      return new Response(stream(reply), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`, OPENAI_API_KEY: "key-for-tests" },
    argv: ["--model", "openai/gpt-5.5"],
    asked,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** Runs one prompt with this model and `--yolo`. */
export const ask = (dir: Scratch, told: Model, ...argv: string[]) =>
  pith(dir, ["-p", "--yolo", ...told.argv, ...argv], { env: told.env });

let calls = 0;

function stream({ text, calls: made = [] }: Reply): string {
  const parts = [
    ...(text === undefined ? [] : [{ content: text }]),
    ...made.map(({ tool, args }, index) => ({
      tool_calls: [
        {
          index,
          id: `call_${++calls}`,
          type: "function",
          function: { name: tool, arguments: typeof args === "string" ? args : JSON.stringify(args) },
        },
      ],
    })),
  ];
  const events = [
    ...parts.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: made.length > 0 ? "tool_calls" : "stop" }] },
  ];
  const lines = events.map((event) => JSON.stringify({ id: "r", object: "chat.completion.chunk", ...event }));
  return [...lines, "[DONE]"].map((line) => `data: ${line}\n\n`).join("");
}

interface Message {
  role: string;
  content: string | { text?: string }[] | null;
  tool_calls?: { function: { arguments: string } }[];
}

function read(raw: string): Asked {
  const { messages = [] } = JSON.parse(raw) as { messages?: Message[] };
  const text = ({ content }: Message) =>
    typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
  const isSystem = ({ role }: Message) => role === "system" || role === "developer";
  const replied = messages.findLastIndex(({ role }) => role === "assistant");
  return {
    raw,
    system: messages.filter(isSystem).map(text).join("\n"),
    said: messages.filter((message) => !isSystem(message)).map((message) => `${message.role}: ${text(message)}`),
    results: messages.flatMap((message, at) => (at > replied && message.role === "tool" ? [text(message)] : [])),
    calls: messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.arguments)),
  };
}
