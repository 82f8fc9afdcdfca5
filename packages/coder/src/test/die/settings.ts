import { always, integer, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "tools", group: "Die" })({
  "die.sides": { ...integer(2, 100, 6), harmless: always, about: "Sides of the die." },
});
