import type { Effect } from "@pith/agent";
import { isInside, realPath } from "@pith/kit";

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
 * Inside means: every path, links resolved, lies in one of the roots, which are real paths. A call without paths
 * touches nothing outside.
 */
export const placeOf = (paths: readonly string[], roots: readonly string[]): Place =>
  paths.every((path) => {
    const real = realPath(path);
    return roots.some((root) => isInside(root, real));
  })
    ? "inside"
    : "outside";

/** The least mode that would let this through without a question. */
export function modeFor(effect: Effect, place: Place): Approval {
  return approvals.find((mode) => rule(mode, effect, place) === "allow") ?? "yolo";
}
