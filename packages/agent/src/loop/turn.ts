import { sleep } from "@pith/kit";
import {
  type AssistantMessage,
  type Failure,
  type Message,
  type Model,
  modelName,
  type Stream,
  type StreamEvent,
  type ToolCall,
  type ToolSpec,
} from "@pith/llm";
import type { TurnEnd } from "../event.ts";
import type { Entry, EntryDraft } from "../session/entry.ts";
import type { DeliveryTime } from "../session/queue.ts";
import { repairArguments } from "../tool/argument.ts";
import { toMessage } from "../tool/result.ts";
import { type BatchOptions, runBatch } from "./batch.ts";
import type { Reply } from "./fold.ts";
import type { Note, Recovery, TurnView } from "./hook.ts";
import { costDraft } from "./spent.ts";
import { runStep, type StepResult } from "./step.ts";

/** Dependencies of a turn, which owns only its step, attempt and model. */
export interface TurnOptions extends Omit<BatchOptions, "broke"> {
  model: Model;
  stream: Stream;
  /** System prompt and tools; read for each step, since tools may change. */
  prompt(): Prompt;
  now(): number;
  messages(): readonly Message[];
  /** Appends an entry, then announces it. */
  record(draft: EntryDraft): Entry;
  deliver(when: DeliveryTime): number;
  /** Resolves when all input so far is on disk. */
  admitted(): Promise<unknown>;
  /** Called with the view of each new turn. */
  begun(turn: TurnView): void;
}

/** System prompt and tools of a conversation. */
export interface Prompt {
  system: readonly string[];
  tools: readonly ToolSpec[];
}

/** Runs until the model has finished, an interrupt, a limit, or a final failure. */
export async function runTurn(needs: TurnOptions): Promise<TurnEnd> {
  const turn: TurnView = { id: newTurn(), model: needs.model, step: 0, attempt: 0, goneOn: 0, signal: needs.signal };
  needs.begun(turn);
  needs.deliver("steer");
  for (;;) {
    if (needs.signal.aborted) return interrupted(needs);
    const go = await needs.points.step(turn);
    if (go.do === "stop") return { reason: "limit", message: go.message };
    if (go.model && modelName(go.model) !== modelName(turn.model)) moveTo(needs, turn, go.model);
    const next = await handle(needs, turn, await step(needs, turn));
    if (typeof next === "object") return next;
    if (next === "listen") needs.deliver("steer");
  }
}

/** Handles a reply. Returns the end of the turn, or whether waiting input is still to be delivered. */
async function handle(
  needs: TurnOptions,
  turn: TurnView,
  { message: written, failure, interrupt, broken, spent = written }: StepResult,
): Promise<TurnEnd | "listen" | "heard"> {
  const message = await repairArguments(written, needs.tools);
  if (broken) {
    account(needs, message);
    throw broken.error;
  }
  if (interrupt && !needs.signal.aborted) {
    // Its calls are not run, so they are not kept either.
    const content = message.content.filter((part) => part.type !== "toolCall");
    const kept = interrupt.keep && content.length > 0;
    if (kept) needs.record({ type: "message", message: { ...message, content, stopReason: "aborted" } });
    // A kept message has its own usage, if that is known.
    if (!kept || message.usage.totalTokens === 0) account(needs, spent);
    if (interrupt.note) note(needs, interrupt.note);
    return "listen";
  }
  if (failure) return (await recover(needs, turn, { message, failure })) ?? "listen";
  turn.attempt = 0;
  turn.reply = message;
  needs.record({ type: "message", message });
  const calls = message.content.filter((part): part is ToolCall => part.type === "toolCall");
  if (calls.length === 0) return goesOn(needs, turn);
  await batch(needs, calls);
  return "listen";
}

async function step(needs: TurnOptions, turn: TurnView) {
  turn.step++;
  needs.announce({ type: "turn", state: { name: "asking", model: turn.model, step: turn.step } });
  const { system, tools } = needs.prompt();
  const { model } = turn;
  const messages = needs.messages();
  const request = await needs.points.context({ model, purpose: "main", system, messages, tools });
  const { stream, signal } = needs;
  const watch = (events: readonly StreamEvent[]) => {
    needs.announce({ type: "delta", deltas: events });
    return needs.points.delta(events, turn);
  };
  const asked = await runStep({ request, model, stream, signal, now: needs.now(), watch });
  const { failure } = asked;
  // Listeners that hold text back are told that no more follows.
  if (failure?.kind === "aborted") needs.announce({ type: "delta", deltas: [{ type: "fail", failure }] });
  return asked;
}

