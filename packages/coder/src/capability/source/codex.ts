import { join } from "node:path";
import { layout } from "../layout.ts";
import { each, type Look } from "../look.ts";
import { hookFile, plainHooks, serversIn, tool } from "../read/things.ts";
import { agent, context, promptTemplate, template, tomlAgent } from "../read/words.ts";
import type { Source } from "../registry.ts";

const home = ({ place: { env, userHome } }: Look) => env.CODEX_HOME || join(userHome, ".codex");
const { both, files, skills, extensions, hookFiles } = layout(".codex", home);
const servers = serversIn(({ mcp_servers }) => mcp_servers);

export const codex: Source = {
  name: "codex",
  title: "Codex",
  priority: 70,
  finds: {
    context: (look) =>
      each(
        ["AGENTS.override.md", "AGENTS.md"].flatMap((file) => look.user(home(look), file)),
        context,
      ),
    skill: skills,
    command: (look) => each(files(look, "commands", /\.md$/), template),
    prompt: (look) => each(files(look, "prompts", /\.md$/), promptTemplate),
    agent: (look) => [
      ...each(files(look, "agents", /\.toml$/), tomlAgent),
      ...each(files(look, "agents", /\.md$/), agent),
    ],
    tool: (look) => each(files(look, "tools", /\.(?:ts|js|sh|py|json|md)$/), tool),
    hook: (look) => [
      ...each(both(look, "hooks.json"), plainHooks),
      ...each(both(look, "config.toml"), plainHooks),
      ...hookFiles(look),
      ...each(files(look, "hooks", /^(?:pre|post)-.*\.(?:ts|js)$/), hookFile),
    ],
    extension: extensions,
    mcp: (look) => each(both(look, "config.toml"), servers),
  },
};
