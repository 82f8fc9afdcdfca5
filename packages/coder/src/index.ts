export { type Coder, type CoderOptions, type OpenFailure, openCoder } from "./coder.ts";
export { applyPatch, type PatchOptions, type PatchSaid } from "./edit/front.ts";
export { type History, openHistory, type Prompt } from "./history/history.ts";
export { type Approval, approvals } from "./policy/approval.ts";
export type { SessionChoice } from "./record.ts";
export { check, checkText, expected, isKey, type Key, keys, type Spec, specOf, type Value, type Values } from "./setting/schema.ts";
export { type Origin, openSettings, type SettingParts, type Settings } from "./setting/setting.ts";
export { openToolbox, type Toolbox, type ToolboxParts } from "./toolbox.ts";
