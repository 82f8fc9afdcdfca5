import type { Risk } from "@pith/agent";
import { parse } from "../bash/parse.ts";
import { reading } from "../judge/effect.ts";
import { judge } from "../judge/judge.ts";
import type { JudgedPart } from "../judge/judged.ts";
import type { JudgeState } from "../judge/state.ts";
import type { Approval } from "./approval.ts";
import { type Decision, decide, type Ruled } from "./decide.ts";
import type { Sandboxing } from "./mode.ts";
import type { CallRules } from "./rule/policy-rules.ts";
import { FileRules, Rules } from "./rule/rule.ts";
import type { Ruling } from "./rule/ruling.ts";

export interface CommandVerdict {
  verdict: Ruling;
  /** The verdict in a sandbox. */
  confined: Ruling;
  severity: Risk;
  parts: readonly (JudgedPart & { verdict: Ruling })[];
  /** The rule that decided, where one did. */
  rule: string | null;
  reason: string;
}

/** Rules beside those of the mode. */
type MoreRules = Partial<Pick<CallRules, "rules" | "files">>;

/** The whole verdict on a command; the rules are those of the mode unless others are given. */
export function verdictOn(command: string, mode: Approval, state: JudgeState, more: MoreRules = {}): CommandVerdict {
  const by = judging(command, mode, state, more);
  const open = by("open");
  return {
    verdict: open.ruling,
    confined: by("confined").ruling,
    severity: open.risk,
    parts: open.ruled.flatMap(({ item: { part }, ruling }) => (part ? [{ ...part, verdict: ruling }] : [])),
    rule: decisive(open)?.rule ?? null,
    reason: reasonOf(open, mode),
  };
}

function judging(
  command: string,
  mode: Approval,
  state: JudgeState,
  { rules, files }: MoreRules,
): (sandbox: Sandboxing) => Decision {
  const bases = { roots: state.roots, home: state.home };
  const policy = {
    mode,
    rules: rules ?? new Rules([], bases),
    files: files ?? new FileRules([], bases),
    grants: undefined,
    inside: { project: state.roots, home: state.pithHome, kept: state.kept, scratch: state.scratch },
  };
  const tree = parse(command);
  const judged = { tree, state, judgement: judge(command, state, tree) };
  const intent = { effect: "exec" as const, paths: [], command, judged, held: true as const, run: unrun };
  return (sandbox) => decide(intent, { tool: "bash", source: "pith" }, { ...policy, sandbox }, state);
}

const unrun = () => Promise.reject(new Error("it is only judged"));

/** The item that decided: of those that are as strict as the whole, the worst. */
function decisive({ ruled, ruling, risk }: Decision): Ruled | undefined {
  const strict = ruled.filter((one) => one.ruling === ruling);
  return (
    strict.find(({ rule }) => rule !== undefined) ??
    strict.find(({ item }) => item.risk === risk && whyOf(item) !== undefined) ??
    strict.find(({ item }) => whyOf(item) !== undefined) ??
    strict[0]
  );
}

const whyOf = ({ guard, part }: Ruled["item"]): string | undefined => guard ?? part?.reason;

/** Why it is as it is, in words for people. */
export function reasonOf(decision: Decision, mode: Approval): string {
  const { ruled, ruling, problem } = decision;
  if (problem !== undefined) return `it is not understood: ${problem}`;
  const decided = decisive(decision);
  if (decided?.rule !== undefined) return `the rule for ${decided.rule}`;
  if (ruling === "allow") return allowedReason(ruled);
  const why = decided && whyOf(decided.item);
  if (why !== undefined) return why;
  if (mode === "ask") return "every command asks in approval mode ask";
  return `${decided?.item.part?.program ?? "it"} is not known to only read the project`;
}

function allowedReason(ruled: readonly Ruled[]): string {
  const parts = ruled.flatMap(({ item: { part } }) => part ?? []);
  const reads = reading(parts.flatMap(({ effects }) => effects));
  if (reads && parts.every(({ severity }) => severity === "none"))
    return reads === "inside" ? "it only reads the project" : "it only reads";
  return parts.find(({ reason }) => reason !== undefined)?.reason ?? "nothing in it is known to do harm";
}
