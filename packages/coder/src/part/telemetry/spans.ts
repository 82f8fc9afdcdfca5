import {
  type Attributes,
  type Context,
  type Meter,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Event, TurnEnd } from "@pith/agent";
import type { AssistantMessage, Failure, Message, Model, ToolCall, ToolResultMessage, Usage } from "@pith/llm";

interface SpanOptions {
  tracer: Tracer;
  meter: Meter;
  /** The parent span of the caller. */
  around: Context;
  session: string;
  agent: string;
  content: ((text: string) => string) | undefined;
}

interface Open {
  span: Span;
  began: number;
  about: Attributes;
}

/**
 * Turns events into spans with the names of OpenTelemetry: `invoke_agent` for a turn, `chat` for a request to the
 * model, `execute_tool` for a call.
 */
export class Spans {
  readonly #options: SpanOptions;
  readonly #duration;
  readonly #tokens;
  readonly #retries;
  #turn: (Open & { inside: Context; used: { input: number; output: number } }) | undefined;
  #chat: Open | undefined;
  readonly #calls = new Map<string, Open>();
  /** The input of the next turn. */
  #input: Message | undefined;

  constructor(options: SpanOptions) {
    this.#options = options;
    const { meter } = options;
    const known = { unit: "s", description: "how long an operation took" };
    this.#duration = meter.createHistogram("gen_ai.client.operation.duration", known);
    this.#tokens = meter.createHistogram("gen_ai.client.token.usage", { unit: "{token}" });
    this.#retries = meter.createCounter("pith.retries", { description: "requests that were made again" });
  }

  take(event: Event, at: number): void {
    if (event.type === "call") this.#begin(event.call, at);
    else if (event.type === "turn") this.#move(event.state, at);
    else if (event.type === "entry") {
      const { entry } = event;
      if (entry.type === "custom" && entry.customType === "pith.spent") this.#count(entry.data as AssistantMessage);
      else if (entry.type === "message") this.#hear(entry.message as Message, at);
    }
  }

