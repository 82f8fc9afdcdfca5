import { flood, limits } from "../../limit.ts";
import type { Failure, StreamEvent } from "../../message/stream.ts";
import type { Compat } from "../../model/compat.ts";
import {
  cutOff,
  filtered,
  nonEmpty,
  notJson,
  parseObject,
  pushDelta,
  refusalAfter,
  reportedBy,
  startEvent,
  tokenCount,
  unnamed,
  usageEvent,
} from "../decode.ts";
import type { Decoder } from "../protocol.ts";

/** Decodes a streamed chat completion; a whole completion in one payload works too. */
export class ChatDecoder implements Decoder {
  ended = false;
  readonly #newId: () => string;
  readonly #compat: Compat;
  #started = false;
  #blocks = 0;
  #open: "text" | "thinking" | undefined;
  #calls: OpenCall[] = [];
  #reason: string | undefined;
  #usage: ChatUsage | undefined;
  #refusal = "";
  #details = new Map<string, string>();
  /** Characters held back so far. */
  #kept = 0;

  constructor(newId: () => string, compat: Compat = {}) {
    this.#newId = newId;
    this.#compat = compat;
  }

  get settled(): boolean {
    return this.#reason !== undefined;
  }

  // A long answer has thousands of chunks of plain text, read before the runtime has compiled this code: fields that a
  // chunk lacks cost one look and no call.
  push(payload: string, out: StreamEvent[]): void {
    if (this.ended) return;
    let chunk: ChatChunk | null | undefined;
    try {
      chunk = JSON.parse(payload);
    } catch {}
    const choice = chunk?.choices?.[0];
    if (!chunk || !choice || chunk.error) {
      this.#takeOther(chunk, payload, out);
      return;
    }
    if (!this.#started) this.#start(chunk, out);
    if (chunk.usage) this.#usage = chunk.usage;
    const delta = choice.delta ?? choice.message ?? silence;
    if (delta.reasoning_content || delta.reasoning) this.#think(delta.reasoning_content || delta.reasoning, out);
    const said = delta.content;
    const last = out[out.length - 1];
    if (typeof said === "string" && this.#open === "text" && last?.type === "text") last.delta += said;
    else if (said) this.#takeContent(said, "text", out);
    if (delta.tool_calls || delta.reasoning_details || delta.refusal) this.#takeRest(delta, out);
    if (choice.usage) this.#usage = choice.usage;
    if (choice.finish_reason) this.#reason = nonEmpty(choice.finish_reason);
  }

  end(out: StreamEvent[], rest?: string): void {
    if (rest !== undefined && (rest === "[DONE]" || parseObject(rest) !== undefined)) this.push(rest, out);
    if (!this.ended) this.#finish(out, "silent");
  }

  /** Handles payloads without a choice: the end, token counts, errors, invalid data. */
  #takeOther(chunk: ChatChunk | null | undefined, payload: string, out: StreamEvent[]): void {
    if (payload === "[DONE]") {
      this.#finish(out, "announced");
      return;
    }
    const failure = typeof chunk === "object" && chunk ? reportedBy(chunk) : notJson(payload);
    if (failure) this.#end(out, { type: "fail", failure });
    else if (chunk?.error) this.push(JSON.stringify({ ...chunk, error: undefined }), out);
    else if (chunk) {
      if (!this.#started) this.#start(chunk, out);
      if (chunk.usage) this.#usage = chunk.usage;
    }
  }

  #think(thought: unknown, out: StreamEvent[]): void {
    if (typeof thought === "string") pushDelta("thinking", this.#block("thinking"), thought, out);
  }

  #takeRest(delta: ChatDelta, out: StreamEvent[]): void {
    if (delta.tool_calls) this.#takeCalls(delta.tool_calls, out);
    if (delta.reasoning_details) this.#takeDetails(delta.reasoning_details);
    if (delta.refusal) this.#refusal = refusalAfter(this.#refusal, delta.refusal);
    if (this.ended) return;
    if (this.#kept > limits.event) this.#end(out, { type: "fail", failure: flood("event") });
    else if (this.#calls.length > limits.blocks) this.#end(out, { type: "fail", failure: flood("blocks") });
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
    if (typeof parts === "string") pushDelta(kind, this.#block(kind), parts, out);
    for (const part of Array.isArray(parts) ? (parts as (ChatPart | null)[]) : []) {
      const text = nonEmpty(part?.text);
      if (text) pushDelta(kind, this.#block(kind), text, out);
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

  /** Index of the current block; another kind of content begins another block. */
  #block(kind: "text" | "thinking"): number {
    if (this.#open !== kind) {
      this.#open = kind;
      this.#blocks++;
    }
    return this.#blocks - 1;
  }

  #call(part: ChatCall, out: StreamEvent[]): void {
    const name = nonEmpty(part.function?.name);
    const call = this.#callOf(part.index, nonEmpty(part.id), name);
    if (call.block === undefined && name) {
      call.block = this.#blocks++;
      this.#open = undefined;
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
    const call: OpenCall = { wire: index, id: id ?? this.#newId(), early: "" };
    this.#calls.push(call);
    return call;
  }

  #finish(out: StreamEvent[], how: "announced" | "silent"): void {
    for (const { id, block } of this.#details.size > 0 ? this.#calls : []) {
      const signature = this.#details.get(id);
      if (signature && block !== undefined) out.push({ type: "signature", index: block, signature });
    }
    if (this.#usage) out.push(readUsage(this.#usage));
    const raw = this.#reason;
    const failure = this.#failure(how);
    const reason = isLength(raw) ? "length" : this.#calls.length > 0 ? "toolUse" : "stop";
    this.#end(out, failure ? { type: "fail", failure } : { type: "stop", reason, raw: raw || undefined });
  }

  #failure(how: "announced" | "silent"): Failure | undefined {
    const raw = this.#reason;
    // Without a stop reason only an announced end of plain text is accepted: half a call must never look complete.
    const trusted =
      this.#compat.supportsFinishReason === false &&
      this.#blocks > 0 &&
      (how === "announced" || this.#calls.length === 0);
    if (raw === undefined && !trusted && (how === "silent" || this.#blocks === 0 || this.#calls.length > 0))
      return cutOff;
    if (this.#refusal !== "") return { kind: "refused", message: `the model declined: ${this.#refusal}` };
    if (!isLength(raw) && this.#calls.some((call) => call.block === undefined)) return unnamed;
    return failures.get(raw ?? "");
  }

  #end(out: StreamEvent[], event: StreamEvent): void {
    this.ended = true;
    out.push(event);
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

function readUsage(usage: ChatUsage): StreamEvent {
  const cacheRead =
    tokenCount(usage.prompt_tokens_details?.cached_tokens) ?? tokenCount(usage.prompt_cache_hit_tokens) ?? 0;
  const cacheWrite = tokenCount(usage.prompt_tokens_details?.cache_write_tokens) ?? 0;
  // The prompt count includes cached tokens.
  const input = (tokenCount(usage.prompt_tokens) ?? 0) - cacheRead - cacheWrite;
  const reasoning = tokenCount(usage.completion_tokens_details?.reasoning_tokens);
  return usageEvent({ input, output: tokenCount(usage.completion_tokens) ?? 0, cacheRead, cacheWrite, reasoning });
}

// Fields that are read from a chunk. A server may send anything, so values are checked before use.
interface ChatChunk {
  id?: unknown;
  model?: unknown;
  choices?: readonly ChatChoice[] | null;
  usage?: ChatUsage | null;
  error?: unknown;
}
interface ChatChoice {
  delta?: ChatDelta | null;
  message?: ChatDelta | null;
  finish_reason?: unknown;
  usage?: ChatUsage | null;
}
interface ChatDelta {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  refusal?: unknown;
  tool_calls?: unknown;
  reasoning_details?: unknown;
}
interface ChatPart {
  text?: unknown;
  thinking?: unknown;
}
interface ChatDetail {
  type?: unknown;
  id?: unknown;
}
interface ChatCall {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}
interface ChatUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown } | null;
  prompt_cache_hit_tokens?: unknown;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
}
