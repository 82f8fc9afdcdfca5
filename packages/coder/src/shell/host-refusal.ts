import { type AllowedHost, neverReached } from "@pith/host";
import { callItem } from "../policy/rule/item.ts";
import type { PolicyRules } from "../policy/rule/policy-rules.ts";
import { ruleText } from "../policy/rule/rule.ts";

/** Tells why a host is refused without a question: by a rule, or because it is not reached whatever is answered. */
export async function hostRefusal(
  host: string,
  domains: readonly AllowedHost[],
  policyRules: PolicyRules,
): Promise<string | undefined> {
  const { rules } = await policyRules.calls();
  const said = rules.verdict(callItem({ effect: "net", hosts: [host] }), { tool: "bash", source: undefined });
  if (said?.verdict === "deny") return `the rule for ${ruleText(said.rule)} forbids it`;
  const isNamed = domains.some(
    ({ near, below, host: name }) => near && (below ? host.endsWith(`.${name}`) : host === name),
  );
  return neverReached(host, isNamed ? "near" : "far");
}
