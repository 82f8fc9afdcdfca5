import type { ToolCall } from "@pith/llm";
import type { Answer } from "../event.ts";
import { type CallApproval, type Intent, isOutcome, type Touch } from "../tool/intent.ts";
import type { Outcome } from "../tool/outcome.ts";
import { refusal } from "../tool/result.ts";
import type { ParsedArguments, Tool } from "../tool/tool.ts";
import type { Ask, CallPosition, CallView, Verdict } from "./hook.ts";
import type { Points } from "./point.ts";
import type { QuestionDraft } from "./question.ts";

export interface JudgeOptions {
  points: Points;
  signal: AbortSignal;
  /** Asks the user; undefined when nobody can be asked. */
  ask(question: QuestionDraft): Promise<Answer | undefined>;
  /** `person` if somebody can be asked. */
  asks: "person" | "nobody";
  readGuard: ReadGuard;
}

/**
 * Runs a preparation; each place it would read is judged first, unless it may be read freely. An outcome from `judge`
 * replaces the call; undefined allows the read.
 */
export type ReadGuard = (
  prepare: () => Intent | Outcome | Promise<Intent | Outcome>,
  judge: (place: Touch) => Promise<Outcome | undefined>,
) => Promise<Intent | Outcome>;

export interface ValidCall extends ParsedArguments {
  tool: Tool;
  place: CallPosition;
}

export const notRun = refusal("Not run: interrupted.");

/** Times a call may be changed. */
const mostChanges = 8;

/** Judges a call: returns the call to run, or the outcome in its place. */
export async function judge(
  call: ToolCall,
  valid: ValidCall,
  needs: JudgeOptions,
  onPrepared: (intent: Intent) => void,
): Promise<CallView | Outcome> {
  let without: readonly string[] = [];
  let approved: Intent | undefined;
  for (;;) {
    const heard = await verdictOn(call, valid, needs, { without, onPrepared });
    if ("text" in heard) return heard;
    const { view, ask } = heard;
    if (!ask) return view;
    // A yes to the whole call covers what is left of it.
    const { access } = ask;
    if (approved && covers(approved, view.intent))
      return { ...view, allowed: { by: "person", asked: "person", access } };
    const answer = await needs.ask(questionFor(call, view.intent, ask));
    if (!answer) return refusal(ask.refusal, "nobody");
    if (answer.say === "no") return refusal(refusedBy(answer), "person");
    // Another answer covers it: the guards are asked again and allow it.
    if (answer.by === "policy") continue;
    const holds = ask.scope === undefined ? "once" : (answer.holds ?? "once");
    if (holds !== "once") await ask.keep?.(holds);
    if (!answer.choices?.length) return { ...view, allowed: { ...givenBy(answer, lasting[holds]), access } };
    approved = view.intent;
    without = answer.choices;
  }
}

const givenBy = ({ by, words = "a hook" }: Answer, holds: string): CallApproval =>
  by === "hook" ? { by: words, asked: "nobody" } : { by: `person, ${holds}`, asked: "person" };

interface Prepared {
  without: readonly string[];
  onPrepared(intent: Intent): void;
}

/** The guards' verdict on a call; prepared anew each time one of them changes it. */
async function verdictOn(
  call: ToolCall,
  { tool, place, input: written }: ValidCall,
  needs: JudgeOptions,
  how: Prepared,
): Promise<{ view: CallView; ask?: Ask } | Outcome> {
  let input = written;
  for (let changes = 0; changes <= mostChanges; changes++) {
    const seen = await look(call, { tool, place, input }, needs, how);
    if (isOutcome(seen)) return seen;
    if ("do" in seen) {
      input = seen.input;
      continue;
    }
    how.onPrepared(seen);
    const view: CallView = { call, tool, input, intent: seen, place };
    const verdict = await needs.points.call(view);
    if (verdict.do === "allow") return { view: allowedBy(view, verdict) };
    if (verdict.do === "ask") return { view, ask: verdict };
    if (verdict.do === "replace") return verdict.outcome;
    if (verdict.do === "deny") return refusal(verdict.reason, "guard");
    input = verdict.input;
  }
  return refusal("This call was changed over and over; it was not run.", "guard");
}

const lasting = { once: "once", session: "for this session", project: "for this project" } as const;

const allowedBy = (view: CallView, { by, access }: Allow): CallView =>
  by === undefined ? view : { ...view, allowed: { by, asked: "nobody", access } };

const questionFor = (
  call: ToolCall,
  intent: Intent,
  { text, risk, parts, access, scope, covered }: Ask,
): QuestionDraft => ({
  about: call.id,
  form: "approval",
  text,
  risk,
  parts,
  ...(access && { access }),
  scope,
  call,
  intent,
  covered,
});

type Allow = Extract<Verdict, { do: "allow" }>;
type Change = Extract<Verdict, { do: "change" }>;

/**
 * Prepares a call without revealing files that may not be read. A denied place is not looked at; where the user must
 * allow a read, an impossible call says why only after that.
 */
async function look(
  call: ToolCall,
  { tool, input, place: among }: ValidCall,
  { signal, points, asks, readGuard }: JudgeOptions,
  { without, onPrepared }: Prepared,
): Promise<Intent | Outcome | Change> {
  const unasked: Touch[] = [];
  let change: Change | undefined;
  const looking = (outcome: Outcome, ...paths: Touch[]): Intent => ({
    effect: "read",
    paths,
    run: async () => outcome,
  });
  const judged = async (place: Touch): Promise<Outcome | undefined> => {
    const intent = looking(notRun, place);
    const verdict = await points.call({ call, tool, input, intent, place: among });
    if (verdict.do === "allow") return undefined;
    if (verdict.do === "ask" && asks === "person") {
      unasked.push(place);
      return undefined;
    }
    if (verdict.do === "change") {
      change = verdict;
      return notRun;
    }
    onPrepared(intent);
    if (verdict.do === "replace") return verdict.outcome;
    return verdict.do === "deny" ? refusal(verdict.reason, "guard") : refusal(verdict.refusal, "nobody");
  };
  const made = await readGuard(() => tool.prepare(input, { signal, without }), judged);
  if (change) return change;
  return isOutcome(made) && unasked.length > 0 ? looking(made, ...unasked) : made;
}

const covers = (whole: Intent, part: Intent): boolean =>
  part.effect === whole.effect &&
  part.command === whole.command &&
  part.paths.every((path) => whole.paths.some((other) => other.effect === path.effect && other.real === path.real));

function refusedBy({ words, by }: Answer): string {
  if (by === "interrupt") return notRun.text;
  if (by === "hook") return `Not run: ${words ?? "a hook said no."}`;
  if (by === "timeout") return "Nobody answered the question about this call in time; it was not run.";
  return words ? `The user said no: ${words}` : "The user said no to this call.";
}