  #move(state: Extract<Event, { type: "turn" }>["state"], at: number): void {
    if (state.name === "asking") this.#ask(state.model, state.step, at);
    else if (state.name === "retrying") {
      this.#retries.add(1, { "error.type": state.failure.kind });
      this.#fail(state.failure, at);
    } else if (state.name === "idle") this.#rest(state.end, at);
  }

  #ask(model: Model, step: number, at: number): void {
    const { tracer, around, session, agent } = this.#options;
    const about = { "gen_ai.provider.name": providerOf(model.vendor), "gen_ai.request.model": model.id };
    if (!this.#turn) {
      const attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": agent === "main" ? "pith" : agent,
        "gen_ai.conversation.id": session,
        ...about,
        ...this.#said("gen_ai.input.messages", this.#input && [this.#input]),
      };
      const name = `invoke_agent ${attributes["gen_ai.agent.name"]}`;
      const span = tracer.startSpan(name, { startTime: at, attributes }, around);
      this.#turn = { span, began: at, about, inside: trace.setSpan(around, span), used: { input: 0, output: 0 } };
    }
    const operation = { "gen_ai.operation.name": "chat", ...about };
    const options = {
      startTime: at,
      kind: SpanKind.CLIENT,
      attributes: { ...operation, "gen_ai.conversation.id": session, "pith.step": step },
    };
    this.#chat = {
      span: tracer.startSpan(`chat ${model.id}`, options, this.#turn.inside),
      began: at,
      about: operation,
    };
  }

  #hear(message: Message, at: number): void {
    if (message.role === "user") this.#input = message;
    else if (message.role === "assistant") this.#answer(message, at);
    else if (message.role === "toolResult") this.#result(message, at);
  }

  #answer(message: AssistantMessage, at: number): void {
    const chat = this.#chat;
    this.#chat = undefined;
    this.#count(message);
    if (!chat) return;
    const { stopReason, responseId, usage } = message;
    chat.span.setAttributes({
      "gen_ai.response.finish_reasons": [reasons[stopReason] ?? stopReason],
      ...(responseId ? { "gen_ai.response.id": responseId } : {}),
      "gen_ai.usage.input_tokens": inputOf(usage),
      "gen_ai.usage.output_tokens": usage.output,
      "gen_ai.usage.cache_read.input_tokens": usage.cacheRead,
      "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite,
      ...this.#said("gen_ai.output.messages", [message]),
    });
    if (this.#turn) {
      this.#turn.used.input += inputOf(usage);
      this.#turn.used.output += usage.output;
    }
    this.#end(chat, at, stopReason === "error" || stopReason === "aborted" ? stopReason : undefined);
  }

  /** Counts tokens, also of failed attempts and of requests beside the conversation. */
  #count({ provider, model, usage }: AssistantMessage): void {
    const about = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": providerOf(provider),
      "gen_ai.request.model": model,
    };
    const { input, output } = { input: inputOf(usage), output: usage.output };
    if (input > 0) this.#tokens.record(input, { ...about, "gen_ai.token.type": "input" });
    if (output > 0) this.#tokens.record(output, { ...about, "gen_ai.token.type": "output" });
  }

  #begin(call: ToolCall, at: number): void {
    this.#calls.set(call.id, this.#call(call, at));
  }

  #call({ id, name, arguments: input }: Pick<ToolCall, "id" | "name" | "arguments">, at: number): Open {
    const { tracer, around } = this.#options;
    const about = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name };
    const attributes = {
      ...about,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": id,
      ...this.#said("gen_ai.tool.call.arguments", input),
    };
    const span = tracer.startSpan(`execute_tool ${name}`, { startTime: at, attributes }, this.#turn?.inside ?? around);
    return { span, began: at, about };
  }

  /** Ends the span of a call. A refused call has none yet. */
  #result({ toolCallId, toolName, isError, content, details }: ToolResultMessage, at: number): void {
    const open = this.#calls.get(toolCallId) ?? this.#call({ id: toolCallId, name: toolName, arguments: {} }, at);
    this.#calls.delete(toolCallId);
    open.span.setAttributes(this.#said("gen_ai.tool.call.result", content));
    const refused = (details as { meta?: unknown; refused?: string } | undefined)?.refused;
    this.#end(open, at, isError ? (refused ? `refused by ${refused}` : "tool_error") : undefined);
  }

  #fail({ kind, status }: Failure, at: number): void {
    const chat = this.#chat;
    this.#chat = undefined;
    if (status !== undefined) chat?.span.setAttribute("http.response.status_code", status);
    if (chat) this.#end(chat, at, kind);
  }

  #rest(end: TurnEnd, at: number): void {
    const why = end.reason === "failed" ? end.failure.kind : end.reason === "done" ? undefined : end.reason;
    if (end.reason === "failed") this.#fail(end.failure, at);
    for (const open of [this.#chat, ...this.#calls.values()]) if (open) this.#end(open, at, why ?? "lost");
    this.#chat = undefined;
    this.#calls.clear();
    const turn = this.#turn;
    this.#turn = undefined;
    this.#input = undefined;
    if (!turn) return;
    const { used, about } = turn;
    turn.span.setAttributes({ "gen_ai.usage.input_tokens": used.input, "gen_ai.usage.output_tokens": used.output });
    this.#end({ ...turn, about: { "gen_ai.operation.name": "invoke_agent", ...about } }, at, why);
  }

  #end({ span, began, about }: Open, at: number, why: string | undefined): void {
    const failed = why === undefined ? {} : { "error.type": why };
    span.setAttributes(failed);
    if (why !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(at);
    this.#duration.record((at - began) / 1000, { ...about, ...failed });
  }

  /** Returns content as an attribute, masked; none unless the user wants it. */
  #said(name: string, value: unknown): Attributes {
    const { content } = this.#options;
    return content && value !== undefined ? { [name]: content(JSON.stringify(value)) } : {};
  }
}

const inputOf = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;

/** Vendors by their names in OpenTelemetry. */
const providers: Readonly<Record<string, string>> = {
  azure: "azure.ai.openai",
  bedrock: "aws.bedrock",
  "amazon-bedrock": "aws.bedrock",
  google: "gcp.gemini",
  "google-vertex": "gcp.vertex_ai",
  mistral: "mistral_ai",
  xai: "x_ai",
};
const providerOf = (vendor: string): string => providers[vendor] ?? vendor;
const reasons: Readonly<Record<string, string>> = { toolUse: "tool_calls" };
