import type { AssistantMessage, Failure, Model, Request, StreamEvent, ToolCall } from "@pith/llm";
import type { CompactAnswer, CompactView, NavigateAnswer, NavigateView } from "../compact/cause.ts";
import type { CommandPart, TurnEnd } from "../event.ts";
import type { EntryDraft } from "../session/entry.ts";
import type { UserInput } from "../session/queue.ts";
import type { CommandAccess } from "../tool/access.ts";
import type { CallApproval, Intent } from "../tool/intent.ts";
import type { Outcome } from "../tool/outcome.ts";
import type { Risk } from "../tool/risk.ts";
import type { Tool } from "../tool/tool.ts";

/**
 * Hook points of a turn. A hook implements the points it needs; all are called in the order of one list. Extensions use
 * the same points. A throw at any of them ends the turn in order. A hook that answers nothing changes nothing; only at
 * `call` must it answer.
 */
export interface Hooks {
  /** Before input is admitted: templates, skills. */
  input(input: UserInput): Answer<UserInput | Handled>;
  /** Before each request to the model: budgets and limits. */
  step(turn: TurnView): Answer<Go | Stop>;
  /** Last change of a request; pure. */
  context(request: Request): Answer<Request>;
  /** Watches the stream; an Interrupt ends it, keeping or dropping what arrived. The stream waits for it. */
  delta(events: readonly StreamEvent[], turn: TurnView): Interrupt | undefined | Promise<Interrupt | undefined>;
  /** Judges a call. All answers are joined (`verdict.ts`); a throw is a denial. */
  call(call: CallView): Verdict | Promise<Verdict>;
  /** Before an allowed call runs; a throw refuses it. */
  start(call: CallView): void | Promise<void>;
  /** Changes an outcome; hooks are piped in order. */
  result(call: CallView, outcome: Outcome): Answer<Outcome>;
  /** After the model stopped: is the turn finished? The first answer other than Done wins. */
  settle(turn: TurnView): Answer<Settled>;
  /** After a failed request; the first decision other than GiveUp wins. */
  fail(failure: Failure, turn: TurnView): Answer<Recovery>;
  /** Before a compaction. The first cancel or result wins; additions are joined. */
  compact(view: CompactView): CompactAnswer | Promise<CompactAnswer>;
  /** Before a move in the tree. The first answer other than go wins. */
  navigate(view: NavigateView): NavigateAnswer | Promise<NavigateAnswer>;
  /** After a turn, whatever its end; another may begin. */
  idle(end: TurnEnd, turn: TurnView): void | Promise<void>;
}

type Answer<T> = T | void | Promise<T | undefined> | Promise<void>;

export interface Hook extends Partial<Hooks> {
  name: string;
}

/** Names of all points. */
export const hookPoints = [
  ...(["input", "step", "context", "delta", "call", "start", "result"] as const),
  ...(["settle", "fail", "compact", "navigate", "idle"] as const),
] satisfies readonly (keyof Hooks)[];

/** View of the running turn for hooks. */
export interface TurnView {
  /** Unique id; per-turn state is stored by it. */
  id: string;
  model: Model;
  /** Requests in this turn, counted from the input that began it. */
  step: number;
  /** Failed attempts of the current request. */
  attempt: number;
  /** Times it was continued after the model had stopped. */
  goneOn: number;
  reply?: AssistantMessage;
  /** Reply of the failed attempt; it may have cost something. */
  lost?: AssistantMessage;
  signal: AbortSignal;
}

/** A call with valid arguments, and its intent. */
export interface CallView {
  call: ToolCall;
  tool: Tool;
  input: unknown;
  intent: Intent;
  /** Position among the calls of its reply. */
  place: CallPosition;
  /** Set once it is allowed. */
  allowed?: CallApproval;
}

/** All calls of a reply, and an index in them. */
export interface CallPosition {
  at: number;
  of: readonly ToolCall[];
}

export type Handled = { handled: true };
/** Continues, with another model if given. */
export type Go = { do: "go"; model?: Model };
export type Stop = { do: "stop"; message: string };
export type Interrupt = { do: "interrupt"; keep: boolean; note?: Note };
/** A note to the model: words, or entries. */
export type Note = string | readonly EntryDraft[];
export type Verdict =
  /** `by` names what allowed it: a mode, a rule, an earlier answer. */
  | { do: "allow"; by?: string; access?: CommandAccess | undefined }
  | Ask
  | { do: "deny"; reason: string }
  /** Changes the arguments: the call is prepared anew and every guard is asked again. */
  | { do: "change"; input: unknown }
  | { do: "replace"; outcome: Outcome };

/** A guard's demand for approval. The reasons of all guards become one question. */
export interface Ask {
  do: "ask";
  /** Reason, for people. */
  text: string;
  /** Text for the model when nobody can be asked. */
  refusal: string;
  risk?: Risk;
  parts?: readonly CommandPart[];
  /** Rights that a yes gives a command beyond those of its sandbox. */
  access?: CommandAccess | undefined;
  /** Scope of a lasting yes; without it this guard asks every time. */
  scope?: string;
  /** Saves a yes that holds longer than once. */
  keep?(holds: "session" | "project"): void | Promise<void>;
  /** Resolves when a later decision allows it; the signal ends the wait. */
  covered?(signal: AbortSignal): Promise<void>;
}
export type Done = { do: "done" };
/** `anew`: not counted against the limit of continuations, because the hook has a limit of its own. */
export type GoOn = { do: "go on"; note: Note; anew?: true };
export type Settled = Done | GoOn | Stop;
export type Recovery =
  /** `most`: number of attempts, if known. */
  | { do: "retry"; delayMs: number; most?: number }
  /** The cause was removed: repeats the step at once, without counting as a retry. */
  | { do: "again" }
  | { do: "switch"; model: Model }
  /** With a failure: what people are told instead of the server's words. */
  | { do: "give up"; failure?: Failure };

/** State of a hook for the running turn; made anew for each turn. */
export function perTurn<T>(make: () => T): (turn: Pick<TurnView, "id">) => T {
  let known: { id: string; value: T } | undefined;
  return ({ id }) => {
    if (known?.id !== id) known = { id, value: make() };
    return known.value;
  };
}
