import { messageOf, sleep, whenAborted } from "@pith/kit";
import type { ToolCall } from "@pith/llm";
import type { Event } from "../event.ts";
import { readArguments, unknownTool } from "../tool/argument.ts";
import { type CallApproval, type Intent, isOutcome, movedPath, type Touch } from "../tool/intent.ts";
import type { Outcome } from "../tool/outcome.ts";
import type { Registry } from "../tool/registry.ts";
import { refusal, withNote } from "../tool/result.ts";
import type { CallPosition, CallView } from "./hook.ts";
import { type JudgeOptions, judge, notRun, type ValidCall } from "./judge.ts";

export interface BatchOptions extends JudgeOptions {
  tools: Registry;
  announce(event: Event): void;
  /** Called when a hook failed after a call was done: the other calls are finished, then the turn ends. */
  broke(error: unknown): void;
}

/** A call, its outcome, and what it was meant to do if that is known. */
export interface Finished {
  call: ToolCall;
  outcome: Outcome;
  intent?: Intent;
  allowed?: CallApproval;
}

/**
 * Runs the calls of a reply and yields results in its order; every call is answered. A call is prepared after those it
 * waits for: calls that may run beside others do, any other waits for all before it, and is waited for.
 */
export async function* runBatch(calls: readonly ToolCall[], needs: BatchOptions): AsyncGenerator<Finished> {
  const finished = calls.map(() => Promise.withResolvers<Finished>());
  void inOrder(calls, needs, (at, end) => finished[at]?.resolve(end));
  for (const { promise } of finished) yield await promise;
}

async function inOrder(
  calls: readonly ToolCall[],
  needs: BatchOptions,
  finish: (at: number, end: Finished) => void,
): Promise<void> {
  let beside: Promise<void>[] = [];
  for (const [at, call] of calls.entries()) {
    const valid = validate(call, needs.tools, { at, of: calls });
    const together = !isOutcome(valid) && valid.tool.beside?.(valid.input) === true;
    if (!together) await Promise.all(beside.splice(0));
    const { started, ended } = begin(call, valid, needs);
    const over = ended.then((end) => finish(at, end));
    // Nothing is prepared while a call runs that may change what it reads.
    if (together && (await started) === "looks") beside = [...beside, over];
    else await over;
  }
}

function validate(call: ToolCall, tools: Registry, place: CallPosition): ValidCall | Outcome {
  const tool = tools.known(call.name, call.arguments);
  if (!tool) return refusal(unknownTool(call, tools));
  const read = readArguments(tool, call);
  const isOurs = tool.name === call.name;
  if (!read.ok) return refusal(isOurs ? read.message : unknownTool(call, tools));
  const notes = [isOurs ? undefined : `${call.name} is ${tool.name} here`, read.value.note];
  const note = notes.filter((text) => text !== undefined).join("; ");
  return { tool, place, input: read.value.input, ...(note !== "" && { note }) };
}

/** Runs a call. `started` tells, once it is prepared, whether it only reads. Neither promise rejects. */
function begin(call: ToolCall, valid: ValidCall | Outcome, needs: BatchOptions) {
  const prepared = Promise.withResolvers<"looks" | "changes">();
  const run = async (): Promise<Finished> => {
    if (isOutcome(valid)) return { call, outcome: valid };
    const end: Finished = { call, outcome: notRun };
    const onPrepared = (made: Intent) => {
      end.intent = made;
      prepared.resolve(made.effect === "read" || made.effect === "net" ? "looks" : "changes");
    };
    const onAllowed = (allowed: CallApproval | undefined) => {
      end.allowed = allowed;
    };
    const outcome = runCall(call, valid, needs, { onPrepared, onAllowed });
    end.outcome = await outcome.catch((error) => refusal(messageOf(error)));
    return end;
  };
  const ended = run();
  void ended.then(() => prepared.resolve("looks"));
  return { started: prepared.promise, ended };
}

/** Callbacks while a call runs. */
interface CallWatch {
  onPrepared(intent: Intent): void;
  onAllowed(allowed: CallApproval | undefined): void;
}

async function runCall(call: ToolCall, valid: ValidCall, needs: BatchOptions, watch: CallWatch): Promise<Outcome> {
  if (needs.signal.aborted) return notRun;
  const allowed = await judgeUntilSteady(call, valid, needs, watch.onPrepared);
  if ("text" in allowed) return allowed;
  if (needs.signal.aborted) return notRun;
  await needs.points.start(allowed);
  const elsewhere = movedPath(allowed.intent.paths);
  if (elsewhere) return afterHooks(allowed, movedRefusal(elsewhere), needs);
  if (allowed.intent.stale?.()) return afterHooks(allowed, staleRefusal, needs);
  watch.onAllowed(allowed.allowed);
  needs.announce({ type: "call", call, intent: allowed.intent });
  return afterHooks(allowed, withNote(await execute(allowed, needs), valid.note), needs);
}

/** Judges a call; again if the state it was judged by has changed meanwhile. */
async function judgeUntilSteady(
  call: ToolCall,
  valid: ValidCall,
  needs: BatchOptions,
  onPrepared: (intent: Intent) => void,
): Promise<CallView | Outcome> {
  for (let round = 0; round < mostRounds; round++) {
    const allowed = await judge(call, valid, needs, onPrepared);
    if ("text" in allowed || !allowed.intent.stale?.()) return allowed;
  }
  return staleRefusal;
}

const mostRounds = 3;

const staleRefusal = refusal(
  "What this call was judged by (the state of the shell) has changed since. Nothing was run; look again and repeat it.",
);

/** Applies the `result` hooks. If one fails, the model still gets the outcome: the call was done. */
async function afterHooks(view: CallView, outcome: Outcome, { points, broke }: BatchOptions): Promise<Outcome> {
  try {
    return await points.result(view, outcome);
  } catch (error) {
    broke(error);
    return outcome;
  }
}

const movedRefusal = ({ path, real }: Touch): Outcome =>
  refusal(
    `${path} does not lead to ${real} any more, as it did when this call was judged. ` +
      "Nothing was run; look again and repeat the call.",
  );

// Time after which a tool that ignores its signal is abandoned: the user must never wait for it.
const graceMs = 2000;

async function execute({ call, intent, allowed }: CallView, needs: BatchOptions): Promise<Outcome> {
  const { promise: aborted, stop } = whenAborted(needs.signal);
  const progress = (part: Outcome) => needs.announce({ type: "progress", call, part });
  const over = new AbortController();
  const left = aborted
    .then(() => sleep(graceMs, over.signal))
    .then(() => refusal("Interrupted; the tool did not stop in time and was left behind."));
  try {
    return await Promise.race([
      intent.run({ id: call.id, signal: needs.signal, access: allowed?.access, progress }),
      left,
    ]);
  } catch (error) {
    return refusal(needs.signal.aborted ? "Interrupted before it finished." : messageOf(error));
  } finally {
    stop();
    over.abort();
  }
}
