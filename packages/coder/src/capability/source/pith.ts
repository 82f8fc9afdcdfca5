import { atHome, indexIn, layout } from "../layout.ts";
import { each, type Look } from "../look.ts";
import { languageServers, mcpServers, theme, tool } from "../read/things.ts";
import { agent, context, promptTemplate, rule, standingRule, stickyRule, system, template } from "../read/words.ts";
import type { Source } from "../registry.ts";

/** Makes the source of a product with the layout that pith shares with the agents it comes after. */
function native(
  about: Pick<Source, "name" | "title" | "priority">,
  folder: string,
  home: (look: Look) => string,
): Source {
  const { both, all, files, skills, extensions, hookFiles } = layout(folder, home);
  return {
    ...about,
    finds: {
      context: (look) => each(all(look, "AGENTS.md"), context),
      system: (look) =>
        each(
          ["SYSTEM.md", "APPEND_SYSTEM.md", "TITLE_SYSTEM.md"].flatMap((file) => both(look, file)),
          system,
        ),
      skill: skills,
      command: (look) => each(files(look, "commands", /\.md$/), template),
      prompt: (look) => each(files(look, "prompts", /\.md$/), promptTemplate),
      rule: (look) => [
        ...each(files(look, "rules", /\.mdc?$/), rule),
        ...each(files(look, "instructions", /\.md$/), standingRule),
        ...each(both(look, "RULES.md"), stickyRule),
      ],
      agent: (look) => each(files(look, "agents", /\.md$/), agent),
      tool: (look) => [
        ...each(files(look, "tools", /\.(?:json|md|ts|js|mjs|sh|bash|py)$/), tool),
        ...each(indexIn(look, both(look, "tools")), tool),
      ],
      hook: hookFiles,
      extension: extensions,
      mcp: (look) => each([...both(look, "mcp.json"), ...both(look, ".mcp.json")], mcpServers),
      lsp: (look) =>
        each(
          ["lsp.json", "lsp.yml", "lsp.yaml"].flatMap((file) => both(look, file)),
          languageServers,
        ),
      theme: (look) => each(files(look, "themes", /\.json$/), theme),
    },
  };
}

export const pith = native({ name: "pith", title: "pith", priority: 100 }, ".pith", ({ place }) => place.home);

export const omp = native({ name: "omp", title: "oh-my-pi", priority: 95 }, ".omp", atHome(".omp", "agent"));

export const pi = native(
  { name: "pi", title: "pi", priority: 90 },
  ".pi",
  (look) => look.place.env.PI_CODING_AGENT_DIR || atHome(".pi", "agent")(look),
);
