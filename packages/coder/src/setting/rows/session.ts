import { always, choiceOf, freeText, integer, settingGroup } from "../spec.ts";

export const sessionSettings = {
  ...settingGroup({ tab: "session", group: "Record" })({
    "session.dir": { ...freeText(), about: "Where sessions are kept; unset is sessions/ in pith's home." },
    "session.sync": {
      ...choiceOf(["turn", "entry", "never"], "turn"),
      about: "When to wait for the disk: turn is after each input and at the end of a turn, entry after every entry.",
    },
  }),
  ...settingGroup({ tab: "session", group: "Queue", applies: "turn", harmless: always })({
    steeringMode: {
      ...choiceOf(["all", "one-at-a-time"], "all"),
      about: "What is typed during a turn reaches the next step: all that waits at once, or one message per step.",
    },
    followUpMode: {
      ...choiceOf(["all", "one-at-a-time"], "one-at-a-time"),
      about: "What waits for the end of a turn begins the next: all that waits at once, or one message per turn.",
    },
  }),
  ...settingGroup({ tab: "session", group: "Tree", harmless: always })({
    "branchSummary.reserveTokens": {
      ...integer(0, 1_000_000, 16_384),
      about: "How much of the context window the summary of a part of the tree that is left behind leaves free.",
    },
  }),
  ...settingGroup({ tab: "tools", group: "Project" })({
    "project.roots": {
      ...freeText(),
      about: "Other folders of the project, one per line; paths may name files in them, and they count as inside.",
    },
  }),
};
