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
    about:
      "What happens when the model repeats itself: it is told (note), or told first and then you are asked (ask); a run without a person ends.",
  },
});
