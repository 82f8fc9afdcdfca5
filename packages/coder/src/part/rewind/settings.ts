import { always, settingGroup, toggle } from "../../setting/spec.ts";

export const settings = settingGroup({
  tab: "tools",
  group: "Tools",
  harmless: (value) => value === false,
  trusted: always,
})({
  "checkpoint.enabled": { ...toggle(false), about: "Offers the model the tools checkpoint and rewind." },
});
