import { toolSwitches } from "../../setting/spec.ts";

export const settings = toolSwitches("ast_grep", "ast_edit");

type Rows = typeof settings;
declare module "../../setting/schema.ts" {
  interface SettingRows extends Rows {}
}
