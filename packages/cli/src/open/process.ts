import { homedir } from "node:os";
import { type CoderOptions, openTrust } from "@pith/coder";
import { ok, pithHome, type Result } from "@pith/kit";
import { withDotEnv } from "../io/dotenv.ts";
import { overridesOf } from "./override.ts";
import { settingsUnder } from "./setting.ts";

/**
 * Options that the program `pith` would go by if it were started here without flags: the user's folders, environment,
 * settings and trust, and a new session among the others. All is read now; nobody is there to be asked.
 */
export async function fromProcess(cwd = process.cwd()): Promise<Result<CoderOptions, "setting" | "usage">> {
  const userHome = homedir();
  const home = pithHome(process.env, userHome);
  const env = withDotEnv({ ...process.env }, { home, userHome });
  const overrides = overridesOf({}, { env, cwd });
  if (!overrides.ok) return overrides;
  const trust = openTrust({ home });
  const settings = await settingsUnder(trust, {
    cwd,
    home,
    userHome,
    piHome: env.PI_CODING_AGENT_DIR,
    overrides: overrides.value,
  });
  if (!settings.ok) return settings;
  return ok({
    cwd,
    home,
    userHome,
    env,
    commandEnv: { ...process.env },
    settings: settings.value,
    trust,
    model: undefined,
    session: { open: "new" },
  });
}
