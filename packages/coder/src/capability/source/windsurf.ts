import { each } from "../config-files.ts";
import { atHome, layout } from "../layout.ts";
import { mcpServers, plainHooks } from "../read/things.ts";
import { rule, standingRule, template } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const { both, list, skills } = layout(".windsurf", atHome(".codeium", "windsurf"));

export const windsurf: ConfigSource = {
  name: "windsurf",
  title: "Windsurf",
  priority: 45,
  finds: {
    skill: skills,
    command: (files) =>
      each(
        ["workflows", "global_workflows"].flatMap((folder) => list(files, folder, /\.md$/)),
        template,
      ),
    rule: (files) => [
      ...each(files.list(files.nearest(".windsurf", "rules"), /\.md$/), rule),
      ...each(files.nearest(".windsurfrules"), standingRule),
      ...each(files.inHome(".codeium", "windsurf", "memories", "global_rules.md"), standingRule),
    ],
    hook: (files) => each(both(files, "hooks.json"), plainHooks),
    mcp: (files) => each(both(files, "mcp_config.json"), mcpServers),
  },
};
