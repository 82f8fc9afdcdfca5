import { always, freeText, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "model", group: "Retry", trusted: always })({
  "fallback.models": {
    ...freeText(),
    about: "Models to go on with when the present one does not answer, separated by commas.",
  },
});
