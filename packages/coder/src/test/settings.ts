export { checkText, keys, openSettings, plainSettings, settingTable, specOf } from "../setting-table.ts";
export { partSettings } from "../settings.gen.ts";
