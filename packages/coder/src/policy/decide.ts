import { type Intent, type Risk, worstRisk } from "@pith/agent";
import { late } from "@pith/kit";
import type { Homes } from "../judge/guarded.ts";
import type { Judgement } from "../judge/judged.ts";
import type { PathKind } from "../judge/path-kind.ts";
import type { Approval, Inside } from "./approval.ts";
import { effectOf, sideOf } from "./approval.ts";
import { isHarmlessIn, partRuling, type Sandboxing, setupRuling, touchRuling } from "./mode.ts";
import { callItem, type PolicyItem, partItem, touchItem } from "./rule/item.ts";
import type { Caller, FileRules, GrantTests, Rules } from "./rule/rule.ts";
import { ruleText } from "./rule/rule.ts";
import { type Ruling, stricter } from "./rule/ruling.ts";

const guarded = late(() => {
  const { guarded }: typeof import("../judge/guarded.ts") = require("../judge/guarded.ts");
  return guarded;
});

/** All that a call is judged by. */
export interface Policy {
  mode: Approval;
  sandbox: Sandboxing;
  rules: Rules;
  files: FileRules;
  grants: GrantTests | undefined;
  inside: Inside;
}

/** An item with what is said to it, and by whom. */
export interface Ruled {
  item: PolicyItem;
  ruling: Ruling;
  /** Names the rule, mode or answer that decided. */
  by: string;
  /** The rule that decided, where one did. */
  rule: string | undefined;
  /** True where an earlier answer of a person decided. */
  answered?: true;
}

export interface Decision {
  ruling: Ruling;
  ruled: readonly Ruled[];
  /** Why the command was not understood. */
  problem: string | undefined;
  risk: Risk;
}

/** Rules on a call: the strictest ruling on any single thing that it does. */
export function decide(intent: Intent, caller: Caller, policy: Policy, homes: Homes): Decision {
  const judged = intent.command === undefined ? undefined : (intent.judged?.judgement ?? unread);
  const items = judged ? judged.parts.map((part) => partItem(part, judged)) : itemsOf(intent, homes, policy);
  const whole = intent.held && judged && isHarmlessIn(policy.mode, judged, policy.sandbox) ? "harmless" : "any";
  const ruled = items.map((item) => ruledOn(item, caller, policy, whole));
  // What was not understood is never let through.
  const least: Ruling = judged === undefined ? "allow" : wholeRuling(judged, policy.mode);
  return {
    ruling: ruled.map(({ ruling }) => ruling).reduce(stricter, least),
    ruled,
    problem: judged?.problem,
    risk: worstRisk(items.map(({ risk }) => risk)),
  };
}

const notRead = "it was not read when it was prepared";
const unread: Judgement = {
  parts: [],
  problem: notRead,
  plain: undefined,
  notPlain: notRead,
  plainParts: new Set(),
  literal: false,
};

/** Rules on a command as a whole. */
function wholeRuling({ problem, parts }: Judgement, mode: Approval): Ruling {
  if (problem !== undefined) return mode === "plan" ? "deny" : "ask";
  return mode === "ask" && parts.length === 0 ? "ask" : "allow";
}

function itemsOf(intent: Intent, homes: Homes, { inside }: Policy): readonly PolicyItem[] {
  const git = effectOf({ effect: "write", paths: intent.paths }) === "exec";
  const items = intent.paths.map((touch) => {
    const side = sideOf({ effect: touch.effect, paths: [touch] }, inside);
    const kind: PathKind = side;
    const effect = touch.effect === "read" ? "read" : "write";
    const gits = touch.effect === "write" && git;
    const paths = touch.path === touch.real ? [touch.real] : [touch.real, touch.path];
    const why = paths.map((path) => guarded({ kind, path }, effect, homes)).find((reason) => reason !== undefined);
    const guard = why ?? (gits ? `${touch.path} is written: what its directory names is run by git` : undefined);
    return touchItem(touch, touch.effect, guard);
  });
  const whole = items.length === 0 || intent.effect === "net" || intent.hosts?.length ? [callItem(intent)] : [];
  return [...items, ...whole];
}

function ruledOn(item: PolicyItem, caller: Caller, policy: Policy, whole: "harmless" | "any"): Ruled {
  const { mode, sandbox, rules, files, grants } = policy;
  const byMode = modeRuling(item, policy, whole);
  const ruled = (ruling: Ruling, by: string, rule?: string): Ruled => ({ item, ruling, by, rule });
  const said = rules.verdict(item, caller, sandbox);
  if (said?.verdict === "deny") return ruled("deny", `rule ${ruleText(said.rule)}`, ruleText(said.rule));
  if (byMode === "deny") return ruled("deny", `mode ${mode}`);
  // What is asked about in every mode is let through by nothing but an answer to that very question.
  if (item.guard !== undefined) return ruled("ask", item.guard);
  const around = (by: string, rule?: string) =>
    ruled(item.part ? setupRuling(item.part.setup, mode, sandbox) : "allow", by, rule);
  const file = said ? undefined : files.verdict(item);
  const asks = said?.verdict === "ask" || file?.verdict === "ask";
  const name = said ? ruleText(said.rule) : file && `files: ${file.rule.pattern}`;
  if (byMode === "allow" && !asks) return ruled("allow", `mode ${mode}`);
  if (said?.verdict === "allow") return around(`rule ${name}`, name);
  if (file?.verdict === "allow" && !item.part && sideIsIn(item, policy)) return ruled("allow", `rule ${name}`, name);
  const covered = grants?.covering(item, caller);
  if (covered !== undefined) return { ...around(`earlier answer (${covered})`), answered: true };
  return ruled("ask", asks ? `rule ${name}` : `mode ${mode}`, asks ? name : undefined);
}

const sideIsIn = ({ touch }: PolicyItem, { inside }: Policy): boolean =>
  touch !== undefined && sideOf({ effect: "write", paths: [touch] }, inside) === "inside";

function modeRuling(
  { part, plain, touch, effects }: PolicyItem,
  { mode, sandbox, inside }: Policy,
  whole: "harmless" | "any",
): Ruling {
  if (part) return partRuling(part, mode, sandbox, plain ? "harmless" : whole);
  const [effect = "exec"] = effects;
  const paths = touch ? [touch] : [];
  return touchRuling(mode, effect, sideOf({ effect, paths }, inside));
}
