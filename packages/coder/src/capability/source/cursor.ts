import { atHome, layout } from "../layout.ts";
import { each } from "../look.ts";
import { mcpServers, plainHooks } from "../read/things.ts";
import { agent, rule, standingRule, template } from "../read/words.ts";
import type { Source } from "../registry.ts";

const { both, files, skills } = layout(".cursor", atHome(".cursor"));

export const cursor: Source = {
  name: "cursor",
  title: "Cursor",
  priority: 50,
  finds: {
    skill: skills,
    command: (look) => each(files(look, "commands", /\.md$/), template),
    rule: (look) => [
      ...each(files(look, "rules", /\.mdc?$/, 3), rule),
      ...each(look.nearest(".cursorrules"), standingRule),
    ],
    agent: (look) => each(files(look, "agents", /\.md$/), agent),
    hook: (look) => each(both(look, "hooks.json"), plainHooks),
    mcp: (look) => each(both(look, "mcp.json"), mcpServers),
  },
};
