import { openSettings, openTrust, type SettingOptions, type Trust } from "@pith/coder";
import { complain, type Io } from "../io/io.ts";

/** The settings that hold in a directory, with what the user has trusted of its project. */
export async function settingsIn(
  io: Pick<Io, "home" | "userHome" | "env" | "err">,
  options: Omit<SettingOptions, "home" | "userHome" | "piHome" | "standing">,
  trust: Trust = openTrust({ home: io.home }),
): ReturnType<typeof openSettings> {
  const { home, userHome, env } = io;
  const standing: SettingOptions["standing"] = (item, text) => trust.ask(item, text).is;
  const settings = await openSettings({ ...options, home, userHome, piHome: env.PI_CODING_AGENT_DIR, standing });
  if (trust.problem) complain(io, trust.problem);
  return settings;
}
