import { type Effect, effects } from "@pith/agent";
import type { ListSpec } from "../../setting/spec.ts";

/** A rule of the user about what may run. It applies to a call that matches all its fields. */
export interface Rule {
  /** The name of a tool; `*` in it stands for anything. */
  tool?: string;
  effect?: Effect;
  /** Words of one part of a command: `git push *`. */
  command?: string;
  /** A path or pattern, from the project, from `~` or from `/`. */
  path?: string;
  domain?: string;
  /** The server that brought the tool. */
  server?: string;
  /** With `true` and the verdict `allow`, a command that asks for it runs outside of the sandbox too. */
  outside?: boolean;
  verdict: RuleVerdict;
}
export type RuleVerdict = "allow" | "ask" | "deny";

/** Calls that a yes for longer than once covers: a rule that only ever lets something run. */
export type Grant = Omit<Rule, "verdict">;

/** Says whether changing a file of this name needs a yes. */
export interface FileRule {
  pattern: string;
  autoApprove: boolean;
}

const texts = ["tool", "command", "path", "domain", "server"] as const;
const verdicts: readonly unknown[] = ["allow", "ask", "deny"] satisfies RuleVerdict[];

/** Returns what is wrong with the fields of a rule, its verdict not counted. */
export function wrongFields(item: unknown): string | undefined {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return "expected a group with a verdict";
  const fields = item as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (name === "verdict") continue;
    if (name === "outside") {
      if (typeof value !== "boolean") return "outside: expected true or false";
    } else if (name === "effect") {
      if (!effects.some((effect) => effect === value)) return `effect: expected one of ${effects.join(", ")}`;
    } else if (!texts.some((text) => text === name)) return `unknown field ${JSON.stringify(name.slice(0, 60))}`;
    else if (typeof value !== "string" || value.trim() === "" || value.includes("\0")) return `${name}: expected text`;
  }
  return undefined;
}

const wrongRule = (item: unknown): string | undefined =>
  wrongFields(item) ??
  (verdicts.includes((item as { verdict?: unknown }).verdict)
    ? undefined
    : "verdict: expected one of allow, ask, deny");

/** A broken rule of a project may have been meant to forbid: what can be read of it asks. */
function strictRule(item: unknown): Rule {
  if (wrongFields(item) !== undefined) return { verdict: "ask" };
  return { ...(item as Rule), verdict: "ask" };
}

function wrongFileRule(item: unknown): string | undefined {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return "expected pattern and autoApprove";
  const { pattern, autoApprove, ...more } = item as Record<string, unknown>;
  const [odd] = Object.keys(more);
  if (odd !== undefined) return `unknown field ${JSON.stringify(odd.slice(0, 60))}`;
  if (typeof pattern !== "string" || pattern.trim() === "") return "pattern: expected text";
  return typeof autoApprove === "boolean" ? undefined : "autoApprove: expected true or false";
}

function strictFileRule(item: unknown): FileRule {
  const { pattern } = (item ?? {}) as Partial<FileRule>;
  return { pattern: typeof pattern === "string" && pattern.trim() !== "" ? pattern : "**/*", autoApprove: false };
}

export const ruleList: ListSpec<Rule> = {
  type: "list",
  of: "rules ({ tool?, effect?, command?, path?, domain?, server?, outside?, verdict })",
  wrong: wrongRule,
  strict: strictRule,
  tightens: ({ verdict }) => verdict !== "allow",
  default: [],
};

export const fileRuleList: ListSpec<FileRule> = {
  type: "list",
  of: "{ pattern, autoApprove }",
  wrong: wrongFileRule,
  strict: strictFileRule,
  tightens: ({ autoApprove }) => !autoApprove,
  default: [],
};
