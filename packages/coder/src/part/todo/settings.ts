import { always, integer, settingGroup, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("todo"),
  ...settingGroup({ tab: "tools", group: "Todo", harmless: always })({
    "todo.reminders": {
      ...integer(0, 20, 3),
      about: "Reminders in a turn when the model stops with open tasks.",
    },
  }),
  ...settingGroup({ tab: "display", group: "Panels", applies: "now", harmless: always })({
    "tasks.todoClearDelay": {
      ...integer(-1, 86_400, 60),
      about: "Seconds after which closed tasks leave the panel; 0: at once, below 0: never.",
    },
  }),
};
