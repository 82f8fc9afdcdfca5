import { messageOf, sleep, whenAborted } from "@pith/kit";
import type { ToolCall } from "@pith/llm";
import type { Answer, Event } from "../event.ts";
import { readArguments, unknownTool } from "../tool/argument.ts";
import { type Intent, isOutcome, strayed, type Touch } from "../tool/intent.ts";
import type { Outcome } from "../tool/outcome.ts";
import type { Registry } from "../tool/registry.ts";
import { noted, refusal } from "../tool/result.ts";
import type { Tool, Understood } from "../tool/tool.ts";
import type { CallView } from "./hook.ts";
import type { Points } from "./point.ts";
import type { Asked } from "./question.ts";

export interface BatchNeeds {
  tools: Registry;
  points: Points;
  signal: AbortSignal;
  announce(event: Event): void;
  /** Asks a person; undefined when there is nobody. */
  ask(question: Asked): Promise<Answer | undefined>;
  /** Whether there is somebody to ask. */
  asks: "person" | "nobody";
  sight: Sight;
  /** A hook failed after a call was done: the calls of the reply are finished, then the turn ends. */
  broke(error: unknown): void;
}

/**
 * Runs a preparation and has each place that it would look at judged first, where that is not free to look at. What
 * `judge` answers stands in the place of the call; undefined lets it look.
 */
export type Sight = (
  prepare: () => Intent | Outcome | Promise<Intent | Outcome>,
  judge: (place: Touch) => Promise<Outcome | undefined>,
) => Promise<Intent | Outcome>;

/** A call with what became of it, and with what it was meant to do where that could be told. */
export interface Finished {
  call: ToolCall;
  outcome: Outcome;
  intent?: Intent;
}

/**
 * Runs the calls of one reply and hands them out in its order; every call is answered. Each is prepared after those
 * that it waits for: what may run beside others does, everything else waits for all before it and is waited for.
 */
export async function* runBatch(calls: readonly ToolCall[], needs: BatchNeeds): AsyncGenerator<Finished> {
  const finished = calls.map(() => Promise.withResolvers<Finished>());
  void inOrder(calls, needs, (at, end) => finished[at]?.resolve(end));
  for (const { promise } of finished) yield await promise;
}

async function inOrder(
  calls: readonly ToolCall[],
  needs: BatchNeeds,
  finish: (at: number, end: Finished) => void,
): Promise<void> {
  let beside: Promise<void>[] = [];
  for (const [at, call] of calls.entries()) {
    const valid = validate(call, needs.tools);
    const together = !isOutcome(valid) && valid.tool.beside?.(valid.input) === true;
    if (!together) await Promise.all(beside.splice(0));
    const { started, ended } = begin(call, valid, needs);
    const over = ended.then((end) => finish(at, end));
    // Nothing is prepared while something runs that may change what it sees.
    if (together && (await started) === "looks") beside = [...beside, over];
    else await over;
  }
}

interface Valid extends Understood {
  tool: Tool;
}

function validate(call: ToolCall, tools: Registry): Valid | Outcome {
  const tool = tools.get(call.name);
  if (!tool) return refusal(unknownTool(call, tools));
  const read = readArguments(tool, call);
  return read.ok ? { tool, ...read.value } : refusal(read.message);
}

/** One call to its end. `started` tells, once it is prepared, whether it only looks. Neither ever rejects. */
function begin(call: ToolCall, valid: Valid | Outcome, needs: BatchNeeds) {
  const prepared = Promise.withResolvers<"looks" | "changes">();
  const run = async (): Promise<Finished> => {
    if (isOutcome(valid)) return { call, outcome: valid };
    let intent: Intent | undefined;
    const onPrepared = (made: Intent) => {
      intent = made;
      prepared.resolve(made.effect === "read" || made.effect === "net" ? "looks" : "changes");
    };
    try {
      const outcome = await runCall(call, valid, needs, onPrepared);
      return { call, outcome, intent };
    } catch (error) {
      return { call, outcome: refusal(messageOf(error)), intent };
    }
  };
  const ended = run();
  void ended.then(() => prepared.resolve("looks"));
  return { started: prepared.promise, ended };
}

const notRun = refusal("Not run: interrupted.");

async function runCall(
  call: ToolCall,
  { tool, input, note }: Valid,
  needs: BatchNeeds,
  onPrepared: (intent: Intent) => void,
): Promise<Outcome> {
  if (needs.signal.aborted) return notRun;
  const allowed = await judge(call, { tool, input }, needs, onPrepared);
  if ("text" in allowed) return allowed;
  if (needs.signal.aborted) return notRun;
  await needs.points.start(allowed);
  const elsewhere = strayed(allowed.intent.paths);
  if (elsewhere) return piped(allowed, strayedRefusal(elsewhere), needs);
  needs.announce({ type: "call", call, intent: allowed.intent });
  return piped(allowed, noted(await execute(allowed, needs), note), needs);
}

