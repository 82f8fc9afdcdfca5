import { integer, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Limits" })({
  "turns.max": { ...integer(1, 1_000_000), about: "Model requests per prompt; unset is no limit." },
});
