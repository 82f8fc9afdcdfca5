import { resolve } from "node:path";
import { defaultSessionsFolder } from "@pith/agent";
import { expandHome } from "@pith/kit";
import type { SettingView } from "../setting/setting.ts";

/** The folder of all sessions: the setting, with `~` and relative to pith's home, or the usual place in it. */
export function sessionsFolder(
  settings: Pick<SettingView, "get">,
  { home, userHome }: { home: string; userHome: string },
): string {
  const chosen = settings.get("session.dir");
  return chosen === undefined ? defaultSessionsFolder(home) : resolve(home, expandHome(chosen, userHome));
}
