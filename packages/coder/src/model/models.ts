import type { Env } from "@pith/host";
import { type Clock, defined } from "@pith/kit";
import { type Models, openModels, Tap, type TransportOptions } from "@pith/llm";
import type { SettingView } from "../setting/setting.ts";
import { keyCommands } from "./key-command.ts";

export interface ModelsOptions {
  cwd: string;
  home: string;
  env: Env;
  settings: SettingView;
  clock: Clock;
  wire?: TransportOptions | undefined;
  /** True when somebody may want to see the traffic of servers. */
  asks: boolean;
}

/** Opens all configured models, with the timeouts of the settings. */
export function modelsFor({ cwd, home, env, settings, clock, wire, asks }: ModelsOptions): Models {
  const firstEventMs = settings.get("stream.firstEventTimeoutMs");
  const patience = defined({ idleMs: settings.get("stream.idleTimeoutMs"), firstEventMs });
  const tap = asks ? new Tap() : undefined;
  return openModels({ env, home, clock, patience, run: keyCommands(cwd, env), wire, tap });
}
