import type { Failure, StreamEvent } from "../message/stream.ts";
import { newCallId } from "./call-id.ts";
import { failureKind, readError } from "./failure.ts";
import type { Decoder } from "./protocol.ts";

/** Base of decoders whose payloads are JSON objects. */
export abstract class JsonDecoder<Chunk extends object> implements Decoder {
  ended = false;
  /** Stop reason as the server gave it. */
  protected reason: string | undefined;
  protected calls = 0;
  protected nameless = false;
  protected blocks = 0;
  protected open: "text" | "thinking" | undefined;
  /** Makes ids for calls without one. */
  protected readonly newId: () => string;

  constructor(newId: () => string = newCallId) {
    this.newId = newId;
  }

  get settled(): boolean {
    return this.reason !== undefined;
  }

  push(payload: string, out: StreamEvent[]): void {
    if (this.ended) return;
    const chunk = parseObject<Chunk>(payload);
    if (chunk) this.read(chunk, out);
    else this.fail(notJson(payload), out);
  }

  end(out: StreamEvent[], rest?: string): void {
    if (rest !== undefined && parseObject(rest)) this.push(rest, out);
    if (!this.ended) this.finish(out);
  }

  protected abstract read(chunk: Chunk, out: StreamEvent[]): void;
  /** Token counts, if the server sent them. */
  protected abstract usage(): StreamEvent | undefined;
  /** End of the answer, from all that was read. */
  protected abstract ending(): ReplyEnding;

  /**
   * Index of the current block, for servers that do not number blocks; another kind of content begins another block.
   */
  protected block(kind: "text" | "thinking"): number {
    if (this.open !== kind) {
      this.open = kind;
      this.blocks++;
    }
    return this.blocks - 1;
  }

  /** End of an answer without a failure. */
  protected stopped(raw: string | undefined): ReplyEnding {
    return this.nameless ? unnamed : { reason: this.calls > 0 ? "toolUse" : "stop", raw: raw || undefined };
  }

  /** Begins a call. A call without a name makes the answer unusable. */
  protected call(index: number, id: string | undefined, name: string | undefined, out: StreamEvent[]): void {
    this.calls++;
    if (name && id) out.push({ type: "call", index, id, name });
    else this.nameless = true;
  }

  protected say(type: "text" | "thinking", index: number, delta: unknown, out: StreamEvent[]): void {
    if (delta && typeof delta === "string") pushDelta(type, index, delta, out);
  }

  protected argue(index: number, delta: unknown, out: StreamEvent[]): void {
    if (delta && typeof delta === "string") out.push({ type: "args", index, delta });
  }

  protected sign(index: number, signature: unknown, out: StreamEvent[], redacted?: true): void {
    if (signature && typeof signature === "string") out.push({ type: "signature", index, signature, redacted });
  }

  protected finish(out: StreamEvent[]): void {
    const usage = this.usage();
    if (usage) out.push(usage);
    const ending = this.ending();
    this.ended = true;
    out.push("kind" in ending ? { type: "fail", failure: ending } : { type: "stop", ...ending });
  }

  protected fail(failure: Failure, out: StreamEvent[]): void {
    this.ended = true;
    out.push({ type: "fail", failure });
  }
}

export type ReplyEnding = Failure | { reason: "stop" | "length" | "toolUse"; raw?: string };

export const cutOff: Failure = { kind: "cut", message: "the answer ended in the middle" };
export const unnamed: Failure = { kind: "malformed", message: "the model called a tool without a name" };
export const filtered: Failure = { kind: "refused", message: "the server's content filter stopped the answer" };
/** Shows enough of the payload that keys in it can still be recognised and removed. */
export const notJson = (payload: string): Failure => ({
  kind: "malformed",
  message: `the server sent something that is not JSON: ${payload.slice(0, 2000)}`,
});

/** Fields read from a server's JSON. A server may send anything, so values are checked before use. */
export type Unchecked<Name extends string> = { [name in Name]?: unknown };

/** The error that a chunk reports, if any. */
export function reportedBy(chunk: unknown): Failure | undefined {
  const error = readError(chunk);
  if (!error) return undefined;
  const { message, status, retryAfterMs } = error;
  return { kind: failureKind(error), message, status, retryAfterMs };
}

export const startEvent = (id: unknown, model: unknown): StreamEvent => ({
  type: "start",
  responseId: nonEmpty(id),
  responseModel: nonEmpty(model),
});

/** Token counts of a server. `prompt` includes tokens read from or written to a cache, `input` does not. */
export interface TokenCounts
  extends Unchecked<"prompt" | "input" | "output" | "cacheRead" | "cacheWrite" | "cacheWrite1h" | "reasoning"> {}

export function usageEvent(counts: TokenCounts): StreamEvent {
  const [output, cacheRead, cacheWrite] = [
    tokenCount(counts.output),
    tokenCount(counts.cacheRead),
    tokenCount(counts.cacheWrite),
  ];
  const input = Math.max(0, tokenCount(counts.input) || tokenCount(counts.prompt) - cacheRead - cacheWrite);
  const usage = {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWrite1h: Math.min(tokenCount(counts.cacheWrite1h), cacheWrite) || undefined,
    reasoning: isCount(counts.reasoning) ? counts.reasoning : undefined,
    totalTokens: input + output + cacheRead + cacheWrite,
  };
  return { type: "usage", usage };
}

/**
 * Appends text to the last event if that is of the same block: listeners have work for each event, and a long answer
 * has thousands of tokens.
 */
export function pushDelta(type: "text" | "thinking", index: number, delta: string, out: StreamEvent[]): void {
  const last = out[out.length - 1];
  if (last !== undefined && last.type === type && last.index === index) last.delta += delta;
  else out.push({ type, index, delta });
}

/** Checks a server's block number; an invalid one counts as 0. */
export const blockIndex = (index: unknown): number =>
  typeof index === "number" && index >= 0 && index < 10_000 && Number.isInteger(index) ? index : 0;

const isCount = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value < Number.MAX_SAFE_INTEGER;

/** A server's token count; an invalid one is 0. */
export const tokenCount = (value: unknown): number => (isCount(value) ? value : 0);

/** A non-empty string; servers send null, nothing or an empty string for missing values. */
export const nonEmpty = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Collects the beginning of a refusal. */
export const refusalAfter = (said: string, more: unknown): string => (said + (nonEmpty(more) ?? "")).slice(0, 2000);

export function parseObject<T extends object>(payload: string): T | undefined {
  try {
    const value = JSON.parse(payload);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
