import type { Effect, Intent, Touch } from "@pith/agent";
import { isInside } from "@pith/kit";

/** How much runs without a question. */
export const approvals = ["ask", "write", "auto", "yolo", "plan"] as const;
export type Approval = (typeof approvals)[number];

export type Ruling = "allow" | "ask" | "deny";
export type Side = "inside" | "outside";

/** What a mode says to an effect on either side of the project. A table, so that it can be read, tested and explained as it stands. */
const rules: Record<Approval, Record<Effect, Record<Side, Ruling>>> = {
  ask: { read: { inside: "allow", outside: "ask" }, write: all("ask"), exec: all("ask"), net: all("ask") },
  write: {
    read: { inside: "allow", outside: "ask" },
    write: { inside: "allow", outside: "ask" },
    exec: all("ask"),
    net: all("ask"),
  },
  auto: {
    read: { inside: "allow", outside: "ask" },
    write: { inside: "allow", outside: "ask" },
    exec: { inside: "allow", outside: "ask" },
    net: all("ask"),
  },
  yolo: { read: all("allow"), write: all("allow"), exec: all("allow"), net: all("allow") },
  plan: { read: { inside: "allow", outside: "ask" }, write: all("deny"), exec: all("deny"), net: all("deny") },
};

function all(ruling: Ruling): Record<Side, Ruling> {
  return { inside: ruling, outside: ruling };
}

export const rule = (mode: Approval, effect: Effect, side: Side): Ruling => rules[mode][effect][side];

/** Folders of which everything may be touched without leaving the project; all are real paths. */
export interface Inside {
  /** To read and to write. */
  project: readonly string[];
  /** What pith itself keeps for the model, and internal addresses lead to: to read only. */
  kept: readonly string[];
  /** Where the model may keep something itself. */
  scratch: readonly string[];
}

/**
 * Inside means: every path really lies in one of the folders. What touches no path is inside, unless it writes: a write
 * that does not say where is outside.
 */
export function sideOf({ effect, paths }: Pick<Intent, "effect" | "paths">, inside: Inside): Side {
  if (effect === "write" && paths.length === 0) return "outside";
  const holds = (folders: readonly string[], path: string) => folders.some((folder) => isInside(folder, path));
  const isIn = (touch: Touch) =>
    holds(inside.project, touch.real) ||
    (touch.effect === "read" && holds(inside.kept, touch.real)) ||
    (touch.effect !== "exec" && holds(inside.scratch, touch.real));
  return paths.every(isIn) ? "inside" : "outside";
}

/** The least mode that would let this through without a question. */
export function modeFor(effect: Effect, side: Side): Approval {
  return approvals.find((mode) => rule(mode, effect, side) === "allow") ?? "yolo";
}
