import type { AssistantMessage, Failure, Model, Request, StreamEvent, ToolCall } from "@pith/llm";
import type { Input } from "../session/inbox.ts";
import type { Effect, Outcome, Tool } from "../tool/tool.ts";

/**
 * The points of a turn. A behaviour is one object that implements the points it needs; the order of behaviours
 * on a point is the order of one list. Extensions use the same points.
 */
export interface Hooks {
  /** A person's input before it is admitted: commands, templates, skills. */
  input(input: Input): Input | Handled | Promise<Input | Handled>;
  /** Before each request to the model: may the turn go on? Budgets and limits. */
  step(turn: TurnView): Go | Stop;
  /** The last word before the wire; pure. */
  context(request: Request): Request | Promise<Request>;
  /** Watches the stream; an Interrupt ends it, keeping or dropping what came so far. */
  delta(events: readonly StreamEvent[], turn: TurnView): Interrupt | undefined;
  /** All are asked; deny beats ask beats allow; a throw is a denial. */
  call(call: CallView): Verdict | Promise<Verdict>;
  /** Right before an allowed call runs, after any question was answered; a throw refuses it. */
  start(call: CallView): void | Promise<void>;
  /** Piped, in order. */
  result(call: CallView, outcome: Outcome): Outcome | Promise<Outcome>;
  /** The model stopped: is the turn finished? The first GoOn wins. */
  settle(turn: TurnView): Done | GoOn | Promise<Done | GoOn>;
  /** A request failed; the first decision other than GiveUp wins. */
  fail(failure: Failure, turn: TurnView): Recovery | Promise<Recovery>;
}

export interface Behaviour extends Partial<Hooks> {
  name: string;
}

/** What a hook may know of the running turn. */
export interface TurnView {
  model: Model;
  /** Requests made in this turn, counted from the input that began it. */
  step: number;
  /** Failed attempts of the present request. */
  attempt: number;
  reply?: AssistantMessage;
  /** What came of the attempt that failed; it may have cost something. */
  lost?: AssistantMessage;
  signal: AbortSignal;
}

/** A call whose arguments are valid, with what policy needs to judge it. */
export interface CallView {
  call: ToolCall;
  tool: Tool;
  input: unknown;
  effect: Effect;
  paths: readonly string[];
}

export type Handled = { handled: true };
export type Go = { do: "go" };
export type Stop = { do: "stop"; message: string };
export type Interrupt = { do: "interrupt"; keep: boolean; note?: string };
export type Verdict =
  | { do: "allow" }
  /** `refusal` is what the model reads when there is nobody to ask. */
  | { do: "ask"; text: string; refusal: string }
  | { do: "deny"; reason: string }
  | { do: "replace"; outcome: Outcome };
export type Done = { do: "done" };
export type GoOn = { do: "go on"; note: string };
export type Recovery = { do: "retry"; delayMs: number } | { do: "switch"; model: Model } | { do: "give up" };
