import { atHome, layout } from "../layout.ts";
import { each } from "../look.ts";
import { mcpServers, plainHooks } from "../read/things.ts";
import { rule, standingRule, template } from "../read/words.ts";
import type { Source } from "../registry.ts";

const { both, files, skills } = layout(".windsurf", atHome(".codeium", "windsurf"));

export const windsurf: Source = {
  name: "windsurf",
  title: "Windsurf",
  priority: 45,
  finds: {
    skill: skills,
    command: (look) =>
      each(
        ["workflows", "global_workflows"].flatMap((folder) => files(look, folder, /\.md$/)),
        template,
      ),
    rule: (look) => [
      ...each(look.files(look.nearest(".windsurf", "rules"), /\.md$/), rule),
      ...each(look.nearest(".windsurfrules"), standingRule),
      ...each(look.athome(".codeium", "windsurf", "memories", "global_rules.md"), standingRule),
    ],
    hook: (look) => each(both(look, "hooks.json"), plainHooks),
    mcp: (look) => each(both(look, "mcp_config.json"), mcpServers),
  },
};
