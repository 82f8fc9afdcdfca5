import { join, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { Spot } from "../item.ts";
import { each, type Look } from "../look.ts";
import { skillsIn } from "../native.ts";
import { listIn } from "../parse.ts";
import { hooksIn, mcpServers } from "../read/things.ts";
import { addedContext, agent, context, promptTemplate, rule } from "../read/words.ts";
import type { Source } from "../registry.ts";

const home = ({ place: { env, userHome } }: Look) => env.COPILOT_HOME || join(userHome, ".copilot");
const both = (look: Look, name: string): Spot[] => [...look.nearest(".github", name), ...look.user(home(look), name)];
/** Below the folders of instructions that a user names by a variable. */
const named = (look: Look, ...names: string[]): Spot[] =>
  (listIn(look.place.env.COPILOT_CUSTOM_INSTRUCTIONS_DIRS) ?? [])
    .map((folder) => resolve(look.place.cwd, expandHome(folder, look.place.userHome)))
    .flatMap((folder) => look.user(folder, ...names).map((at) => ({ ...at, folder })));
const hooks = hooksIn(({ hooks }) => hooks);

export const github: Source = {
  name: "github",
  title: "GitHub Copilot",
  priority: 30,
  finds: {
    context: (look) => [
      ...each(
        [...look.everywhere(".github", "copilot-instructions.md"), ...look.user(home(look), "copilot-instructions.md")],
        context,
      ),
      ...each(named(look, "AGENTS.md"), addedContext),
    ],
    skill: (look) => skillsIn(look, [...look.everywhere(".github", "skills"), ...look.user(home(look), "skills")]),
    prompt: (look) => each(look.files(both(look, "prompts"), /\.prompt\.md$/), promptTemplate),
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
        [
          ...look.files(both(look, "agents"), /\.md$/),
          ...look.files(look.nearest(".github", "chatmodes"), /\.chatmode\.md$/),
        ],
        agent,
      ),
    hook: (look) => each(look.files(both(look, "hooks"), /\.json$/), hooks),
    mcp: (look) =>
      each([...look.nearest(".github", "mcp.json"), ...look.user(home(look), "mcp-config.json")], mcpServers),
  },
};
