import { byteLength } from "@pith/kit";
import type { Message } from "../message/message.ts";
import type { Failure, Request, Stream, StreamEvent, ToolSpec } from "../message/stream.ts";
import type { Model } from "../model/model.ts";
import { dialectIn, extractCalls } from "../protocol/text-call/extract.ts";
import { knownTools } from "../protocol/text-call/known.ts";
import { withTextCalls } from "../protocol/text-call/text-call.ts";

/** Result of one test. */
export interface ProbeFinding {
  name: string;
  verdict: "yes" | "no" | "unknown";
  says: string;
}

/** The answer to one request, summed up. */
export interface ProbeAnswer {
  text: string;
  thinking: string;
  calls: number;
  /** Pieces in which arguments arrived. */
  pieces: number;
  stop?: string;
  input: number;
  cached: number;
  ms: number;
  failure?: Failure;
}

export interface ProbeSubject {
  model: Model;
  /** Stream without reading calls from text. */
  stream: Stream;
  now(): number;
  signal: AbortSignal;
}

const tool: ToolSpec = {
  name: "note",
  description: "Notes one word.",
  parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
};

const user = (content: string | Extract<Message, { role: "user" }>["content"]): Message => ({
  role: "user",
  content,
  timestamp: 0,
});

export async function probeAnswer(
  { model, stream, now, signal }: ProbeSubject,
  content: Parameters<typeof user>[0],
  more: Partial<Request> = {},
): Promise<ProbeAnswer> {
  const messages = [user(content)];
  const request = { model, purpose: "aside" as const, system: [], messages, tools: [], maxOutput: 512 };
  const began = now();
  const answer: ProbeAnswer = { text: "", thinking: "", calls: 0, pieces: 0, input: 0, cached: 0, ms: 0 };
  for await (const events of stream({ ...request, ...more }, signal)) {
    for (const event of events) hear(event, answer);
    // Some models never stop, whatever limit was asked for.
    if (answer.text.length + answer.thinking.length > mostHeard) break;
  }
  return { ...answer, ms: now() - began };
}

const mostHeard = 64 * 1024;

function hear(event: StreamEvent, answer: ProbeAnswer): void {
  if (event.type === "text" || event.type === "thinking") answer[event.type] += event.delta;
  else if (event.type === "call") answer.calls++;
  else if (event.type === "args") answer.pieces++;
  else if (event.type === "stop") answer.stop = event.reason;
  else if (event.type === "fail") answer.failure = event.failure;
  else if (event.type === "usage") {
    answer.cached = event.usage.cacheRead;
    answer.input = event.usage.totalTokens - event.usage.output;
  }
}

export interface Calling {
  calls: "native" | "text" | "none";
  dialect?: string;
  count: number;
  pieces: number;
  says: string;
}

/** Asks for calls through the server's tool support, then through the prompt. */
export async function calling(subject: ProbeSubject, words: string): Promise<Calling> {
  const known = knownTools([tool]);
  const native = await probeAnswer(subject, words, { tools: [tool] });
  const { pieces } = native;
  if (native.calls > 0) return { calls: "native", count: native.calls, pieces, says: "by its server's own means" };
  const through = written(native.text, "native");
  if (through) return through;
  const model = { ...subject.model, tools: false };
  let text = "";
  const overheard: Stream = async function* (request, signal) {
    for await (const events of subject.stream(request, signal)) {
      for (const event of events) if (event.type === "text") text += event.delta;
      yield events;
    }
  };
  await probeAnswer({ ...subject, model, stream: withTextCalls(overheard) }, words, { tools: [tool] });
  return (
    written(text, "text") ?? { calls: "none", count: 0, pieces, says: native.failure?.message ?? "it did not call" }
  );

  function written(said: string, calls: "native" | "text"): Calling | undefined {
    const count = extractCalls(said, known).filter((piece) => "name" in piece && piece.name === tool.name).length;
    if (count === 0) return undefined;
    const dialect = dialectIn(said, known);
    const form = dialect ? `as ${dialect} does` : "as JSON";
    const says = `${calls === "text" ? "told in words, " : ""}in its text, ${form}`;
    return { calls, count, pieces: 0, says, dialect };
  }
}

/** Text of about this many tokens, in words that models count alike. */
export const filler = (tokens: number): string => {
  const line = "The quick brown fox sees a lake and a boat, and then it goes home.\n";
  return line.repeat(Math.ceil((tokens * 4) / byteLength(line)));
};

/** A red square. */
export const red =
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC";
