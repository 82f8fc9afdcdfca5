import type { Intent } from "@pith/agent";
import { realPath } from "@pith/kit";
import { judge } from "../../judge/judge.ts";
import type { SettingView } from "../../setting/setting.ts";
import { type LiveSources, liveState } from "../command-judge.ts";
import { partItem } from "./item.ts";
import { ruleLayers } from "./layer.ts";
import { Rules, ruleText } from "./rule.ts";

/**
 * Which rule of the user lets a command run outside of the sandbox: one that says so, for every part of it. A rule that
 * only lets a command run means it where it would run.
 */
export function outsideRules(settings: Pick<SettingView, "lists">, sources: LiveSources) {
  const { inside, userHome } = sources;
  const layers = ruleLayers(settings).map(({ from, rules }) => ({
    from,
    rules: rules.filter(({ outside, verdict }) => outside === true || verdict !== "allow"),
  }));
  const rules = new Rules(layers, { roots: inside.project, home: realPath(userHome) });
  const stateFor = liveState(sources);
  return (intent: Intent, tool: string): string | undefined => {
    const { parts, problem } = judge(intent.command ?? "", stateFor(intent));
    if (problem !== undefined || parts.length === 0) return undefined;
    const said = parts.map((part) => rules.verdict(partItem(part), { tool, source: undefined }));
    const texts = said.flatMap((one) => (one?.verdict === "allow" ? [ruleText(one.rule)] : []));
    return texts.length === parts.length ? `rule ${[...new Set(texts)].join(", ")}` : undefined;
  };
}
