import { openSettings, openTrust, type SettingOptions, type Trust } from "@pith/coder";
import { complain, type Io } from "../io/io.ts";

export const settingsUnder = (trust: Trust, options: Omit<SettingOptions, "standing">) =>
  openSettings({ ...options, standing: (item, text) => trust.ask(item, text).is });

/** The settings that hold in a directory, with what the user has trusted of its project. */
export async function settingsIn(
  io: Pick<Io, "home" | "userHome" | "env" | "err">,
  options: Omit<SettingOptions, "home" | "userHome" | "piHome" | "standing">,
  trust: Trust = openTrust({ home: io.home }),
): ReturnType<typeof openSettings> {
  const { home, userHome, env } = io;
  const settings = await settingsUnder(trust, { ...options, home, userHome, piHome: env.PI_CODING_AGENT_DIR });
  if (trust.problem) complain(io, trust.problem);
  return settings;
}
