export { checkText, keys, openSettings, plainSettings, settingTable, specOf } from "../setting-table.ts";
