export { check, checkText, expected, isKey, type Key, keys, type Spec, specOf, type Value, type Values } from "./setting/schema.ts";
export { type Origin, openSettings, type SettingParts, type Settings } from "./setting/setting.ts";
