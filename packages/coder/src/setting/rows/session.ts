import { always, choiceOf, freeText, integer, manyIn, settingGroup, toggle } from "../spec.ts";

export const sessionSettings = {
  ...settingGroup({ tab: "session", group: "Record" })({
    "session.dir": { ...freeText(), about: "Folder of sessions; unset is sessions/ in pith's home." },
    "session.sync": {
      ...choiceOf(["turn", "entry", "never"], "turn"),
      about: "When writes wait for the disk: after each input and turn (turn), after every entry (entry), or never.",
    },
  }),
  ...settingGroup({ tab: "session", group: "Queue", applies: "turn", harmless: always })({
    steeringMode: {
      ...choiceOf(["all", "one-at-a-time"], "all"),
      about: "Delivery of messages typed during a turn, with the next step: all at once, or one per step.",
    },
    followUpMode: {
      ...choiceOf(["all", "one-at-a-time"], "one-at-a-time"),
      about: "Delivery of messages that wait for the end of a turn: all at once, or one per turn.",
    },
  }),
  ...settingGroup({ tab: "session", group: "Tree", harmless: always })({
    "branchSummary.enabled": {
      ...toggle(true),
      about: "Offers to summarize a branch that is left in /tree; without it, the branch is left without a summary.",
    },
    "branchSummary.reserveTokens": {
      ...integer(0, 1_000_000, 16_384),
      about: "Tokens of the window that stay free beside the summary of a branch that is left.",
    },
  }),
  ...settingGroup({ tab: "tools", group: "Project" })({
    "project.roots": {
      ...manyIn("\n"),
      about: "Other folders of the project, one per line; paths may name files in them, and they count as inside.",
    },
  }),
};
