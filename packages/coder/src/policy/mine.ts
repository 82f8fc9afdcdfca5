import { realPath } from "@pith/kit";
import { readRoots } from "../files/root.ts";
import type { SettingView } from "../setting/setting.ts";
import { type Approval, insideOf } from "./approval.ts";
import { stateBy } from "./command-judge.ts";
import { PolicyRules } from "./rule/policy-rules.ts";
import { isTrustedRepository, type Trust } from "./trust/trust.ts";
import { type CommandVerdict, verdictOn } from "./verdict.ts";

export interface Mine {
  cwd: string;
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  env: Readonly<Record<string, string | undefined>>;
  settings: SettingView;
  trust: Trust;
}

/** The verdict on a command as it would be sent here now: by the user's own rules, in this project. */
export async function verdictHere(
  command: string,
  mode: Approval | undefined,
  { cwd, home, userHome, env, settings, trust }: Mine,
): Promise<CommandVerdict> {
  const roots = readRoots(settings.get("project.roots"), cwd, userHome);
  const inside = insideOf({ cwd, roots, home, folder: undefined });
  const isTrusted = (folder: string) => isTrustedRepository(trust, folder);
  const state = stateBy({ cwd, userHome, inside, env, isTrusted })({ cwd });
  const policy = new PolicyRules(settings, { roots: [cwd, ...roots].map(realPath), home: realPath(userHome) });
  const { rules, files } = await policy.calls();
  return verdictOn(command, mode ?? settings.get("approval.mode") ?? "auto", state, { rules, files });
}
