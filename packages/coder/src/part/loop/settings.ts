import { choiceOf, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({
  tab: "safety",
  group: "Circles",
  applies: "turn",
  harmless: (value) => value === "ask",
})({
  "loop.mode": {
    ...choiceOf(["off", "note", "ask"], "ask"),
    safest: "ask",
    about: "When the model goes in circles: first it is told; then people are asked (a run without a person ends).",
  },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
