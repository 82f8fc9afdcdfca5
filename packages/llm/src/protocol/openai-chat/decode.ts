import { flood, limits } from "../../limit.ts";
import type { Failure, StreamEvent } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import {
  cutOff,
  filtered,
  JsonDecoder,
  nonEmpty,
  notJson,
  pushDelta,
  type ReplyEnding,
  refusalAfter,
  reportedBy,
  startEvent,
  type Unchecked,
  unnamed,
  usageEvent,
} from "../decode.ts";

/** Decodes a streamed chat completion; a whole completion in one payload works too. */
export class ChatDecoder extends JsonDecoder<ChatChunk> {
  readonly #compat: Compat;
  #started = false;
  #announced = false;
  #calls: OpenCall[] = [];
  #usage: ChatUsage | undefined;
  #refusal = "";
  #details = new Map<string, string>();
  /** Characters held back so far. */
  #kept = 0;

  constructor(compat: Compat = {}, newId?: () => string) {
    super(newId);
    this.#compat = compat;
  }

  // A long answer has thousands of chunks of plain text, read before the runtime has compiled this code: fields that a
  // chunk lacks cost one look and no call.
  override push(payload: string, out: StreamEvent[]): void {
    if (this.ended) return;
    let chunk: ChatChunk | null | undefined;
    try {
      chunk = JSON.parse(payload);
    } catch {}
    const choice = chunk?.choices?.[0];
    if (!chunk || !choice || chunk.error) {
      this.#pushOther(chunk, payload, out);
      return;
    }
    if (!this.#started) this.#start(chunk, out);
    if (chunk.usage) this.#usage = chunk.usage;
    const delta = choice.delta ?? choice.message ?? silence;
    if (delta.reasoning_content || delta.reasoning) this.#think(delta.reasoning_content || delta.reasoning, out);
    const said = delta.content;
    const last = out[out.length - 1];
    if (typeof said === "string" && this.open === "text" && last?.type === "text") last.delta += said;
    else if (said) this.#takeContent(said, "text", out);
    if (delta.tool_calls || delta.reasoning_details || delta.refusal) this.#takeRest(delta, out);
    if (choice.usage) this.#usage = choice.usage;
    if (choice.finish_reason) this.reason = nonEmpty(choice.finish_reason);
  }

  override end(out: StreamEvent[], rest?: string): void {
    if (rest === "[DONE]") this.push(rest, out);
    super.end(out, rest);
  }

  #pushOther(chunk: ChatChunk | null | undefined, payload: string, out: StreamEvent[]): void {
    this.#announced = payload === "[DONE]";
    if (this.#announced) this.finish(out);
    else if (typeof chunk === "object" && chunk) this.read(chunk, out);
    else this.fail(notJson(payload), out);
  }

  /** Handles a chunk without a choice: token counts, or an error. */
  protected read(chunk: ChatChunk, out: StreamEvent[]): void {
    const failure = reportedBy(chunk);
    if (failure) this.fail(failure, out);
    else if (chunk.error) this.push(JSON.stringify({ ...chunk, error: undefined }), out);
    else {
      if (!this.#started) this.#start(chunk, out);
      if (chunk.usage) this.#usage = chunk.usage;
    }
  }

  #think(thought: unknown, out: StreamEvent[]): void {
    if (typeof thought === "string") pushDelta("thinking", this.block("thinking"), thought, out);
  }

  #takeRest(delta: ChatDelta, out: StreamEvent[]): void {
    if (delta.tool_calls) this.#takeCalls(delta.tool_calls, out);
    if (delta.reasoning_details) this.#takeDetails(delta.reasoning_details);
    if (delta.refusal) this.#refusal = refusalAfter(this.#refusal, delta.refusal);
    if (this.ended) return;
    if (this.#kept > limits.event) this.fail(flood("event"), out);
    else if (this.#calls.length > limits.blocks) this.fail(flood("blocks"), out);
  }

  #keep(text: string): string {
    this.#kept += text.length;
    return text;
  }

  #start(chunk: ChatChunk, out: StreamEvent[]): void {
    this.#started = true;
    out.push(startEvent(chunk.id, chunk.model));
  }

