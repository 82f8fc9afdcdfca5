import { fill } from "@pith/kit";
import { worded } from "../../context/worded.ts";
import agent from "./prompt/agent.md" with { type: "text" };
import chat from "./prompt/chat.md" with { type: "text" };
import deepExplore from "./prompt/deep-explore.md" with { type: "text" };
import explore from "./prompt/explore.md" with { type: "text" };
import navigation from "./prompt/navigation.md" with { type: "text" };
import plan from "./prompt/plan.md" with { type: "text" };
import review from "./prompt/review.md" with { type: "text" };

const looking = ["read", "search", "find", "ast_grep"] as const;

/** The modes of sub-agents; `steps` counts requests to the model. */
export const modes = {
  explore: { steps: 10, tools: looking, prose: explore },
  plan: { steps: 10, tools: looking, prose: plan },
  review: { steps: 15, tools: [...looking, "bash"], prose: review },
  "deep-explore": { steps: 20, tools: [...looking, "run_subagent"], prose: deepExplore },
  chat: { steps: 10, tools: looking, prose: chat },
} as const;
export type ModeName = keyof typeof modes;

/** The system prompt of a sub-agent; it names only tools that are there. */
export function agentPrompt(mode: ModeName, there: ReadonlySet<string>): string {
  const { prose, steps } = modes[mode];
  return worded(fill(agent, { mode: prose.trim(), navigation: navigation.trim(), steps }), there);
}
