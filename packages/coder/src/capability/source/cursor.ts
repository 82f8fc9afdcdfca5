import type { Spot } from "../item.ts";
import { each, type Look } from "../look.ts";
import { skillsIn } from "../native.ts";
import { hooksIn, mcpServers } from "../read/things.ts";
import { agent, rule, standingRule, template } from "../read/words.ts";
import type { Source } from "../registry.ts";

const both = (look: Look, ...names: string[]): Spot[] => [
  ...look.nearest(".cursor", ...names),
  ...look.athome(".cursor", ...names),
];
const hooks = hooksIn(({ hooks }) => hooks);

export const cursor: Source = {
  name: "cursor",
  title: "Cursor",
  priority: 50,
  finds: {
    skill: (look) => skillsIn(look, [...look.everywhere(".cursor", "skills"), ...look.athome(".cursor", "skills")]),
    command: (look) => each(look.files(both(look, "commands"), /\.md$/), template),
    rule: (look) => [
      ...each(look.files(both(look, "rules"), /\.mdc?$/, 3), rule),
      ...each(look.nearest(".cursorrules"), standingRule),
    ],
    agent: (look) => each(look.files(both(look, "agents"), /\.md$/), agent),
    hook: (look) => each(both(look, "hooks.json"), hooks),
    mcp: (look) => each(both(look, "mcp.json"), mcpServers),
  },
};