  /** Content as a list of parts, as some servers send it; a thought in it is a list again. */
  #takeContent(parts: unknown, kind: "text" | "thinking", out: StreamEvent[]): void {
    if (typeof parts === "string") pushDelta(kind, this.block(kind), parts, out);
    for (const part of Array.isArray(parts) ? (parts as (ChatPart | null)[]) : []) {
      const text = nonEmpty(part?.text);
      if (text) pushDelta(kind, this.block(kind), text, out);
      else if (part?.thinking) this.#takeContent(part.thinking, "thinking", out);
    }
  }

  /** Encrypted reasoning that a gateway wants back with the call. */
  #takeDetails(details: unknown): void {
    for (const detail of Array.isArray(details) ? (details as (ChatDetail | null)[]) : [])
      if (detail?.type === "reasoning.encrypted" && nonEmpty(detail.id))
        this.#details.set(String(detail.id), this.#keep(JSON.stringify(detail)));
  }

  #takeCalls(calls: unknown, out: StreamEvent[]): void {
    if (Array.isArray(calls)) for (const part of calls) if (part) this.#call(part, out);
  }

  #call(part: ChatCall, out: StreamEvent[]): void {
    const name = nonEmpty(part.function?.name);
    const call = this.#callOf(part.index, nonEmpty(part.id), name);
    if (call.block === undefined && name) {
      call.block = this.blocks++;
      this.open = undefined;
      out.push({ type: "call", index: call.block, id: call.id, name });
      if (call.early !== "") out.push({ type: "args", index: call.block, delta: call.early });
    }
    const input = part.function?.arguments;
    const delta = typeof input === "string" ? input : input ? JSON.stringify(input) : "";
    if (delta === "") return;
    if (call.block === undefined) call.early += this.#keep(delta);
    else out.push({ type: "args", index: call.block, delta });
  }

  /**
   * Finds the call that a part belongs to. Servers leave out the index, send one index for every call, or repeat id and
   * name in every part; a call is new when its index is, or when it has a name and another id.
   */
  #callOf(index: unknown, id: string | undefined, name: string | undefined): OpenCall {
    const begun =
      typeof index === "number"
        ? this.#calls.findLast((call) => call.wire === index)
        : this.#calls.findLast((call) => !id || call.id === id);
    const other = begun && name && (id ? id !== begun.id : typeof index !== "number" && begun.block !== undefined);
    if (begun && !other) return begun;
    const call: OpenCall = { wire: index, id: id ?? this.newId(), early: "" };
    this.#calls.push(call);
    return call;
  }

  protected override finish(out: StreamEvent[]): void {
    for (const { id, block } of this.#details.size > 0 ? this.#calls : []) {
      const signature = this.#details.get(id);
      if (signature && block !== undefined) out.push({ type: "signature", index: block, signature });
    }
    super.finish(out);
  }

  protected usage(): StreamEvent | undefined {
    return this.#usage && readUsage(this.#usage);
  }

  protected ending(): ReplyEnding {
    const raw = this.reason;
    const hasCalls = this.#calls.length > 0;
    if (raw === undefined && !this.#isWhole(hasCalls)) return cutOff;
    if (this.#refusal !== "") return { kind: "refused", message: `the model declined: ${this.#refusal}` };
    if (!isLength(raw) && this.#calls.some((call) => call.block === undefined)) return unnamed;
    const reason = isLength(raw) ? "length" : hasCalls ? "toolUse" : "stop";
    return failures.get(raw ?? "") ?? { reason, raw: raw || undefined };
  }

  /** Judges an answer without a stop reason: only an announced end of plain text counts, unless the server has none. */
  #isWhole(hasCalls: boolean): boolean {
    if (this.blocks === 0) return false;
    if (this.#compat.supportsFinishReason === false) return this.#announced || !hasCalls;
    return this.#announced && !hasCalls;
  }
}

const silence: ChatDelta = {};

interface OpenCall {
  /** Index from the server, if any. */
  wire: unknown;
  id: string;
  /** Block index, once the name is known. */
  block?: number;
  /** Arguments that arrived before the name. */
  early: string;
}

const isLength = (reason: string | undefined) => reason === "length" || reason === "max_tokens";

const failures: ReadonlyMap<string, Failure> = new Map([
  ["content_filter", filtered],
  ["error", { kind: "server", message: "the server gave up in the middle of the answer" }],
  ["network_error", { kind: "server", message: "the server gave up in the middle of the answer" }],
  ["insufficient_system_resource", { kind: "overload", message: "the server has no capacity left for the answer" }],
]);

const readUsage = (usage: ChatUsage): StreamEvent =>
  usageEvent({
    prompt: usage.prompt_tokens,
    output: usage.completion_tokens,
    cacheRead: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens,
    cacheWrite: usage.prompt_tokens_details?.cache_write_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens,
  });

interface ChatChunk extends Unchecked<"id" | "model" | "error"> {
  choices?: readonly ChatChoice[] | null;
  usage?: ChatUsage | null;
}
interface ChatChoice extends Unchecked<"finish_reason"> {
  delta?: ChatDelta | null;
  message?: ChatDelta | null;
  usage?: ChatUsage | null;
}
type ChatDelta = Unchecked<
  "content" | "reasoning_content" | "reasoning" | "refusal" | "tool_calls" | "reasoning_details"
>;
type ChatPart = Unchecked<"text" | "thinking">;
type ChatDetail = Unchecked<"type" | "id">;
interface ChatCall extends Unchecked<"index" | "id"> {
  function?: Unchecked<"name" | "arguments"> | null;
}
interface ChatUsage extends Unchecked<"prompt_tokens" | "completion_tokens" | "prompt_cache_hit_tokens"> {
  prompt_tokens_details?: Unchecked<"cached_tokens" | "cache_write_tokens"> | null;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
}
