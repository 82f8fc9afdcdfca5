import type { Env } from "@pith/host";
import type { Clock } from "@pith/kit";
import { type Models, openModels } from "@pith/llm";
import type { SettingView } from "../setting/setting.ts";
import { keyCommands } from "./key-command.ts";

export interface ModelsOptions {
  cwd: string;
  home: string;
  env: Env;
  settings: SettingView;
}

/** The way to every model that is configured, as patient as the settings say. */
export function modelsFor({ cwd, home, env, settings }: ModelsOptions, clock: Clock): Models {
  const firstEventMs = settings.get("stream.firstEventTimeoutMs");
  const idleMs = settings.get("stream.idleTimeoutMs");
  const patience = { idleMs, ...(firstEventMs === undefined ? {} : { firstEventMs }) };
  return openModels({ env, home, clock, patience, run: keyCommands(cwd, env) });
}
