import { always, integer, settingGroup, toggle, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("run_subagent"),
  ...settingGroup({ tab: "tools", group: "Sub-agents", harmless: always })({
    "subagents.parallel": {
      ...integer(1, 16, 4),
      about: "How many sub-agents work beside each other; a server with one slot is best asked by one at a time.",
    },
  }),
  ...settingGroup({ tab: "model", group: "Small models", applies: "turn", trusted: always })({
    "dispatch.enabled": {
      ...toggle(false),
      about:
        "Whether a question to the model tells first what kind of work the input asks for; on with the profiles local and orchestrator.",
    },
    "dispatch.timeout": {
      ...integer(1, 600, 20),
      about: "Seconds that this question may take; then the input counts as one that asks for several things.",
    },
    "dispatch.routes": {
      ...toggle(false),
      about:
        "Whether an input that only asks something is looked into by a sub-agent (deep-explore) first; on with the profile orchestrator.",
    },
    "orchestrator.review": {
      ...toggle(false),
      about:
        "Whether a sub-agent reviews the files that were written when the model stops, once in a turn; on with the profile orchestrator.",
    },
    "orchestrator.branch": {
      ...toggle(false),
      about: "Whether a new session begins on a branch of its own (`git switch -c`), judged like any command.",
    },
  }),
};

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
