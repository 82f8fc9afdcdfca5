import { always, integer, settingGroup, toolSwitches } from "../../setting/spec.ts";

export const settings = {
  ...toolSwitches("search", "find"),
  ...settingGroup({ tab: "tools", group: "Search", harmless: always })({
    "search.contextBefore": { ...integer(0, 20, 1), about: "Lines shown before a match." },
    "search.contextAfter": { ...integer(0, 20, 3), about: "Lines shown after a match." },
  }),
};
