import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from "../message/message.ts";
import { noUsage } from "../message/message.ts";
import type { Request, Stream, StreamEvent } from "../message/stream.ts";
import type { Model } from "../model/model.ts";

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

export const ask = (messages: readonly Message[], more: Partial<Request> = {}): Request => ({
  model,
  purpose: "main",
  system: [],
  messages,
  tools: [],
  ...more,
});

export const user = (content: UserMessage["content"]): UserMessage => ({ role: "user", content, timestamp: 0 });

export const reply = (
  content: AssistantMessage["content"],
  more: Partial<AssistantMessage> = {},
): AssistantMessage => ({
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

export async function collect(
  stream: Stream,
  request: Request,
  signal: AbortSignal = new AbortController().signal,
): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const group of stream(request, signal)) events.push(...group);
  return events;
}

/** All text (or thinking, or arguments) of a reply. */
export const joined = (events: readonly StreamEvent[], type: "text" | "thinking" | "args"): string =>
  events.flatMap((event) => (event.type === type ? [event.delta] : [])).join("");

export const failureIn = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === "fail" ? [event.failure] : []))[0];

/** The reply that a stream's events make. */
export function folded(events: readonly StreamEvent[], by: Model): AssistantMessage {
  const blocks = new Map<
    number,
    { kind: "text" | "thinking" | "call"; text: string; id: string; name: string; signature: string; redacted: boolean }
  >();
  const block = (index: number, kind: "text" | "thinking" | "call") => {
    const open = blocks.get(index) ?? { kind, text: "", id: "", name: "", signature: "", redacted: false };
    blocks.set(index, open);
    return open;
  };
  for (const event of events) {
    if (event.type === "text" || event.type === "thinking") block(event.index, event.type).text += event.delta;
    else if (event.type === "call") Object.assign(block(event.index, "call"), { id: event.id, name: event.name });
    else if (event.type === "args") block(event.index, "call").text += event.delta;
    else if (event.type === "signature") {
      const open = block(event.index, "thinking");
      open.signature += event.signature;
      open.redacted ||= event.redacted === true;
    }
  }
  const content = [...blocks]
    .sort(([a], [b]) => a - b)
    .map(([, { kind, text, id, name, signature, redacted }]): AssistantMessage["content"][number] => {
      if (kind === "text") return { type: "text", text, textSignature: signature || undefined };
      if (kind === "thinking")
        return {
          type: "thinking",
          thinking: text,
          thinkingSignature: signature || undefined,
          redacted: redacted || undefined,
        };
      return {
        type: "toolCall",
        id,
        name,
        arguments: JSON.parse(text || "{}"),
        thoughtSignature: signature || undefined,
      };
    });
  return reply(content, { api: by.api, provider: by.vendor, model: by.id });
}
