import { always, integer, settingGroup, toggle, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("run_subagent"),
  ...settingGroup({ tab: "tools", group: "Sub-agents", harmless: always })({
    "subagents.parallel": {
      ...integer(1, 16, 4),
      about: "Sub-agents that may work at the same time; 1 suits a server with one slot.",
    },
  }),
  ...settingGroup({ tab: "model", group: "Small models", applies: "turn", trusted: always })({
    "dispatch.enabled": {
      ...toggle(false),
      about: "Asks the model first what kind of work an input is; on with the profiles local and orchestrator.",
    },
    "dispatch.timeout": {
      ...integer(1, 600, 20),
      about: "Time limit of that question in seconds; then the input counts as several tasks.",
    },
    "dispatch.routes": {
      ...toggle(false),
      about:
        "Lets a sub-agent (deep-explore) look first into an input that only asks something; on with the profile orchestrator.",
    },
    "orchestrator.review": {
      ...toggle(false),
      about:
        "Lets a sub-agent review the written files when the model stops, once in a turn; on with the profile orchestrator.",
    },
    "orchestrator.branch": {
      ...toggle(false),
      about: "Begins a new session on a branch of its own (`git switch -c`), judged like any command.",
    },
  }),
};
