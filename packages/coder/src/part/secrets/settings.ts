import { manyIn, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Secrets" })({
  "env.pass": {
    ...manyIn(", "),
    about: "Variables that commands of the model get although they hold keys, separated by commas.",
  },
});