/** What was done is done: a hook that fails on it does not change what the model is told of it. */
async function piped(view: CallView, outcome: Outcome, { points, broke }: BatchNeeds): Promise<Outcome> {
  try {
    return await points.result(view, outcome);
  } catch (error) {
    broke(error);
    return outcome;
  }
}

const strayedRefusal = ({ path, real }: Touch): Outcome =>
  refusal(
    `${path} does not lead to ${real} any more, as it did when this call was judged. ` +
      "Nothing was run; look again and repeat the call.",
  );

/** The call as it may run, or the outcome that stands in its place. */
async function judge(
  call: ToolCall,
  { tool, input }: Valid,
  needs: BatchNeeds,
  onPrepared: (intent: Intent) => void,
): Promise<CallView | Outcome> {
  let without: readonly string[] = [];
  let approved: Intent | undefined;
  for (;;) {
    const intent = await look(call, { tool, input }, needs, { without, onPrepared });
    if (isOutcome(intent)) return intent;
    onPrepared(intent);
    const view: CallView = { call, tool, input, intent };
    const verdict = await needs.points.call(view);
    if (verdict.do === "allow") return view;
    if (verdict.do === "replace") return verdict.outcome;
    if (verdict.do === "deny") return refusal(verdict.reason);
    // A yes to the whole of a call is a yes to what is left of it.
    if (approved && covers(approved, intent)) return view;
    const answer = await needs.ask({ about: call.id, form: "approval", text: verdict.text, call, intent });
    if (!answer) return refusal(verdict.refusal);
    if (answer.say === "no") return refusal(refusedBy(answer));
    if (!answer.choices?.length) return view;
    approved = intent;
    without = answer.choices;
  }
}

/**
 * Prepares a call without telling anything of what nobody has allowed to be read: what is denied is not looked at, and
 * where only a person can allow it, a call that cannot work says why only after that person was asked.
 */
async function look(
  call: ToolCall,
  { tool, input }: Valid,
  { signal, points, asks, sight }: BatchNeeds,
  { without, onPrepared }: { without: readonly string[]; onPrepared: (intent: Intent) => void },
): Promise<Intent | Outcome> {
  const unasked: Touch[] = [];
  const looking = (outcome: Outcome, ...paths: Touch[]): Intent => ({
    effect: "read",
    paths,
    run: async () => outcome,
  });
  const judge = async (place: Touch): Promise<Outcome | undefined> => {
    const intent = looking(notRun, place);
    const verdict = await points.call({ call, tool, input, intent });
    if (verdict.do === "allow") return undefined;
    if (verdict.do === "ask" && asks === "person") {
      unasked.push(place);
      return undefined;
    }
    onPrepared(intent);
    if (verdict.do === "replace") return verdict.outcome;
    return refusal(verdict.do === "deny" ? verdict.reason : verdict.refusal);
  };
  const made = await sight(() => tool.prepare(input, { signal, without }), judge);
  return isOutcome(made) && unasked.length > 0 ? looking(made, ...unasked) : made;
}

const covers = (whole: Intent, part: Intent): boolean =>
  part.effect === whole.effect &&
  part.command === whole.command &&
  part.paths.every((path) => whole.paths.some((other) => other.effect === path.effect && other.real === path.real));

function refusedBy({ words, by }: Answer): string {
  if (by === "interrupt") return notRun.text;
  if (by === "timeout") return "Nobody answered the question about this call in time; it was not run.";
  return words ? `The user said no: ${words}` : "The user said no to this call.";
}

// A tool that does not listen to its signal is left behind after this long: the user must never wait for it.
const graceMs = 2000;

async function execute({ call, intent }: CallView, needs: BatchNeeds): Promise<Outcome> {
  const { promise: aborted, stop } = whenAborted(needs.signal);
  const progress = (part: Outcome) => needs.announce({ type: "progress", call, part });
  const over = new AbortController();
  const left = aborted
    .then(() => sleep(graceMs, over.signal))
    .then(() => refusal("Interrupted; the tool did not stop in time and was left behind."));
  try {
    return await Promise.race([intent.run({ id: call.id, signal: needs.signal, progress }), left]);
  } catch (error) {
    return refusal(needs.signal.aborted ? "Interrupted before it finished." : messageOf(error));
  } finally {
    stop();
    over.abort();
  }
}
