import { join, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { Spot } from "../item.ts";
import { layout } from "../layout.ts";
import { each, type Look } from "../look.ts";
import { listIn } from "../parse.ts";
import { mcpServers, plainHooks } from "../read/things.ts";
import { addedContext, agent, context, promptTemplate, rule } from "../read/words.ts";
import type { Source } from "../registry.ts";

const home = ({ place: { env, userHome } }: Look) => env.COPILOT_HOME || join(userHome, ".copilot");
const { both, all, files, skills } = layout(".github", home);
/** Below the folders of instructions that a user names by a variable. */
const named = (look: Look, ...names: string[]): Spot[] =>
  (listIn(look.place.env.COPILOT_CUSTOM_INSTRUCTIONS_DIRS) ?? [])
    .map((folder) => resolve(look.place.cwd, expandHome(folder, look.place.userHome)))
    .flatMap((folder) => look.user(folder, ...names).map((at) => ({ ...at, folder })));

export const github: Source = {
  name: "github",
  title: "GitHub Copilot",
  priority: 30,
  finds: {
    context: (look) => [
      ...each(all(look, "copilot-instructions.md"), context),
      ...each(named(look, "AGENTS.md"), addedContext),
    ],
    skill: skills,
    prompt: (look) => each(files(look, "prompts", /\.prompt\.md$/), promptTemplate),
    rule: (look) =>
      each(
        look.files(
          [...both(look, "instructions"), ...named(look, ".github", "instructions")],
          /\.instructions\.md$/,
          3,
        ),
        rule,
      ),
    agent: (look) =>
      each(
        [...files(look, "agents", /\.md$/), ...look.files(look.nearest(".github", "chatmodes"), /\.chatmode\.md$/)],
        agent,
      ),
    hook: (look) => each(files(look, "hooks", /\.json$/), plainHooks),
    mcp: (look) =>
      each([...look.nearest(".github", "mcp.json"), ...look.user(home(look), "mcp-config.json")], mcpServers),
  },
};
