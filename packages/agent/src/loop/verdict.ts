import { joinAccess } from "../tool/access.ts";
import { worstRisk } from "../tool/risk.ts";
import type { Ask, Verdict } from "./hook.ts";

/** Joins the verdicts on a call: deny beats change beats ask beats replace beats allow. */
export function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
  const denied = verdicts.flatMap((verdict) => (verdict.do === "deny" ? [verdict.reason] : []));
  if (denied.length > 0) return { do: "deny", reason: unique(denied).join("\n") };
  // A changed call is judged again.
  const change = verdicts.find((verdict) => verdict.do === "change");
  if (change) return change;
  const asks = verdicts.filter((verdict) => verdict.do === "ask");
  const [ask] = asks;
  if (ask) return asks.length === 1 ? ask : joinedAsk(asks);
  return verdicts.find(({ do: what }) => what === "replace") ?? verdicts.find(saysWho) ?? { do: "allow" };
}

const saysWho = (verdict: Verdict): boolean => verdict.do === "allow" && verdict.by !== undefined;

/** Joins questions. A yes holds only as long as the strictest guard allows. */
function joinedAsk(asks: readonly Ask[]): Ask {
  const scopes = asks.flatMap(({ scope }) => scope ?? []);
  const lasting = scopes.length === asks.length;
  return {
    do: "ask",
    text: unique(asks.map(({ text }) => text)).join("; "),
    // One is enough; the last guard knows most of what is special about the call.
    refusal: asks.at(-1)?.refusal ?? "",
    risk: asks.some(({ risk }) => risk) ? worstRisk(asks.flatMap(({ risk }) => risk ?? [])) : undefined,
    parts: asks.find(({ parts }) => parts)?.parts,
    access: joinAccess(asks.flatMap(({ access }) => access ?? [])),
    scope: lasting ? unique(scopes).join(", ") : undefined,
    async keep(holds) {
      for (const ask of lasting ? asks : []) await ask.keep?.(holds);
    },
    covered: asks.every(({ covered }) => covered)
      ? async (signal) => void (await Promise.all(asks.map((ask) => ask.covered?.(signal))))
      : undefined,
  };
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
