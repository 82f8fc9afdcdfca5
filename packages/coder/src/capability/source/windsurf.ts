import type { Spot } from "../item.ts";
import { each, type Look } from "../look.ts";
import { skillsIn } from "../native.ts";
import { hooksIn, mcpServers } from "../read/things.ts";
import { rule, standingRule, template } from "../read/words.ts";
import type { Source } from "../registry.ts";

const both = (look: Look, name: string): Spot[] => [
  ...look.nearest(".windsurf", name),
  ...look.athome(".codeium", "windsurf", name),
];
const hooks = hooksIn(({ hooks }) => hooks);

export const windsurf: Source = {
  name: "windsurf",
  title: "Windsurf",
  priority: 45,
  finds: {
    skill: (look) =>
      skillsIn(look, [...look.everywhere(".windsurf", "skills"), ...look.athome(".codeium", "windsurf", "skills")]),
    command: (look) =>
      each(look.files([...both(look, "workflows"), ...both(look, "global_workflows")], /\.md$/), template),
    rule: (look) => [
      ...each(look.files(look.nearest(".windsurf", "rules"), /\.md$/), rule),
      ...each(look.nearest(".windsurfrules"), standingRule),
      ...each(look.athome(".codeium", "windsurf", "memories", "global_rules.md"), standingRule),
    ],
    hook: (look) => each(both(look, "hooks.json"), hooks),
    mcp: (look) => each(both(look, "mcp_config.json"), mcpServers),
  },
};
