import type { AssistantMessage, Failure, Model, Request, StreamEvent, ToolCall } from "@pith/llm";
import type { CompactAnswer, CompactView, NavigateAnswer, NavigateView } from "../compact/cause.ts";
import type { CommandPart, TurnEnd } from "../event.ts";
import type { EntryDraft } from "../session/entry.ts";
import type { UserInput } from "../session/queue.ts";
import type { CallApproval, Intent } from "../tool/intent.ts";
import type { Outcome } from "../tool/outcome.ts";
import type { Risk } from "../tool/risk.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * The points of a turn. A hook is one object that implements the points it needs; the order of hooks on a point is the
 * order of one list. Extensions use the same points. A throw at any of them ends the turn in order.
 */
export interface Hooks {
  /** Input before it is admitted: templates, skills. */
  input(input: UserInput): UserInput | Handled | Promise<UserInput | Handled>;
  /** Before each request to the model: may the turn go on? Budgets and limits. */
  step(turn: TurnView): Go | Stop | Promise<Go | Stop>;
  /** The last word before the wire; pure. */
  context(request: Request): Request | Promise<Request>;
  /**
   * Watches the stream; an Interrupt ends it, keeping or dropping what came so far. It may take its time: the stream
   * waits for it.
   */
  delta(events: readonly StreamEvent[], turn: TurnView): Interrupt | undefined | Promise<Interrupt | undefined>;
  /** All are asked, and what they say is joined (`verdict.ts`); a throw is a denial. */
  call(call: CallView): Verdict | Promise<Verdict>;
  /** Right before an allowed call runs, after any question was answered; a throw refuses it. */
  start(call: CallView): void | Promise<void>;
  /** Piped, in order. */
  result(call: CallView, outcome: Outcome): Outcome | Promise<Outcome>;
  /** The model stopped: is the turn finished? The first answer other than Done wins. */
  settle(turn: TurnView): Settled | Promise<Settled>;
  /** A request failed; the first decision other than GiveUp wins. */
  fail(failure: Failure, turn: TurnView): Recovery | Promise<Recovery>;
  /** Before the conversation is made shorter. The first that cancels or brings a result wins; words are joined. */
  compact(view: CompactView): CompactAnswer | Promise<CompactAnswer>;
  /** Before it goes on at another place of its tree. The first answer other than go wins. */
  navigate(view: NavigateView): NavigateAnswer | Promise<NavigateAnswer>;
  /** A turn has ended, in whatever way; another may begin. */
  idle(end: TurnEnd, turn: TurnView): void | Promise<void>;
}

export interface Hook extends Partial<Hooks> {
  name: string;
}

/** What a hook may know of the running turn. */
export interface TurnView {
  /** Of this turn alone: what is remembered for a turn is remembered by it. */
  id: string;
  model: Model;
  /** Requests made in this turn, counted from the input that began it. */
  step: number;
  /** Failed attempts of the present request. */
  attempt: number;
  /** How often it was carried on after the model had stopped. */
  goneOn: number;
  reply?: AssistantMessage;
  /** What came of the attempt that failed; it may have cost something. */
  lost?: AssistantMessage;
  signal: AbortSignal;
}

/** A call whose arguments are valid, and what it will do. */
export interface CallView {
  call: ToolCall;
  tool: Tool;
  input: unknown;
  intent: Intent;
  /** Its place among the calls of its reply. */
  place: CallPosition;
  /** Who allowed it, once somebody did. */
  allowed?: CallApproval;
}

/** The calls of a reply, and which of them it is. */
export interface CallPosition {
  at: number;
  of: readonly ToolCall[];
}

export type Handled = { handled: true };
/** With a model: the turn goes on with that one. */
export type Go = { do: "go"; model?: Model };
export type Stop = { do: "stop"; message: string };
export type Interrupt = { do: "interrupt"; keep: boolean; note?: Note };
/** What the model is told: words, or the entries that tell it. */
export type Note = string | readonly EntryDraft[];
export type Verdict =
  /** `by` says what allowed it: a mode, a rule, an earlier answer. */
  | { do: "allow"; by?: string }
  | Ask
  | { do: "deny"; reason: string }
  /** The call with other arguments: it is prepared anew, and every guard is asked again. */
  | { do: "change"; input: unknown }
  | { do: "replace"; outcome: Outcome };

/** A guard that wants somebody to say yes. The reasons of all guards become one question. */
export interface Ask {
  do: "ask";
  /** Why, in words for people. */
  text: string;
  /** What the model reads when there is nobody to ask. */
  refusal: string;
  risk?: Risk;
  parts?: readonly CommandPart[];
  /** What a yes for longer than once would cover; without it, this guard asks every time. */
  scope?: string;
  /** Takes note of a yes that holds longer than once. */
  keep?(holds: "session" | "project"): void | Promise<void>;
  /** Resolves when it is allowed by what was decided since; the signal ends the wait. */
  covered?(signal: AbortSignal): Promise<void>;
}
export type Done = { do: "done" };
/** `anew`: it does not count against what a turn may be carried on, for whoever says so has a bound of its own. */
export type GoOn = { do: "go on"; note: Note; anew?: true };
export type Settled = Done | GoOn | Stop;
export type Recovery =
  /** `most` is how often it is tried again at all, where that is known. */
  | { do: "retry"; delayMs: number; most?: number }
  /** What it failed of has been dealt with: the same step at once, which is no retry. */
  | { do: "again" }
  | { do: "switch"; model: Model }
  /** With a failure: what people are told in the place of the server's words. */
  | { do: "give up"; failure?: Failure };

/** What a hook remembers of the running turn; another turn begins with a fresh one. */
export function perTurn<T>(make: () => T): (turn: Pick<TurnView, "id">) => T {
  let known: { id: string; value: T } | undefined;
  return ({ id }) => {
    if (known?.id !== id) known = { id, value: make() };
    return known.value;
  };
}
