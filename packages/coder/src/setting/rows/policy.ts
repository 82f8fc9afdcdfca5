import { type Effect, effects } from "@pith/agent";
import type { ListSpec, Spec } from "../spec.ts";

/** One rule of what may run. All that it names must fit; what it does not name may be anything. */
export interface Rule {
  /** The name of a tool; `*` in it stands for anything. */
  tool?: string;
  effect?: Effect;
  /** Words of one part of a command: `git push *`. */
  command?: string;
  /** A path or pattern, from the project, from `~` or from `/`. */
  path?: string;
  domain?: string;
  /** Who brought the tool, where that is a server. */
  server?: string;
  /** With `true` and the verdict `allow`, a command that asks for it runs outside of the sandbox too. */
  outside?: boolean;
  verdict: RuleVerdict;
}
export type RuleVerdict = "allow" | "ask" | "deny";

/** What a yes for longer than once covers: a rule that only ever lets something run. */
export type Grant = Omit<Rule, "verdict">;

/** Whether writing a file of this name needs a yes. */
export interface FileRule {
  pattern: string;
  autoApprove: boolean;
}

const texts = ["tool", "command", "path", "domain", "server"] as const;
const verdicts: readonly unknown[] = ["allow", "ask", "deny"] satisfies RuleVerdict[];

/** What is wrong with the fields of a rule beside its verdict; a rule about nothing at all is none of a grant. */
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

const rules: ListSpec<Rule> = {
  type: "list",
  of: "rules ({ tool?, effect?, command?, path?, domain?, server?, outside?, verdict })",
  wrong: wrongRule,
  strict: strictRule,
  tightens: ({ verdict }) => verdict !== "allow",
  default: [],
};

const files: ListSpec<FileRule> = {
  type: "list",
  of: "{ pattern, autoApprove }",
  wrong: wrongFileRule,
  strict: strictFileRule,
  tightens: ({ autoApprove }) => !autoApprove,
  default: [],
};

/** What may run without asking. */
export const policySettings = {
  "approval.mode": {
    type: "choice",
    values: ["ask", "write", "auto", "yolo", "plan"],
    default: "write",
    safest: "ask",
    tab: "safety",
    group: "Approval",
    about: "What may run without asking; unset is write, and auto once the sandbox stands (docs/approval.md).",
  },
  "approval.files": {
    ...files,
    harmless: Array.isArray,
    tab: "safety",
    group: "Approval",
    about: "Files by pattern whose change needs a yes (autoApprove: false) or none; the last that fits counts.",
  },
  "policy.rules": {
    ...rules,
    harmless: Array.isArray,
    tab: "safety",
    group: "Approval",
    about: "Rules of what runs, asks or never runs; a project's may only make it stricter.",
  },
} as const satisfies Record<string, Spec>;
