import { join } from "node:path";
import type { Spot } from "../item.ts";
import { each, type Look } from "../look.ts";
import { extensionsIn, skillsIn } from "../native.ts";
import { hookFile, hooksIn, serversIn, tool } from "../read/things.ts";
import { agent, context, promptTemplate, template, tomlAgent } from "../read/words.ts";
import type { Source } from "../registry.ts";

const home = ({ place: { env, userHome } }: Look) => env.CODEX_HOME || join(userHome, ".codex");
const both = (look: Look, ...names: string[]): Spot[] => [
  ...look.nearest(".codex", ...names),
  ...look.user(home(look), ...names),
];
const servers = serversIn(({ mcp_servers }) => mcp_servers);
const hooks = hooksIn(({ hooks }) => hooks);

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
    skill: (look) => skillsIn(look, [...look.everywhere(".codex", "skills"), ...look.user(home(look), "skills")]),
    command: (look) => each(look.files(both(look, "commands"), /\.md$/), template),
    prompt: (look) => each(look.files(both(look, "prompts"), /\.md$/), promptTemplate),
    agent: (look) => [
      ...each(look.files(both(look, "agents"), /\.toml$/), tomlAgent),
      ...each(look.files(both(look, "agents"), /\.md$/), agent),
    ],
    tool: (look) => each(look.files(both(look, "tools"), /\.(?:ts|js|sh|py|json|md)$/), tool),
    hook: (look) => [
      ...each(both(look, "hooks.json"), hooks),
      ...each(both(look, "config.toml"), hooks),
      ...["pre", "post"].flatMap((when) => each(look.files(both(look, "hooks", when), /./), hookFile)),
      ...each(look.files(both(look, "hooks"), /^(?:pre|post)-.*\.(?:ts|js)$/), hookFile),
    ],
    extension: (look) => extensionsIn(look, both(look, "extensions")),
    mcp: (look) => each(both(look, "config.toml"), servers),
  },
};
