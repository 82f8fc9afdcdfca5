import { join } from "node:path";
import type { Spot } from "../item.ts";
import { each, type Look } from "../look.ts";
import { skillsIn } from "../native.ts";
import { hooksIn, mcpServers } from "../read/things.ts";
import { agent, context, promptTemplate, rule } from "../read/words.ts";
import type { Source } from "../registry.ts";

const home = ({ place: { env, userHome } }: Look) => env.COPILOT_HOME || join(userHome, ".copilot");
const both = (look: Look, name: string): Spot[] => [...look.nearest(".github", name), ...look.user(home(look), name)];
const hooks = hooksIn(({ hooks }) => hooks);

export const github: Source = {
  name: "github",
  title: "GitHub Copilot",
  priority: 30,
  finds: {
    context: (look) =>
      each(
        [...look.everywhere(".github", "copilot-instructions.md"), ...look.user(home(look), "copilot-instructions.md")],
        context,
      ),
    skill: (look) => skillsIn(look, [...look.everywhere(".github", "skills"), ...look.user(home(look), "skills")]),
    prompt: (look) => each(look.files(both(look, "prompts"), /\.prompt\.md$/), promptTemplate),
    rule: (look) => each(look.files(both(look, "instructions"), /\.instructions\.md$/, 3), rule),
    agent: (look) => each(look.files(both(look, "agents"), /\.md$/), agent),
    hook: (look) => each(look.files(both(look, "hooks"), /\.json$/), hooks),
    mcp: (look) =>
      each([...look.nearest(".github", "mcp.json"), ...look.user(home(look), "mcp-config.json")], mcpServers),
  },
};
