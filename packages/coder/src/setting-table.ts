import type { Result } from "@pith/kit";
import { checkTyped, checkValue } from "./setting/check.ts";
import { meant } from "./setting/meant.ts";
import { type Key, SettingTable, sharedSettings, type Value, type Values } from "./setting/schema.ts";
import { readSettings, type SettingOptions, type Settings, settingsWithout } from "./setting/setting.ts";
import { partSettings } from "./settings.gen.ts";

/** All settings of the product: those that rooms share, and those of the parts. */
export const settingTable = new SettingTable([sharedSettings, partSettings]);

export const { keys, isKey, specOf } = settingTable;

/** All keys as people are shown them: by tab and group. */
export const sortedKeys = (): Key[] => settingTable.sorted();

type Checked<K extends Key> = Result<NonNullable<Value<K>>, "value">;

/** Says that there is no setting of this name, and what was probably meant. */
export function noSetting(name: string, more = "pith config list shows them all"): string {
  const near = meant(name, undefined, settingTable);
  return `there is no setting "${name}"; ${near ?? more}`;
}

/** Checks a value; a failure says what was expected and what was found. */
export const checkSetting = <K extends Key>(key: K, value: unknown): Checked<K> =>
  checkValue(specOf(key), value) as Checked<K>;

/** Checks a value that a person typed as text. */
export const checkText = <K extends Key>(key: K, text: string): Checked<K> =>
  checkTyped(specOf(key), text) as Checked<K>;

/** Reads all files. When one of the user is broken, the failure has all problems, one line each. */
export const openSettings = (options: SettingOptions): Promise<Result<Settings, "setting">> =>
  readSettings(settingTable, options);

/** Makes settings of the defaults and these values, without any file. */
export const plainSettings = (overrides: Values): Settings => settingsWithout(settingTable, overrides);
