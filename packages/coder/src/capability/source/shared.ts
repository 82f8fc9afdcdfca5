// Configuration that several products read.
import type { Spot } from "../item.ts";
import { skillsIn } from "../layout.ts";
import { each, type Look } from "../look.ts";
import { mcpServers } from "../read/things.ts";
import { agent, context, promptTemplate, rule, system, template } from "../read/words.ts";
import type { Source } from "../registry.ts";

/** Every `.agents` (or `.agent`) up to the root of the repository, then the user's. */
const all = (look: Look, ...names: string[]): Spot[] => [
  ...[".agents", ".agent"].flatMap((folder) => look.everywhere(folder, ...names)),
  ...[".agents", ".agent"].flatMap((folder) => look.athome(folder, ...names)),
];

export const agents: Source = {
  name: "agents",
  title: ".agents",
  priority: 70,
  finds: {
    context: (look) => each(all(look, "AGENTS.md"), context),
    system: (look) => each(all(look, "SYSTEM.md"), system),
    skill: (look) => skillsIn(look, all(look, "skills")),
    command: (look) => each(look.files(all(look, "commands"), /\.md$/), template),
    prompt: (look) => each(look.files(all(look, "prompts"), /\.md$/), promptTemplate),
    rule: (look) => each(look.files(all(look, "rules"), /\.mdc?$/), rule),
    agent: (look) => each(look.files(all(look, "agents"), /\.md$/), agent),
  },
};

/** Instructions for all agents; they come before those for one of them. */
export const agentsMd: Source = {
  name: "agents-md",
  title: "AGENTS.md",
  priority: 85,
  finds: {
    context: (look) =>
      each(
        ["AGENTS.override.md", "AGENTS.md"].flatMap((file) => look.everywhere(file)),
        context,
      ),
  },
};

export const mcpJson: Source = {
  name: "mcp-json",
  title: ".mcp.json",
  priority: 8,
  finds: { mcp: (look) => each([...look.nearest(".mcp.json"), ...look.nearest("mcp.json")], mcpServers) },
};
