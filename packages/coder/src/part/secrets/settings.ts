import { manyIn, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Secrets" })({
  "env.pass": {
    ...manyIn(", "),
    about: "Variables with keys that the model's commands still get; a list, or separated by commas.",
  },
});
