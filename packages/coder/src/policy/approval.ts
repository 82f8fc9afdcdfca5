import type { Effect, Intent } from "@pith/agent";
import { isInside } from "@pith/kit";

/** How much runs without a question. */
export const approvals = ["ask", "write", "auto", "yolo", "plan"] as const;
export type Approval = (typeof approvals)[number];

export type Ruling = "allow" | "ask" | "deny";
export type Place = "inside" | "outside";

/** What a mode says to an effect at a place. A table, so that it can be read, tested and explained as it stands. */
const rules: Record<Approval, Record<Effect, Record<Place, Ruling>>> = {
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

function all(ruling: Ruling): Record<Place, Ruling> {
  return { inside: ruling, outside: ruling };
}

export const rule = (mode: Approval, effect: Effect, place: Place): Ruling => rules[mode][effect][place];

/**
 * Inside means: every path really lies in one of the folders, which are real paths. What touches no path is inside,
 * unless it writes: a write that does not say where is outside.
 */
export function placeOf({ effect, paths }: Pick<Intent, "effect" | "paths">, folders: readonly string[]): Place {
  if (effect === "write" && paths.length === 0) return "outside";
  return paths.every(({ real }) => folders.some((folder) => isInside(folder, real))) ? "inside" : "outside";
}

/** The least mode that would let this through without a question. */
export function modeFor(effect: Effect, place: Place): Approval {
  return approvals.find((mode) => rule(mode, effect, place) === "allow") ?? "yolo";
}
