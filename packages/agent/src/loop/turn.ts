import { sleep } from "@pith/kit";
import {
  type AssistantMessage,
  type Failure,
  type Message,
  type Model,
  modelName,
  type Stream,
  type ToolCall,
  type ToolSpec,
} from "@pith/llm";
import type { Answer, Event, TurnEnd } from "../event.ts";
import type { Draft, Entry } from "../session/entry.ts";
import type { When } from "../session/inbox.ts";
import type { Registry } from "../tool/registry.ts";
import { toMessage } from "../tool/result.ts";
import { runBatch } from "./batch.ts";
import type { Reply } from "./fold.ts";
import type { Recovery, TurnView } from "./hook.ts";
import type { Points } from "./point.ts";
import type { Asked as AskedPerson } from "./question.ts";
import { type Asked, ask } from "./step.ts";

/** What a turn needs; it owns only its step, its attempt and its model. */
export interface TurnParts {
  model: Model;
  stream: Stream;
  /** What the model is told before the conversation; read for each step, because tools may come and go. */
  prompt(): Prompt;
  tools: Registry;
  points: Points;
  signal: AbortSignal;
  now(): number;
  messages(): readonly Message[];
  /** Append, then announce. */
  record(draft: Draft): Entry;
  deliver(when: When): number;
  /** Resolves when what was admitted is safe on the disk. */
  admitted: Promise<void>;
  announce(event: Event): void;
  ask(question: AskedPerson): Promise<Answer | undefined>;
  /** The turn that runs now; it tells the end of a turn whatever ended it. */
  begun(turn: TurnView): void;
}

/** The words and the tools that stand in front of a conversation. */
export interface Prompt {
  system: readonly string[];
  tools: readonly ToolSpec[];
}

/** Runs until the model has finished, somebody interrupts, a limit is reached, or nothing helps any more. */
export async function runTurn(parts: TurnParts): Promise<TurnEnd> {
  const turn: TurnView = { id: newTurn(), model: parts.model, step: 0, attempt: 0, signal: parts.signal };
  parts.begun(turn);
  for (;;) {
    parts.deliver("steer");
    if (parts.signal.aborted) return interrupted(parts);
    const go = await parts.points.step(turn);
    if (go.do === "stop") return { reason: "limit", message: go.message };
    const end = await handle(parts, turn, await step(parts, turn));
    if (end) return end;
  }
}

/** Undefined goes on with the next step. */
async function handle(
  parts: TurnParts,
  turn: TurnView,
  { message, failure, interrupt, broken }: Asked,
): Promise<TurnEnd | undefined> {
  if (broken) {
    account(parts, message);
    throw broken.error;
  }
  if (interrupt && !parts.signal.aborted) {
    if (interrupt.keep && message.content.length > 0) parts.record({ type: "message", message });
    if (interrupt.note) note(parts, interrupt.note);
    return undefined;
  }
  if (failure) return recover(parts, turn, { message, failure });
  turn.attempt = 0;
  turn.reply = message;
  parts.record({ type: "message", message });
  const calls = message.content.filter((part): part is ToolCall => part.type === "toolCall");
  if (calls.length === 0) return (await goesOn(parts, turn)) ? undefined : { reason: "done" };
  await batch(parts, calls);
  return undefined;
}

async function step(parts: TurnParts, turn: TurnView) {
  turn.step++;
  parts.announce({ type: "turn", state: { name: "asking", model: turn.model, step: turn.step } });
  const { system, tools } = parts.prompt();
  const request = await parts.points.context({
    model: turn.model,
    system,
    messages: parts.messages(),
    tools,
  });
  return ask({
    request,
    model: turn.model,
    stream: parts.stream,
    signal: parts.signal,
    now: parts.now(),
    watch: (events) => {
      parts.announce({ type: "delta", deltas: events });
      return parts.points.delta(events, turn);
    },
  });
}

async function batch(parts: TurnParts, calls: readonly ToolCall[]): Promise<void> {
  await parts.admitted;
  parts.announce({ type: "turn", state: { name: "running", calls } });
  let fault: { error: unknown } | undefined;
  const broke = (error: unknown) => {
    fault ??= { error };
  };
  for await (const { call, outcome, intent } of runBatch(calls, { ...parts, broke }))
    parts.record({ type: "message", message: toMessage(call, outcome, parts.now(), intent) });
  if (fault) throw fault.error;
}

/** Undefined tries again; an end is final. */
async function recover(parts: TurnParts, turn: TurnView, reply: Required<Reply>): Promise<TurnEnd | undefined> {
  const { failure, message } = reply;
  if (!parts.signal.aborted) {
    turn.attempt++;
    turn.lost = message;
    const recovery = await decided(parts, turn, failure, message);
    if (recovery.do !== "give up") account(parts, message);
    if (recovery.do === "retry") {
      parts.announce({
        type: "turn",
        state: { name: "retrying", failure, attempt: turn.attempt, delayMs: recovery.delayMs },
      });
      turn.step--; // The same step again: a limit counts answers asked for, not tries.
      await sleep(recovery.delayMs, parts.signal);
      return undefined;
    }
    if (recovery.do === "switch") {
      parts.record({
        type: "model_change",
        provider: recovery.model.vendor,
        modelId: recovery.model.id,
        instead: modelName(parts.model),
      });
      parts.announce({
        type: "notice",
        notice: {
          level: "warn",
          text: `${modelName(turn.model)} failed (${failure.message}); going on with ${modelName(recovery.model)}.`,
        },
      });
      turn.model = recovery.model;
      turn.attempt = 0;
      return undefined;
    }
  }
  const aborted = parts.signal.aborted;
  // An interrupted answer is kept for what it said; with nothing said there is nothing to keep.
  if (!aborted || message.content.length > 0) parts.record({ type: "message", message });
  else account(parts, message);
  return aborted ? interrupted(parts) : { reason: "failed", failure };
}

async function decided(parts: TurnParts, turn: TurnView, failure: Failure, lost: AssistantMessage): Promise<Recovery> {
  try {
    return await parts.points.fail(failure, turn);
  } catch (error) {
    account(parts, lost);
    throw error;
  }
}

/** An answer that nobody keeps is paid for all the same. */
function account(parts: TurnParts, { provider, model, usage }: AssistantMessage): void {
  if (usage.totalTokens > 0)
    parts.record({ type: "custom", customType: "pith.spent", data: { provider, model, usage } });
}

/** After the model stopped: does waiting input or a behaviour carry the turn on? */
async function goesOn(parts: TurnParts, turn: TurnView): Promise<boolean> {
  if (parts.deliver("steer") > 0) return true;
  const answer = await parts.points.settle(turn);
  if (answer.do === "go on") note(parts, answer.note);
  else if (parts.deliver("steer") === 0) {
    if (parts.deliver("after") === 0) return false;
    turn.step = 0;
    turn.id = newTurn();
  }
  return true;
}

const newTurn = (): string => crypto.randomUUID();

const note = (parts: TurnParts, text: string) =>
  parts.record({ type: "custom_message", customType: "pith.note", content: text, display: true });

const interrupted = (parts: TurnParts): TurnEnd => ({
  reason: "interrupted",
  message: String(parts.signal.reason ?? "interrupted"),
});
