import { freeText, settingGroup } from "../../setting/spec.ts";

export const settings = settingGroup({ tab: "safety", group: "Secrets" })({
  "env.pass": {
    ...freeText(),
    about: "Variables that commands of the model get although they hold keys, separated by commas.",
  },
});

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
