import type { Approval, Ruling } from "./approval.ts";
import { reading } from "./effect.ts";
import { judge } from "./judge.ts";
import type { Judged, JudgedPart } from "./judged.ts";
import { type Severity, worst } from "./severity.ts";
import type { State } from "./state.ts";

/** Whether a wall holds what a command runs to the project. */
type Walls = "open" | "confined";

/** What a mode says to one part of a command. */
function partRuling(part: JudgedPart, mode: Approval, walls: Walls): Ruling {
  const reads = part.severity === "none" ? reading(part.effects) : undefined;
  if (mode === "plan") {
    if (reads === "inside") return "allow";
    return reads === "outside" || (part.guard !== undefined && reading(part.effects)) ? "ask" : "deny";
  }
  if (part.guard !== undefined || part.severity === "critical") return "ask";
  if (mode === "ask") return "ask";
  if (mode === "write") return reads === "inside" ? "allow" : "ask";
  if (mode === "yolo") return "allow";
  return part.severity === "high" || (walls === "open" && part.effects.includes("opaque")) ? "ask" : "allow";
}

const strictness: readonly Ruling[] = ["allow", "ask", "deny"];
const stricter = (one: Ruling, other: Ruling): Ruling =>
  strictness.indexOf(other) > strictness.indexOf(one) ? other : one;

/** What a mode says to all that was judged. What was not understood is never let through. */
function ruling({ parts, problem }: Judged, mode: Approval, walls: Walls): Ruling {
  const least: Ruling = problem === undefined && mode !== "ask" ? "allow" : mode === "plan" ? "deny" : "ask";
  return parts.map((part) => partRuling(part, mode, walls)).reduce(stricter, least);
}

export interface Verdict {
  verdict: Ruling;
  /** What it would be behind a wall. */
  confined: Ruling;
  severity: Severity;
  parts: readonly (JudgedPart & { verdict: Ruling })[];
  /** The rule that decided, where one did. */
  rule: string | null;
  reason: string;
}

/** The whole verdict on a command. */
export function verdictOn(command: string, mode: Approval, state: State): Verdict {
  const judged = judge(command, state);
  const parts = judged.parts.map((part) => ({ ...part, verdict: partRuling(part, mode, "open") }));
  const verdict = ruling(judged, mode, "open");
  return {
    verdict,
    confined: ruling(judged, mode, "confined"),
    severity: worst(judged.parts.map(({ severity }) => severity)),
    parts,
    rule: null,
    reason: reasonFor(judged, parts, verdict, mode),
  };
}

function reasonFor({ problem }: Judged, parts: Verdict["parts"], verdict: Ruling, mode: Approval): string {
  if (problem !== undefined) return `it is not understood: ${problem}`;
  if (verdict === "allow") {
    const reads = reading(parts.flatMap(({ effects }) => effects));
    if (reads && parts.every(({ severity }) => severity === "none"))
      return reads === "inside" ? "it only reads the project" : "it only reads";
    return parts.find(({ reason }) => reason !== undefined)?.reason ?? "nothing in it is known to do harm";
  }
  const rank = (part: JudgedPart) => worst([part.severity]);
  const most = worst(parts.map(rank));
  const decisive = parts.filter((part) => part.verdict === verdict);
  const part =
    decisive.find(({ severity, reason }) => severity === most && reason !== undefined) ??
    decisive.find(({ reason }) => reason !== undefined);
  if (part?.reason !== undefined) return part.reason;
  if (mode === "ask") return "every command asks in the mode ask";
  return `${decisive[0]?.program ?? "it"} is not proven to only read the project`;
}