async function batch(needs: TurnOptions, calls: readonly ToolCall[]): Promise<void> {
  await needs.admitted();
  needs.announce({ type: "turn", state: { name: "running", calls } });
  let fault: { error: unknown } | undefined;
  const broke = (error: unknown) => {
    fault ??= { error };
  };
  for await (const { call, outcome, intent, allowed } of runBatch(calls, { ...needs, broke }))
    needs.record({ type: "message", message: toMessage(call, outcome, needs.now(), intent, allowed) });
  if (fault) throw fault.error;
}

/** Handles a failed request; undefined tries again. */
async function recover(needs: TurnOptions, turn: TurnView, reply: Required<Reply>): Promise<TurnEnd | undefined> {
  const { message } = reply;
  let { failure } = reply;
  if (!needs.signal.aborted) {
    turn.attempt++;
    turn.lost = message;
    const recovery = await decided(needs, turn, failure, message);
    if (recovery.do !== "give up") account(needs, message);
    if (recovery.do === "give up") failure = recovery.failure ?? failure;
    if (recovery.do === "again") {
      turn.step--;
      turn.attempt = 0;
      return undefined;
    }
    if (recovery.do === "retry") {
      const { do: _, ...retry } = recovery;
      needs.announce({ type: "turn", state: { name: "retrying", failure, attempt: turn.attempt, ...retry } });
      turn.step--; // The same step again: a limit counts answers asked for, not tries.
      await sleep(retry.delayMs, needs.signal);
      return undefined;
    }
    if (recovery.do === "switch") {
      const asked = turn.model;
      moveTo(needs, turn, recovery.model);
      const text = `${modelName(asked)} failed (${failure.message}); going on with ${modelName(recovery.model)}.`;
      needs.announce({ type: "notice", notice: { level: "warn", text } });
      turn.attempt = 0;
      return undefined;
    }
  }
  const aborted = needs.signal.aborted;
  // An interrupted answer is kept for its text; without any there is nothing to keep.
  if (!aborted || message.content.length > 0) needs.record({ type: "message", message });
  else account(needs, message);
  return aborted ? interrupted(needs) : { reason: "failed", failure };
}

/** Changes the model; the record says for which one it stands in. */
function moveTo(needs: TurnOptions, turn: TurnView, model: Model): void {
  const chosen = modelName(needs.model);
  const instead = modelName(model) === chosen ? undefined : chosen;
  needs.record({ type: "model_change", provider: model.vendor, modelId: model.id, instead });
  turn.model = model;
}

async function decided(
  needs: TurnOptions,
  turn: TurnView,
  failure: Failure,
  lost: AssistantMessage,
): Promise<Recovery> {
  try {
    return await needs.points.fail(failure, turn);
  } catch (error) {
    account(needs, lost);
    throw error;
  }
}

/** Records the cost of an answer that is not kept. */
function account(needs: TurnOptions, message: AssistantMessage): void {
  if (message.usage.totalTokens > 0) needs.record(costDraft(message, "main"));
}

/** Times that hooks may continue a turn: a model that heeds no note is not told without end. */
const mostGoOns = 12;

/** After the model stopped: decides whether waiting input or a hook continues the turn. */
async function goesOn(needs: TurnOptions, turn: TurnView): Promise<"listen" | "heard" | TurnEnd> {
  if (needs.deliver("steer") > 0) return "heard";
  const answer = await needs.points.settle(turn, mostGoOns);
  if (answer.do === "stop") return { reason: "limit", message: answer.message };
  if (answer.do === "go on" && needs.signal.aborted) return interrupted(needs);
  if (answer.do === "go on" && (answer.anew || turn.goneOn < mostGoOns)) {
    turn.goneOn = answer.anew ? 0 : turn.goneOn + 1;
    note(needs, answer.note);
    return "listen";
  }
  if (answer.do === "go on") {
    const text = `The model was told to go on ${mostGoOns} times; the turn ends here.`;
    needs.announce({ type: "notice", notice: { level: "warn", text } });
  }
  if (needs.deliver("steer") === 0) {
    if (needs.deliver("after") === 0) return { reason: "done" };
    turn.step = 0;
    turn.goneOn = 0;
    turn.id = newTurn();
  }
  return "heard";
}

const newTurn = (): string => crypto.randomUUID();

function note(needs: TurnOptions, told: Note): void {
  if (typeof told === "string")
    needs.record({ type: "custom_message", customType: "pith.note", content: told, display: true });
  else for (const draft of told) needs.record(draft);
}

const interrupted = (needs: TurnOptions): TurnEnd => ({
  reason: "interrupted",
  message: String(needs.signal.reason ?? "interrupted"),
});
