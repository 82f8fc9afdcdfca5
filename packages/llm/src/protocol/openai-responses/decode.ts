import { sealedItems } from "../../message/sealed.ts";
import type { Failure, Request, StreamEvent } from "../../message/stream.ts";
import {
  blockIndex,
  cutOff,
  filtered,
  JsonDecoder,
  nonEmpty,
  pushDelta,
  type ReplyEnding,
  refusalAfter,
  reportedBy,
  startEvent,
  tokenCount,
  unnamed,
  usageEvent,
} from "../decode.ts";

/** Decodes a streamed response. Block indexes are the server's item indexes. */
export class ResponsesDecoder extends JsonDecoder<ResponsesEvent> {
  readonly #tools: Request["tools"];
  #items = new Map<number, OpenItem>();
  #usage: ResponsesUsage | null | undefined;
  #ending: ReplyEnding = cutOff;
  #refusal = "";

  constructor(tools: Request["tools"]) {
    super();
    this.#tools = tools;
  }

  protected read(event: ResponsesEvent, out: StreamEvent[]): void {
    const index = blockIndex(event.output_index);
    switch (event.type) {
      case "response.output_text.delta":
        this.#say("text", index, event.delta, out);
        return;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.#say("thinking", index, event.delta, out);
        return;
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        this.#argue(index, event.delta, out);
        return;
      case "response.reasoning_summary_part.added":
        if (event.summary_index && this.#items.get(index)?.heard) this.#say("thinking", index, "\n\n", out);
        return;
      case "response.output_item.added":
        if (event.item) this.#open(index, event.item, out);
        return;
      case "response.output_item.done":
        if (event.item) this.#close(index, event.item, out);
        return;
      case "response.refusal.delta":
        this.#refusal = refusalAfter(this.#refusal, event.delta);
        return;
      case "response.created":
        out.push(startEvent(event.response?.id, event.response?.model));
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        this.#over(event.response ?? {}, out);
        return;
      case "error":
        this.fail(reportedBy(event) ?? gaveUp, out);
        return;
      case undefined: {
        const failure = reportedBy(event);
        if (failure) this.fail(failure, out);
        else if (event.object === "response.compaction") this.#seal(event, out);
      }
    }
  }

  protected usage(): StreamEvent | undefined {
    return this.#usage ? readUsage(this.#usage) : undefined;
  }
  protected ending(): ReplyEnding {
    return this.#ending;
  }

  #item(index: number): OpenItem {
    const known = this.#items.get(index);
    if (known) return known;
    const item: OpenItem = { heard: false };
    this.#items.set(index, item);
    return item;
  }

