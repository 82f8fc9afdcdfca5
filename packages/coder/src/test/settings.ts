export { checkText, keys, openSettings, plainSettings, settingTable, specOf } from "../setting-table.ts";
export * as partSettings from "../settings.gen.ts";
