import type { Behaviour, CallView, Effect } from "@pith/agent";
import { fill, realPath } from "@pith/kit";
import { type Approval, modeFor, type Place, placeOf, rule } from "../policy/approval.ts";
import denied from "../policy/denied.md" with { type: "text" };
import refused from "../policy/refused.md" with { type: "text" };

/** The guard before every call: allows, asks or denies by mode, effect and place. */
export function approval(mode: Approval, given: readonly string[]): Behaviour {
  const roots = given.map((root) => realPath(root));
  return {
    name: "approval",
    call(view) {
      const place = placeOf(view.paths, roots);
      const ruling = rule(mode, view.effect, place);
      if (ruling === "allow") return { do: "allow" };
      const about = { tool: view.tool.name, what: describe(view, place), mode };
      if (ruling === "deny") return { do: "deny", reason: fill(denied, about).trim() };
      return {
        do: "ask",
        text: `${about.tool} ${about.what}`,
        refusal: fill(refused, { ...about, enough: modeFor(view.effect, place) }).trim(),
      };
    },
  };
}

const verbs: Record<Effect, string> = {
  read: "reads",
  write: "writes",
  exec: "runs a command",
  net: "uses the network",
};

function describe(view: CallView, place: Place): string {
  const where = place === "outside" ? " outside the project" : "";
  const what = view.paths.length > 0 && view.effect !== "exec" ? ` ${view.paths.join(", ")}` : "";
  return `${verbs[view.effect]}${what}${where}`;
}
