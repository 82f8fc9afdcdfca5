import type { CoderOptions } from "@pith/coder";
import { fail, ok, pithHome, type Result } from "@pith/kit";
import { withDotEnv } from "../io/dotenv.ts";
import { Out } from "../io/out.ts";
import { noHome, userHomeOf } from "../io/user-home.ts";
import { openProject } from "./project.ts";

/**
 * Options that the program `pith` would go by if it were started here without flags: the user's folders, environment,
 * settings and trust, and a new session among the others. All is read now; nobody is there to be asked.
 */
export async function fromProcess(cwd = process.cwd()): Promise<Result<CoderOptions, "setting" | "usage">> {
  const userHome = userHomeOf(process.env);
  if (userHome === undefined) return fail("usage", noHome);
  const home = pithHome(process.env, userHome);
  const env = withDotEnv({ ...process.env }, { home, userHome });
  const project = await openProject({}, { cwd, home, userHome, env, err: new Out(async () => {}) });
  if (!project.ok) return project;
  const { settings, trust } = project.value;
  const session = { open: "new" } as const;
  return ok({ cwd, home, userHome, env, commandEnv: { ...process.env }, settings, trust, model: undefined, session });
}
