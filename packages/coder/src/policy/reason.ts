import type { Ask, CommandPart, Effect, Intent } from "@pith/agent";
import { fill } from "@pith/kit";
import type { JudgeState } from "../judge/state.ts";
import { type Approval, approvals } from "./approval.ts";
import type { Decision } from "./decide.ts";
import denied from "./denied.md" with { type: "text" };
import forbidden from "./forbidden.md" with { type: "text" };
import refused from "./refused.md" with { type: "text" };
import { type GrantScope, scopeOf } from "./rule/scope.ts";
import { reasonOf } from "./verdict.ts";

const verbs: Record<Effect, string> = {
  read: "reads",
  write: "writes",
  exec: "runs a command",
  net: "uses the network",
};

/** Says in a few words what a call is about to do. */
function described({ effect, paths, hosts = [], command }: Intent, decision: Decision, mode: Approval): string {
  const names = command === undefined ? [...paths.map(({ path }) => path), ...hosts].join(", ") : "";
  const why = command === undefined ? touchReason(decision) : reasonOf(decision, mode);
  return `${verbs[effect]}${names === "" ? "" : ` ${names}`}${why === "" ? "" : `: ${why}`}`;
}

function touchReason({ ruled, ruling }: Decision): string {
  const asks = ruled.filter((one) => one.ruling === ruling);
  const guard = asks.find(({ item }) => item.guard !== undefined)?.item.guard;
  const rule = asks.find((one) => one.rule !== undefined)?.rule;
  if (guard !== undefined) return guard;
  if (rule !== undefined) return `the rule for ${rule}`;
  return "";
}

/** Lists the parts of a command with the reason why each is asked about. */
function partsOf({ ruled }: Decision): readonly CommandPart[] {
  return ruled.flatMap(({ item: { part, text, guard }, ruling, rule }) => {
    if (!part) return [];
    const why = rule !== undefined ? `the rule for ${rule}` : (guard ?? part.reason ?? "it is not known to only read");
    return [{ text, risk: part.severity, ...(ruling === "ask" ? { reason: why } : {}) }];
  });
}

/** Tells what a longer yes would cover: all that is asked about, or nothing. */
export function scopesOf(
  { ruled, problem }: Decision,
  state: Pick<JudgeState, "home" | "roots">,
): readonly GrantScope[] | undefined {
  if (problem !== undefined) return undefined;
  const asked = ruled.filter(({ ruling }) => ruling === "ask").map(({ item }) => scopeOf(item, state));
  return asked.length > 0 && asked.every((scope) => scope !== undefined) ? asked : undefined;
}

export interface DecidedCall {
  tool: string;
  intent: Intent;
  decision: Decision;
  mode: Approval;
  outside: "inside" | "outside";
}

export function denial({ tool, intent, decision, mode }: DecidedCall): string {
  const ruled = decision.ruled.some(({ ruling, rule }) => ruling === "deny" && rule !== undefined);
  const what = described(intent, decision, mode);
  return (ruled ? fill(forbidden, { tool, what }) : fill(denied, { tool, what, mode })).trim();
}

/** The question, but for what follows from its answer. */
export function question(
  { tool, intent, decision, mode, outside }: DecidedCall,
  scopes: readonly GrantScope[] | undefined,
  ruledIn: (mode: Approval) => Decision,
): Ask {
  const where = outside === "outside" && intent.command === undefined ? " outside the project" : "";
  const what = `${described(intent, decision, mode)}${where}`;
  const scope = scopes && [...new Set(scopes.map(({ text }) => text))].join(", ");
  const parts = partsOf(decision);
  return {
    do: "ask",
    text: `${tool} ${what}`,
    refusal: fill(refused, { tool, what, mode, enough: enough(decision, scopes, ruledIn) }).trim(),
    risk: decision.risk,
    ...(parts.length > 0 ? { parts } : {}),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Says what would let a call run without a person. */
function enough(
  { ruled }: Decision,
  scopes: readonly GrantScope[] | undefined,
  ruledIn: (mode: Approval) => Decision,
): string {
  if (ruled.some(({ item, ruling }) => ruling === "ask" && item.guard !== undefined))
    return "Nothing but a yes from a person lets it run, in any mode.";
  const mode = approvals.find((one) => one !== "plan" && ruledIn(one).ruling === "allow");
  const rules = scopes?.map(({ grant }) => JSON.stringify({ ...grant, verdict: "allow" })).join(", ");
  const ways = [
    ...(mode ? [`with --approval ${mode}`] : []),
    ...(rules === undefined ? [] : [`with policy.rules: [${rules}] in the user's config.yml`]),
  ];
  return ways.length === 0 ? "No mode lets it run." : `It would run ${ways.join(", or ")}.`;
}
