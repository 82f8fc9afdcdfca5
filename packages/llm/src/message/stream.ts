import type { Effort, Model } from "../model/model.ts";
import type { Message, StopReason, Usage } from "./message.ts";

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
  /**
   * Set for a tool whose only argument is a text: where the vendor supports it, the model may write it without JSON.
   */
  freeform?: { argument: string; grammar?: { syntax: "lark" | "regex"; definition: string } };
}

/** Purposes of requests; never sent to a server. */
export const purposes = ["main", "title", "summary", "branch", "handoff", "classify", "aside"] as const;
export type Purpose = (typeof purposes)[number];

export interface Request {
  model: Model;
  purpose: Purpose;
  /** Blocks of the system prompt, the stable one first. */
  system: readonly string[];
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  effort?: Effort;
  maxOutput?: number;
  /** A tool that the answer must call, where the vendor can be told so. */
  demand?: string;
  /** `none`: the tools are still sent, so that the cached prefix stays valid, but none may be called. */
  calls?: "none";
  /** Asks for the vendor's own summary, which only the vendor can read, instead of an answer. */
  seal?: true;
  /** JSON schema that the answer must fit, where the server can be told so. */
  answer?: Record<string, unknown>;
  /** The word with which the model ends its task; it is removed from the answer and reported as the stop reason. */
  completion?: string;
  /** Session id; some vendors use it to find the right cache. */
  session?: string;
}

/**
 * Streamed pieces of an answer. `index` is the place of a block in the reply; the first event of an index opens the
 * block. A stream ends with exactly one `stop` or `fail` and never throws.
 */
export type StreamEvent =
  | { type: "start"; responseId?: string; responseModel?: string }
  | { type: "text"; index: number; delta: string }
  | { type: "thinking"; index: number; delta: string }
  | { type: "call"; index: number; id: string; name: string }
  | { type: "args"; index: number; delta: string }
  | { type: "signature"; index: number; signature: string; redacted?: boolean }
  | { type: "usage"; usage: Omit<Usage, "cost"> }
  | { type: "stop"; reason: Exclude<StopReason, "error" | "aborted">; raw?: string }
  | { type: "fail"; failure: Failure };

/** Raw stop reason when the model declared its task done. */
export const taskComplete = "task_complete";

/** Why a request failed; the kind decides what to do about it. */
export interface Failure {
  kind: FailureKind;
  message: string;
  status?: number;
  /** Wait that the server asked for. */
  retryAfterMs?: number;
}
export type FailureKind =
  | "auth" // no or wrong credential: the user must act
  | "missing" // the model or endpoint does not exist
  | "rate" // too many requests: wait
  | "overload" // the server is busy: wait
  | "server" // 5xx: try again
  | "network" // not reached: try again
  | "timeout" // nothing came for too long: try again
  | "cut" // the stream ended in the middle: try again
  | "overflow" // the context is too long: compact
  | "rejected" // the request is not acceptable: heal or give up
  | "malformed" // the answer is not in the protocol
  | "flood" // the answer is larger than any honest one: do not ask again
  | "refused" // the model declined
  | "internal" // a part of ours is broken
  | "aborted"; // we stopped it

/**
 * A streamed request. Events come in groups, one per network chunk, because an await per token is the largest cost of a
 * fast stream.
 */
export interface Stream {
  (request: Request, signal: AbortSignal): AsyncIterable<readonly StreamEvent[]>;
  /** Prepares for a request like this one (encodes it, connects); sends nothing. */
  prepare?(request: Request): void;
}
