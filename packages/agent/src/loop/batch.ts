import { messageOf, sleep, whenAborted } from "@pith/kit";
import type { ToolCall } from "@pith/llm";
import type { Answer, Event, Question } from "../event.ts";
import { readArguments } from "../tool/argument.ts";
import type { Registry } from "../tool/registry.ts";
import { refusal } from "../tool/result.ts";
import { effectOf, type Outcome } from "../tool/tool.ts";
import type { CallView } from "./hook.ts";
import type { Points } from "./point.ts";

export interface BatchParts {
  tools: Registry;
  points: Points;
  signal: AbortSignal;
  announce(event: Event): void;
  /** Asks a person; undefined when there is nobody. */
  ask?: (question: Question) => Promise<Answer>;
}

/**
 * Runs the calls of one reply side by side and hands out their outcomes in the order of the calls. Every call gets
 * one.
 */
export async function* runBatch(
  calls: readonly ToolCall[],
  parts: BatchParts,
): AsyncGenerator<{ call: ToolCall; outcome: Outcome }> {
  const running: { view: CallView | Outcome; done: Promise<Outcome> }[] = [];
  for (const call of calls) {
    const view = await prepare(call, parts.tools);
    const before = running.filter((other) => mustWait(view, other.view)).map((other) => other.done);
    running.push({ view, done: Promise.all(before).then(() => runCall(call, view, parts)) });
  }
  for (const [i, { done }] of running.entries()) yield { call: calls[i] as ToolCall, outcome: await done };
}

/** One call, from a checked view (or the outcome that the check already gave) to its outcome. Never throws. */
async function runCall(call: ToolCall, view: CallView | Outcome, parts: BatchParts): Promise<Outcome> {
  if (parts.signal.aborted) return refusal("Not run: interrupted.");
  if (isOutcome(view)) return view;
  try {
    const refused = await guard(view, parts);
    if (refused) return refused;
    if (parts.signal.aborted) return refusal("Not run: interrupted.");
    await parts.points.start(view);
    // What runs is told, also when it was read out of broken JSON.
    parts.announce({
      type: "call",
      call: call.rawArguments === undefined ? call : { ...call, arguments: view.input as ToolCall["arguments"] },
    });
    return await parts.points.result(view, await execute(view, parts));
  } catch (error) {
    return refusal(messageOf(error));
  }
}

async function prepare(call: ToolCall, tools: Registry): Promise<CallView | Outcome> {
  const own = tools.get(call.name);
  if (!own) return refusal(`There is no tool "${call.name}". Available: ${tools.names.join(", ")}.`);
  const input = await readArguments(own, call);
  if (!input.ok) return refusal(input.message);
  try {
    return {
      call,
      tool: own,
      input: input.value,
      effect: effectOf(own, input.value),
      paths: own.paths?.(input.value) ?? [],
    };
  } catch (error) {
    return refusal(messageOf(error));
  }
}

/** Undefined lets the call run; an outcome stands in its place. */
async function guard(view: CallView, parts: BatchParts): Promise<Outcome | undefined> {
  const verdict = await parts.points.call(view);
  switch (verdict.do) {
    case "allow":
      return undefined;
    case "replace":
      return verdict.outcome;
    case "deny":
      return refusal(verdict.reason);
    case "ask": {
      const answer = await parts.ask?.({ id: view.call.id, text: verdict.text, call: view.call });
      if (!answer) return refusal(verdict.refusal);
      if (answer.say === "yes") return undefined;
      return refusal(answer.reason ? `The user said no: ${answer.reason}` : "The user said no to this call.");
    }
  }
}

// A tool that does not listen to its signal is left behind after this long: the user must never wait for it.
const graceMs = 2000;

async function execute(view: CallView, parts: BatchParts): Promise<Outcome> {
  const { promise: aborted, stop } = whenAborted(parts.signal);
  const progress = (part: Outcome) => parts.announce({ type: "progress", call: view.call, part });
  const run = view.tool.run(view.input, { id: view.call.id, signal: parts.signal, progress });
  const over = new AbortController();
  const left = aborted
    .then(() => sleep(graceMs, over.signal))
    .then(() => refusal("Interrupted; the tool did not stop in time and was left behind."));
  try {
    return await Promise.race([run, left]);
  } catch (error) {
    return refusal(parts.signal.aborted ? "Interrupted before it finished." : messageOf(error));
  } finally {
    stop();
    over.abort();
  }
}

/**
 * A call waits for an earlier one when the earlier may change what it sees: either must be alone; a command runs after
 * writes and before what looks at its traces; two calls on one path when one of them writes. Commands run side by side.
 */
function mustWait(view: CallView | Outcome, earlier: CallView | Outcome): boolean {
  if (isOutcome(view) || isOutcome(earlier)) return false;
  if (view.tool.alone || earlier.tool.alone) return true;
  if (earlier.effect === "exec") return view.effect !== "exec";
  if (view.effect === "exec") return earlier.effect === "write";
  const writes = view.effect === "write" || earlier.effect === "write";
  return writes && view.paths.some((path) => earlier.paths.includes(path));
}

const isOutcome = (view: CallView | Outcome): view is Outcome => "text" in view;
