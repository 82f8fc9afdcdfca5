import { toolSwitches } from "../../setting/spec.ts";

export const settings = toolSwitches("ast_grep", "ast_edit");
