import type { CallView, Effect } from "@pith/agent";
import { fill } from "@pith/kit";
import type { MakePart } from "../hall/part.ts";
import { effectOf, modeFor, rule, type Side, sideOf } from "../policy/approval.ts";
import denied from "../policy/denied.md" with { type: "text" };
import refused from "../policy/refused.md" with { type: "text" };

/** The guard before every call: allows, asks or denies by mode, effect and side of the project. */
export const approval: MakePart<"choice" | "inside"> = ({ choice, inside }) => {
  return {
    name: "approval",
    hooks: [
      {
        name: "approval",
        call(view) {
          const { intent, tool } = view;
          const mode = choice.approval;
          const side = sideOf(intent, inside);
          const effect = effectOf(intent);
          const ruling = rule(mode, effect, side);
          if (ruling === "allow") return { do: "allow" };
          const about = { tool: tool.name, what: describe(view, side, effect), mode };
          if (ruling === "deny") return { do: "deny", reason: fill(denied, about).trim() };
          return {
            do: "ask",
            text: `${about.tool} ${about.what}`,
            refusal: fill(refused, { ...about, enough: modeFor(effect, side) }).trim(),
          };
        },
      },
    ],
  };
};

const verbs: Record<Effect, string> = {
  read: "reads",
  write: "writes",
  exec: "runs a command",
  net: "uses the network",
};

function describe({ intent: { effect, paths } }: CallView, side: Side, ruled: Effect): string {
  const where = side === "outside" ? " outside the project" : "";
  const names = paths.map(({ path }) => path).join(", ");
  const why = ruled === effect ? "" : ", from which git runs programs";
  return `${verbs[effect]}${names !== "" && effect !== "exec" ? ` ${names}` : ""}${where}${why}`;
}
