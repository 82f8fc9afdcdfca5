import { join } from "node:path";
import type { CallView, Effect } from "@pith/agent";
import { fill, realPath } from "@pith/kit";
import type { MakePart } from "../hall/part.ts";
import { effectOf, type Inside, modeFor, type Place, placeOf, rule } from "../policy/approval.ts";
import denied from "../policy/denied.md" with { type: "text" };
import refused from "../policy/refused.md" with { type: "text" };

/** The guard before every call: allows, asks or denies by mode, effect and place. */
export const approval: MakePart<"choice" | "cwd" | "roots" | "home" | "folder"> = (hall) => {
  const { choice, cwd, roots, home, folder } = hall;
  const real = (paths: readonly string[]) => paths.map((path) => realPath(path));
  const inside: Inside = {
    project: real([cwd, ...roots]),
    kept: real([...["skills", "rules", "memory"].map((name) => join(home, name)), ...(folder ? [folder] : [])]),
    scratch: real(folder ? [join(folder, "local")] : []),
  };
  return {
    name: "approval",
    hooks: [
      {
        name: "approval",
        call(view) {
          const { intent, tool } = view;
          const mode = choice.approval;
          const place = placeOf(intent, inside);
          const effect = effectOf(intent);
          const ruling = rule(mode, effect, place);
          if (ruling === "allow") return { do: "allow" };
          const about = { tool: tool.name, what: describe(view, place, effect), mode };
          if (ruling === "deny") return { do: "deny", reason: fill(denied, about).trim() };
          return {
            do: "ask",
            text: `${about.tool} ${about.what}`,
            refusal: fill(refused, { ...about, enough: modeFor(effect, place) }).trim(),
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

function describe({ intent: { effect, paths } }: CallView, place: Place, ruled: Effect): string {
  const where = place === "outside" ? " outside the project" : "";
  const names = paths.map(({ path }) => path).join(", ");
  const why = ruled === effect ? "" : ", from which git runs programs";
  return `${verbs[effect]}${names !== "" && effect !== "exec" ? ` ${names}` : ""}${where}${why}`;
}
