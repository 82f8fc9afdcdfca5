import type { Judgement } from "../../judge/judged.ts";
import { partItem } from "./item.ts";
import { type Rules, ruleText } from "./rule.ts";

/** Names the user's rules that let every part of a literal command run outside of the sandbox. */
export function outsideRule(judged: Judgement, rules: Rules, tool: string): string | undefined {
  const { parts, problem, literal } = judged;
  if (problem !== undefined || !literal || parts.length === 0) return undefined;
  const said = parts.map((part) => rules.verdict(partItem(part, judged), { tool, source: undefined }));
  const texts = said.flatMap((one) => (one?.verdict === "allow" ? [ruleText(one.rule)] : []));
  return texts.length === parts.length ? `rule ${[...new Set(texts)].join(", ")}` : undefined;
}
