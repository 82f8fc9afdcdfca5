import { join } from "node:path";
import { type ConfigFiles, each } from "../config-files.ts";
import { layout } from "../layout.ts";
import { hookFile, plainHooks, serversIn, tool } from "../read/things.ts";
import { agent, context, promptTemplate, template, tomlAgent } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const home = ({ place: { env, userHome } }: ConfigFiles) => env.CODEX_HOME || join(userHome, ".codex");
const { both, list, skills, extensions, hookFiles } = layout(".codex", home);
const servers = serversIn(({ mcp_servers }) => mcp_servers);

export const codex: ConfigSource = {
  name: "codex",
  title: "Codex",
  priority: 70,
  finds: {
    context: (files) =>
      each(
        ["AGENTS.override.md", "AGENTS.md"].flatMap((file) => files.user(home(files), file)),
        context,
      ),
    skill: skills,
    command: (files) => each(list(files, "commands", /\.md$/), template),
    prompt: (files) => each(list(files, "prompts", /\.md$/), promptTemplate),
    agent: (files) => [
      ...each(list(files, "agents", /\.toml$/), tomlAgent),
      ...each(list(files, "agents", /\.md$/), agent),
    ],
    tool: (files) => each(list(files, "tools", /\.(?:ts|js|sh|py|json|md)$/), tool),
    hook: (files) => [
      ...each(both(files, "hooks.json"), plainHooks),
      ...each(both(files, "config.toml"), plainHooks),
      ...hookFiles(files),
      ...each(list(files, "hooks", /^(?:pre|post)-.*\.(?:ts|js)$/), hookFile),
    ],
    extension: extensions,
    mcp: (files) => each(both(files, "config.toml"), servers),
  },
};
