import { join } from "node:path";
import { isRecord } from "@pith/kit";
import { layout } from "../layout.ts";
import { each, type Look } from "../look.ts";
import { mcpServers, plainHooks, serversIn, tool } from "../read/things.ts";
import { addedContext, agent, claudeTemplate, context, standingRule, system } from "../read/words.ts";
import type { Source } from "../registry.ts";

const home = ({ place: { env, userHome } }: Look) => env.CLAUDE_CONFIG_DIR || join(userHome, ".claude");
const { both, files, skills, extensions, hookFiles } = layout(".claude", home);
/** The user's own servers, and those that they added for this project. */
const ownServers = serversIn(({ mcpServers, projects }, { folder }) => {
  const project = isRecord(projects) ? projects[folder] : undefined;
  return { ...(isRecord(mcpServers) && mcpServers), ...(isRecord(project) && (project.mcpServers as object)) };
});

export const claude: Source = {
  name: "claude",
  title: "Claude Code",
  priority: 80,
  finds: {
    context: (look) => [
      ...each(
        [
          ...look.everywhere("CLAUDE.md"),
          ...look.everywhere(".claude", "CLAUDE.md"),
          ...look.user(home(look), "CLAUDE.md"),
        ],
        context,
      ),
      // What one person adds to what all are told.
      ...each(look.everywhere("CLAUDE.local.md"), addedContext),
    ],
    system: (look) => each(both(look, "SYSTEM.md"), system),
    skill: skills,
    command: (look) => each(files(look, "commands", /\.md$/, 3), claudeTemplate),
    rule: (look) => each(files(look, "rules", /\.md$/, 3), standingRule),
    agent: (look) => each(files(look, "agents", /\.md$/, 3), agent),
    tool: (look) => each(files(look, "tools", /\.(?:ts|js|sh|py|json|md)$/), tool),
    hook: (look) => [
      ...each(
        ["settings.local.json", "settings.json"].flatMap((file) => both(look, file)),
        plainHooks,
      ),
      ...hookFiles(look),
    ],
    extension: extensions,
    mcp: (look) => [
      ...each([...both(look, ".mcp.json"), ...both(look, "mcp.json")], mcpServers),
      ...each(
        look.athome(".claude.json").map((at) => ({ ...at, folder: look.place.root })),
        ownServers,
      ),
    ],
  },
};
