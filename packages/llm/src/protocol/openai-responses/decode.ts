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
  type Unchecked,
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
    const { type, delta, item, response } = event;
    if (type === "response.output_text.delta") this.#say("text", index, delta, out);
    else if (type === "response.reasoning_summary_text.delta" || type === "response.reasoning_text.delta")
      this.#say("thinking", index, delta, out);
    else if (type === "response.function_call_arguments.delta" || type === "response.custom_tool_call_input.delta")
      this.#argue(index, delta, out);
    else if (type === "response.reasoning_summary_part.added") {
      if (event.summary_index && this.#items.get(index)?.heard) this.#say("thinking", index, "\n\n", out);
    } else if (item && type === "response.output_item.added") this.#open(index, item, out);
    else if (item && type === "response.output_item.done") this.#close(index, item, out);
    else if (type === "response.refusal.delta") this.#refusal = refusalAfter(this.#refusal, delta);
    else if (type === "response.created") out.push(startEvent(response?.id, response?.model));
    else if (typeof type === "string" && ends.has(type)) this.#over(response ?? {}, out);
    else if (type === "error") this.fail(reportedBy(event) ?? gaveUp, out);
    else if (type === undefined) this.#readOther(event, out);
  }

  /** Reads a payload that is no event: an error, or a summary. */
  #readOther(event: ResponsesEvent, out: StreamEvent[]): void {
    const failure = reportedBy(event);
    if (failure) this.fail(failure, out);
    else if (event.object === "response.compaction") this.#seal(event, out);
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
      this.sign(index, JSON.stringify(item), out);
    } else if (item.type === "message") {
      if (!open.heard) this.#say("text", index, textOf(item.content, ""), out);
      const [id, phase] = [nonEmpty(item.id), nonEmpty(item.phase)];
      if (id) this.sign(index, JSON.stringify({ v: 1, id, phase }), out);
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
      this.fail({ kind: "malformed", message: "the server summarized nothing" }, out);
      return;
    }
    out.push(startEvent(id, undefined), { type: "text", index: 0, delta: "(sealed)" });
    this.sign(0, JSON.stringify(items), out);
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

const ends: ReadonlySet<string> = new Set(["response.completed", "response.incomplete", "response.failed"]);
const gaveUp: Failure = { kind: "server", message: "the server gave up in the middle of the answer" };

const textOf = (parts: unknown, between: string): string =>
  (Array.isArray(parts) ? parts : [])
    .flatMap((part: { text?: unknown } | null) => nonEmpty(part?.text) ?? [])
    .join(between);

const readUsage = (usage: ResponsesUsage): StreamEvent =>
  usageEvent({
    prompt: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.input_tokens_details?.cached_tokens,
    cacheWrite: usage.input_tokens_details?.cache_write_tokens,
    reasoning: usage.output_tokens_details?.reasoning_tokens,
  });

interface ResponsesEvent
  extends Unchecked<"type" | "object" | "id" | "output" | "output_index" | "summary_index" | "delta"> {
  usage?: ResponsesUsage | null;
  item?: ResponsesItem | null;
  response?: ResponsesResponse | null;
}
type ResponsesItem = Unchecked<
  "type" | "id" | "call_id" | "name" | "arguments" | "input" | "summary" | "content" | "phase"
>;
interface ResponsesResponse extends Unchecked<"id" | "model" | "status" | "error"> {
  incomplete_details?: { reason?: unknown } | null;
  usage?: ResponsesUsage | null;
}
interface ResponsesUsage extends Unchecked<"input_tokens" | "output_tokens"> {
  input_tokens_details?: Unchecked<"cached_tokens" | "cache_write_tokens"> | null;
  output_tokens_details?: { reasoning_tokens?: unknown } | null;
}
