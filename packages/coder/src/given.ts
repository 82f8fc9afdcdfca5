import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, ok, type Result, systemClock } from "@pith/kit";
import type { HouseOptions } from "./hall/house.ts";
import type { Values } from "./setting/schema.ts";
import { Settings } from "./setting/setting.ts";
import { checkSetting, isKey, noSetting, plainSettings } from "./setting-table.ts";

/**
 * Surroundings of an agent. The defaults are empty: a temporary folder to work in, no environment, default settings,
 * nobody to ask.
 */
export interface Around extends Partial<Omit<HouseOptions, "settings" | "models" | "own">> {
  /** Settings as `openSettings` reads them, or values over the defaults. */
  settings?: Settings | Values | undefined;
}

/** Fills in the defaults. */
export function givenBy(around: Around): Result<HouseOptions, "settings"> {
  const settings = settingsOf(around.settings ?? {});
  if (!settings.ok) return settings;
  const { clock = systemClock, asks = false, after = "more", face, words, trust, wire } = around;
  const { env = {}, editor, terminals, modes } = around;
  const { own, ...place } = directoriesOf(around);
  // Without HOME a shell would use the user's.
  const commandEnv = around.commandEnv ?? (around.env ? undefined : { HOME: place.userHome, PATH: usualPath });
  const rest = { clock, asks, modes, after, face, words, trust, wire, editor, terminals, env, commandEnv };
  return ok({ ...place, ...rest, settings: settings.value, own });
}

const usualPath = "/usr/local/bin:/usr/bin:/bin";

function settingsOf(given: Settings | Values): Result<Settings, "settings"> {
  if (given instanceof Settings) return ok(given);
  const checked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (!isKey(key)) return fail("settings", `settings: ${noSetting(key)}`);
    if (value === undefined) continue;
    const fits = checkSetting(key, value);
    if (!fits.ok) return fail("settings", `settings: ${key}: ${fits.message}`);
    checked[key] = fits.value;
  }
  return ok(plainSettings(checked));
}

type Directories = Pick<HouseOptions, "cwd" | "home" | "userHome" | "own">;

function directoriesOf({ cwd, home, userHome }: Around): Directories {
  if (cwd !== undefined && home !== undefined && userHome !== undefined) return { cwd, home, userHome };
  const folder = mkdtempSync(join(tmpdir(), "pith-"));
  const made = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  };
  return {
    cwd: cwd ?? made("work"),
    home: home ?? made("home"),
    userHome: userHome ?? made("user"),
    own: { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) },
  };
}
