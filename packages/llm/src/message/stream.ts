import type { Effort, Model } from "../model/model.ts";
import type { Message, StopReason, Usage } from "./message.ts";

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
  /**
   * A tool whose only argument is a text, which the model may write without JSON around it where the vendor knows
   * that.
   */
  freeform?: { argument: string; grammar?: { syntax: "lark" | "regex"; definition: string } };
}

/** What requests are made for. Each has one, whoever makes it; it is for us and never on the wire. */
export const purposes = ["main", "title", "summary", "branch", "handoff", "classify", "aside"] as const;
export type Purpose = (typeof purposes)[number];

export interface Request {
  model: Model;
  purpose: Purpose;
  /** Blocks of the system prompt: the stable one first. */
  system: readonly string[];
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  effort?: Effort;
  maxOutput?: number;
  /** A tool that the answer has to call, as far as the vendor can be told so. */
  demand?: string;
  /** `none`: the tools stay told, so that a cache knows what comes before, and none is to be called. */
  calls?: "none";
  /** The vendor's own summary of what was said is asked for, which only it can read, in the place of an answer. */
  seal?: true;
  /** The JSON schema that the answer has to fit, as far as the server can be told so. */
  answer?: Record<string, unknown>;
  /** The word by which the model says that its task is done: it is taken out, and told as the reason of the stop. */
  completion?: string;
  /** What belongs together: requests of one session meet the same cache where the vendor asks for a name of it. */
  session?: string;
}

/**
 * What a model says, piece by piece. `index` is the place of a block in the reply; the first event of an
 * index opens the block. A stream ends with exactly one `stop` or `fail` and never throws.
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

/** The raw reason of a stop whose model said that its task is done. */
export const taskComplete = "task_complete";

/** Why a request did not end well; the kind says what can be done about it. */
export interface Failure {
  kind: FailureKind;
  message: string;
  status?: number;
  /** How long the server asked us to wait. */
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
 * One streamed request. Events come in groups, one group per chunk of the network, because an await per
 * token is the largest cost of a fast stream.
 */
export interface Stream {
  (request: Request, signal: AbortSignal): AsyncIterable<readonly StreamEvent[]>;
  /** A request like this will soon follow: what can be ready is made ready. Nothing of it is sent. */
  prepare?(request: Request): void;
}
