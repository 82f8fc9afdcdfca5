import { always, freeText, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "model", group: "Retry", trusted: always })({
  "fallback.models": {
    ...freeText(),
    about: "Models to try when the current one does not answer, separated by commas.",
  },
});
