import { type ConfigFiles, each } from "../config-files.ts";
import { atHome, indexIn, layout } from "../layout.ts";
import { languageServers, mcpServers, theme, tool } from "../read/things.ts";
import { agent, context, promptTemplate, rule, standingRule, stickyRule, system, template } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

/** Makes the source of a product with the layout that pith shares with the agents it comes after. */
function native(
  about: Pick<ConfigSource, "name" | "title" | "priority">,
  folder: string,
  home: (files: ConfigFiles) => string,
): ConfigSource {
  const { both, all, list, skills, extensions, hookFiles } = layout(folder, home);
  return {
    ...about,
    finds: {
      context: (files) => each(all(files, "AGENTS.md"), context),
      system: (files) =>
        each(
          ["SYSTEM.md", "APPEND_SYSTEM.md", "TITLE_SYSTEM.md"].flatMap((file) => both(files, file)),
          system,
        ),
      skill: skills,
      command: (files) => each(list(files, "commands", /\.md$/), template),
      prompt: (files) => each(list(files, "prompts", /\.md$/), promptTemplate),
      rule: (files) => [
        ...each(list(files, "rules", /\.mdc?$/), rule),
        ...each(list(files, "instructions", /\.md$/), standingRule),
        ...each(both(files, "RULES.md"), stickyRule),
      ],
      agent: (files) => each(list(files, "agents", /\.md$/), agent),
      tool: (files) => [
        ...each(list(files, "tools", /\.(?:json|md|ts|js|mjs|sh|bash|py)$/), tool),
        ...each(indexIn(files, both(files, "tools")), tool),
      ],
      hook: hookFiles,
      extension: extensions,
      mcp: (files) => each([...both(files, "mcp.json"), ...both(files, ".mcp.json")], mcpServers),
      lsp: (files) =>
        each(
          ["lsp.json", "lsp.yml", "lsp.yaml"].flatMap((file) => both(files, file)),
          languageServers,
        ),
      theme: (files) => each(list(files, "themes", /\.json$/), theme),
    },
  };
}

export const pith = native({ name: "pith", title: "pith", priority: 100 }, ".pith", ({ place }) => place.home);

export const omp = native({ name: "omp", title: "oh-my-pi", priority: 95 }, ".omp", atHome(".omp", "agent"));

export const pi = native(
  { name: "pi", title: "pi", priority: 90 },
  ".pi",
  (files) => files.place.env.PI_CODING_AGENT_DIR || atHome(".pi", "agent")(files),
);
