import { join } from "node:path";
import { isRecord } from "@pith/kit";
import { type ConfigFiles, each } from "../config-files.ts";
import { layout } from "../layout.ts";
import { mcpServers, plainHooks, serversIn, tool } from "../read/things.ts";
import { addedContext, agent, claudeTemplate, context, standingRule, system } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const home = ({ place: { env, userHome } }: ConfigFiles) => env.CLAUDE_CONFIG_DIR || join(userHome, ".claude");
const { both, list, skills, extensions, hookFiles } = layout(".claude", home);
/** Reads the user's own servers, and those added for this project. */
const ownServers = serversIn(({ mcpServers, projects }, { folder }) => {
  const project = isRecord(projects) ? projects[folder] : undefined;
  return { ...(isRecord(mcpServers) && mcpServers), ...(isRecord(project) && (project.mcpServers as object)) };
});

export const claude: ConfigSource = {
  name: "claude",
  title: "Claude Code",
  priority: 80,
  finds: {
    context: (files) => [
      ...each(
        [
          ...files.everywhere("CLAUDE.md"),
          ...files.everywhere(".claude", "CLAUDE.md"),
          ...files.user(home(files), "CLAUDE.md"),
        ],
        context,
      ),
      // Instructions of one person, beside those for all.
      ...each(files.everywhere("CLAUDE.local.md"), addedContext),
    ],
    system: (files) => each(both(files, "SYSTEM.md"), system),
    skill: skills,
    command: (files) => each(list(files, "commands", /\.md$/, 3), claudeTemplate),
    rule: (files) => each(list(files, "rules", /\.md$/, 3), standingRule),
    agent: (files) => each(list(files, "agents", /\.md$/, 3), agent),
    tool: (files) => each(list(files, "tools", /\.(?:ts|js|sh|py|json|md)$/), tool),
    hook: (files) => [
      ...each(
        ["settings.local.json", "settings.json"].flatMap((file) => both(files, file)),
        plainHooks,
      ),
      ...hookFiles(files),
    ],
    extension: extensions,
    mcp: (files) => [
      ...each([...both(files, ".mcp.json"), ...both(files, "mcp.json")], mcpServers),
      ...each(
        files.inHome(".claude.json").map((at) => ({ ...at, folder: files.place.root })),
        ownServers,
      ),
    ],
  },
};
