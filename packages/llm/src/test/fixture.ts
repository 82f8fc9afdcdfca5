import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from "../message/message.ts";
import { noUsage } from "../message/message.ts";
import type { Model } from "../message/model.ts";
import type { Request, Stream, StreamEvent } from "../message/stream.ts";

export const model: Model = {
  vendor: "openai",
  id: "some-model",
  api: "openai-completions",
  name: "Some model",
  contextWindow: 128_000,
  maxOutput: 16_384,
  input: ["text", "image"],
  reasoning: true,
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
  known: true,
};

export const ask = (messages: readonly Message[], more: Partial<Request> = {}): Request => ({ model, system: [], messages, tools: [], ...more });

export const user = (content: UserMessage["content"]): UserMessage => ({ role: "user", content, timestamp: 0 });

export const reply = (content: AssistantMessage["content"], more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  content,
  api: model.api,
  provider: model.vendor,
  model: model.id,
  usage: noUsage(),
  stopReason: "stop",
  timestamp: 0,
  ...more,
});

export const result = (toolCallId: string, content: ToolResultMessage["content"]): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content,
  isError: false,
  timestamp: 0,
});

export async function collect(stream: Stream, request: Request, signal: AbortSignal = new AbortController().signal): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const group of stream(request, signal)) events.push(...group);
  return events;
}

/** All text (or thinking, or arguments) of a reply. */
export const joined = (events: readonly StreamEvent[], type: "text" | "thinking" | "args"): string =>
  events.flatMap((event) => (event.type === type ? [event.delta] : [])).join("");

export const failureIn = (events: readonly StreamEvent[]) => events.flatMap((event) => (event.type === "fail" ? [event.failure] : []))[0];
