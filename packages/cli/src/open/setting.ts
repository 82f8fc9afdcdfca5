import { openSettings, openTrust, type SettingOptions, type Trust } from "@pith/coder";
import { complain, type Io } from "../io/io.ts";

export const settingsUnder = (trust: Trust, options: Omit<SettingOptions, "standing">) =>
  openSettings({ ...options, standing: (item, text) => trust.ask(item, text).is });

/** The settings that hold in a directory, with what the user has trusted of its project. */
export async function settingsIn(
  io: Pick<Io, "home" | "userHome" | "err">,
  options: Omit<SettingOptions, "home" | "userHome" | "standing">,
  trust: Trust = openTrust({ home: io.home }),
): ReturnType<typeof openSettings> {
  const settings = await settingsUnder(trust, { ...options, home: io.home, userHome: io.userHome });
  if (trust.problem) complain(io, trust.problem);
  return settings;
}
