import { recordOf } from "@pith/kit";
import type { Scene } from "../fake.ts";

/** A message as the model's template gets it, for every protocol. */
export interface Told {
  role: string;
  text: string;
  calls: readonly { name: string; args: unknown }[];
  /** Tool of a result. */
  tool?: string;
  images: number;
}

/** All that a model behind a server can know of a request. */
export interface Seen {
  model: string;
  messages: readonly Told[];
  tools: readonly { name: string; description?: string; parameters?: Readonly<Record<string, unknown>> }[];
  /** `json`, or a schema to keep to. */
  format?: unknown;
  think?: unknown;
  maxOutput?: number;
}

/** Replaces the model's weights. */
export type Mind = (seen: Seen) => Scene;

type Row = Readonly<Record<string, unknown>>;
const rows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const row = (value: unknown): Row => recordOf(value);

/** A request to Ollama's own chat. */
export function seenByOllama(body: Row): Seen {
  return {
    ...common(body),
    messages: rows(body.messages).map((message) => ({
      role: String(message.role),
      text: String(message.content ?? ""),
      calls: callsOf(message),
      ...(typeof message.tool_name === "string" ? { tool: message.tool_name } : {}),
      images: rows(message.images).length,
    })),
    format: body.format,
    think: body.think,
    maxOutput: limit(row(body.options).num_predict),
  };
}

/** A request for a chat completion. */
export function seenByChat(body: Row): Seen {
  const names = new Map<unknown, string>();
  const messages = rows(body.messages).map((message) => {
    for (const call of rows(message.tool_calls)) names.set(call.id, String(row(call.function).name));
    const parts = Array.isArray(message.content) ? rows(message.content) : [];
    const tool = names.get(message.tool_call_id);
    return {
      role: message.role === "developer" ? "system" : String(message.role),
      text: parts.length > 0 ? parts.map((part) => String(part.text ?? "")).join("\n") : String(message.content ?? ""),
      calls: callsOf(message),
      ...(tool === undefined ? {} : { tool }),
      images: parts.filter(({ type }) => type === "image_url").length,
    };
  });
  const { type, json_schema } = row(body.response_format);
  const format = type === "json_schema" ? row(json_schema).schema : type === "json_object" ? "json" : undefined;
  return { ...common(body), messages, format, maxOutput: limit(body.max_completion_tokens ?? body.max_tokens) };
}

const common = (body: Row) => ({
  model: String(body.model),
  tools: rows(body.tools).map(({ function: spec }) => spec as Seen["tools"][number]),
});

const callsOf = (message: Row) =>
  rows(message.tool_calls).map(({ function: called }) => {
    const { name, arguments: given } = row(called);
    return { name: String(name), args: typeof given === "string" ? parsed(given) : given };
  });

const limit = (value: unknown): number | undefined => (typeof value === "number" && value > 0 ? value : undefined);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
