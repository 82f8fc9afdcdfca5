import { integer, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Limits" })({
  "turns.max": { ...integer(1, 1_000_000), about: "Model requests per prompt; unset is no limit." },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
