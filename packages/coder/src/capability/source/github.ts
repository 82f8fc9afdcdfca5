import { join, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import { type ConfigFiles, each } from "../config-files.ts";
import type { ConfigPath } from "../item.ts";
import { layout } from "../layout.ts";
import { listIn } from "../parse.ts";
import { mcpServers, plainHooks } from "../read/things.ts";
import { addedContext, agent, context, promptTemplate, rule } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const home = ({ place: { env, userHome } }: ConfigFiles) => env.COPILOT_HOME || join(userHome, ".copilot");
const { both, all, list, skills } = layout(".github", home);
/** Finds files in the folders that a variable names. */
const named = (files: ConfigFiles, ...names: string[]): ConfigPath[] =>
  (listIn(files.place.env.COPILOT_CUSTOM_INSTRUCTIONS_DIRS) ?? [])
    .map((folder) => resolve(files.place.cwd, expandHome(folder, files.place.userHome)))
    .flatMap((folder) => files.user(folder, ...names).map((at) => ({ ...at, folder })));

export const github: ConfigSource = {
  name: "github",
  title: "GitHub Copilot",
  priority: 30,
  finds: {
    context: (files) => [
      ...each(all(files, "copilot-instructions.md"), context),
      ...each(named(files, "AGENTS.md"), addedContext),
    ],
    skill: skills,
    prompt: (files) => each(list(files, "prompts", /\.prompt\.md$/), promptTemplate),
    rule: (files) =>
      each(
        files.list(
          [...both(files, "instructions"), ...named(files, ".github", "instructions")],
          /\.instructions\.md$/,
          3,
        ),
        rule,
      ),
    agent: (files) =>
      each(
        [...list(files, "agents", /\.md$/), ...files.list(files.nearest(".github", "chatmodes"), /\.chatmode\.md$/)],
        agent,
      ),
    hook: (files) => each(list(files, "hooks", /\.json$/), plainHooks),
    mcp: (files) =>
      each([...files.nearest(".github", "mcp.json"), ...files.user(home(files), "mcp-config.json")], mcpServers),
  },
};