  #say(type: "text" | "thinking", index: number, delta: unknown, out: StreamEvent[]): void {
    if (typeof delta !== "string" || delta === "") return;
    this.#item(index).heard = true;
    pushDelta(type, index, delta, out);
  }

  #argue(index: number, delta: unknown, out: StreamEvent[]): void {
    if (typeof delta !== "string" || delta === "") return;
    const item = this.#item(index);
    item.heard = true;
    out.push({ type: "args", index, delta: item.argument === undefined ? delta : JSON.stringify(delta).slice(1, -1) });
  }

  #open(index: number, item: ResponsesItem, out: StreamEvent[]): void {
    if (item.type !== "function_call" && item.type !== "custom_tool_call") return;
    this.calls++;
    const [name, call, id] = [nonEmpty(item.name), nonEmpty(item.call_id), nonEmpty(item.id)];
    if (!name || !call) {
      this.fail(unnamed, out);
      return;
    }
    const open = this.#item(index);
    open.called = true;
    out.push({ type: "call", index, id: id ? `${call}|${id}` : call, name });
    if (item.type === "function_call") return;
    // A freeform call has one text as its argument; it is turned into JSON.
    open.argument = this.#tools.find((tool) => tool.name === name)?.freeform?.argument ?? "input";
    out.push({ type: "args", index, delta: `{${JSON.stringify(open.argument)}:"` });
  }

  /** Closes an item with its complete form, for servers that did not stream its parts. */
  #close(index: number, item: ResponsesItem, out: StreamEvent[]): void {
    const open = this.#item(index);
    if (item.type === "reasoning") {
      if (!open.heard) this.#say("thinking", index, textOf(item.summary, "\n\n") || textOf(item.content, "\n\n"), out);
      out.push({ type: "signature", index, signature: JSON.stringify(item) });
    } else if (item.type === "message") {
      if (!open.heard) this.#say("text", index, textOf(item.content, ""), out);
      const [id, phase] = [nonEmpty(item.id), nonEmpty(item.phase)];
      if (id) out.push({ type: "signature", index, signature: JSON.stringify({ v: 1, id, phase }) });
    } else if (item.type === "function_call") this.#closeCall(index, item, item.arguments, out);
    else if (item.type === "custom_tool_call") this.#closeCall(index, item, item.input, out);
  }

  #closeCall(index: number, item: ResponsesItem, whole: unknown, out: StreamEvent[]): void {
    const open = this.#item(index);
    if (!open.called) this.#open(index, item, out);
    if (this.ended) return;
    if (!open.heard) this.#argue(index, whole, out);
    if (open.argument !== undefined) out.push({ type: "args", index, delta: '"}' });
  }

  /** Returns the vendor's own summary as the signature of a placeholder answer. */
  #seal({ id, output, usage }: ResponsesEvent, out: StreamEvent[]): void {
    const items = sealedItems(output);
    if (!items) {
      this.fail({ kind: "malformed", message: "the server summed up nothing" }, out);
      return;
    }
    out.push(startEvent(id, undefined), { type: "text", index: 0, delta: "(sealed)" });
    out.push({ type: "signature", index: 0, signature: JSON.stringify(items) });
    this.#over({ status: "completed", usage }, out);
  }

  #over(response: ResponsesResponse, out: StreamEvent[]): void {
    this.#usage = response.usage;
    this.#ending = this.#endingOf(response);
    this.finish(out);
  }

  #endingOf({ status, error, incomplete_details }: ResponsesResponse): ReplyEnding {
    if (error) return reportedBy({ error }) ?? gaveUp;
    if (status === "failed" || status === "cancelled") return gaveUp;
    if (this.#refusal !== "") return { kind: "refused", message: `the model declined: ${this.#refusal}` };
    const raw = nonEmpty(incomplete_details?.reason) ?? nonEmpty(status) ?? "completed";
    if (raw === "content_filter") return filtered;
    if (status === "incomplete") return { reason: "length", raw };
    return this.stopped(raw);
  }
}

interface OpenItem {
  /** True when a part of it has arrived. */
  heard: boolean;
  called?: true;
  /** Argument name of a freeform call. */
  argument?: string;
}

const gaveUp: Failure = { kind: "server", message: "the server gave up in the middle of the answer" };

const textOf = (parts: unknown, between: string): string =>
  (Array.isArray(parts) ? parts : [])
    .flatMap((part: { text?: unknown } | null) => nonEmpty(part?.text) ?? [])
    .join(between);

function readUsage(usage: ResponsesUsage): StreamEvent {
  const cacheRead = tokenCount(usage.input_tokens_details?.cached_tokens) ?? 0;
  const cacheWrite = tokenCount(usage.input_tokens_details?.cache_write_tokens) ?? 0;
  const input = (tokenCount(usage.input_tokens) ?? 0) - cacheRead - cacheWrite;
  return usageEvent({
    input,
    output: tokenCount(usage.output_tokens) ?? 0,
    cacheRead,
    cacheWrite,
    reasoning: tokenCount(usage.output_tokens_details?.reasoning_tokens),
  });
}

interface ResponsesEvent {
  type?: string;
  object?: unknown;
  id?: unknown;
  output?: unknown;
  usage?: ResponsesUsage | null;
  output_index?: unknown;
  summary_index?: unknown;
  delta?: unknown;
  item?: ResponsesItem | null;
  response?: ResponsesResponse | null;
}
interface ResponsesItem {
  type?: string;
  id?: unknown;
  call_id?: unknown;
  name?: unknown;
  arguments?: unknown;
  input?: unknown;
  summary?: unknown;
  content?: unknown;
  phase?: unknown;
}
interface ResponsesResponse {
  id?: unknown;
  model?: unknown;
  status?: unknown;
  error?: unknown;
  incomplete_details?: { reason?: unknown } | null;
  usage?: ResponsesUsage | null;
}
interface ResponsesUsage {
  input_tokens?: unknown;
  output_tokens?: unknown;
  input_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown } | null;
  output_tokens_details?: { reasoning_tokens?: unknown } | null;
}
