import { always, choiceOf, integer, settingGroup, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("ask"),
  ...settingGroup({ tab: "tools", group: "Ask", harmless: always })({
    "ask.timeout": {
      ...integer(0, 86_400, 0),
      about:
        "Seconds that a question of the model waits before the recommended answer, or the first, is taken; 0 is for ever.",
    },
    "ask.editorTimeout": {
      ...integer(0, 86_400, 0),
      about: "The same where words of one's own are typed; what was offered is taken then.",
    },
    "ask.notify": {
      ...choiceOf(["on", "off"], "on"),
      about: "Whether the terminal calls a person who looks elsewhere when the model has a question.",
    },
  }),
};

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
