import { each } from "../config-files.ts";
import { atHome, layout } from "../layout.ts";
import { mcpServers, plainHooks } from "../read/things.ts";
import { agent, rule, standingRule, template } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const { both, list, skills } = layout(".cursor", atHome(".cursor"));

export const cursor: ConfigSource = {
  name: "cursor",
  title: "Cursor",
  priority: 50,
  finds: {
    skill: skills,
    command: (files) => each(list(files, "commands", /\.md$/), template),
    rule: (files) => [
      ...each(list(files, "rules", /\.mdc?$/, 3), rule),
      ...each(files.nearest(".cursorrules"), standingRule),
    ],
    agent: (files) => each(list(files, "agents", /\.md$/), agent),
    hook: (files) => each(both(files, "hooks.json"), plainHooks),
    mcp: (files) => each(both(files, "mcp.json"), mcpServers),
  },
};
