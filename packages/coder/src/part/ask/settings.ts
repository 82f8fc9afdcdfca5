import { always, choiceOf, integer, settingGroup, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("ask"),
  ...settingGroup({ tab: "tools", group: "Ask", harmless: always })({
    "ask.timeout": {
      ...integer(0, 86_400, 0),
      about: "Seconds until a question of the model is answered with its recommended or first option; 0: never.",
    },
    "ask.editorTimeout": {
      ...integer(0, 86_400, 0),
      about: "The same while you type an answer; 0: never.",
    },
    "ask.notify": {
      ...choiceOf(["on", "off"], "on"),
      about: "Notifies you of a question of the model while you look elsewhere.",
    },
  }),
};
