// Configuration that several products read.

import { type ConfigFiles, each } from "../config-files.ts";
import type { ConfigPath } from "../item.ts";
import { skillsIn } from "../layout.ts";
import { mcpServers } from "../read/things.ts";
import { agent, context, promptTemplate, rule, system, template } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

/** Every `.agents` (or `.agent`) up to the root of the repository, then the user's. */
const all = (files: ConfigFiles, ...names: string[]): ConfigPath[] => [
  ...[".agents", ".agent"].flatMap((folder) => files.everywhere(folder, ...names)),
  ...[".agents", ".agent"].flatMap((folder) => files.inHome(folder, ...names)),
];

export const agents: ConfigSource = {
  name: "agents",
  title: ".agents",
  priority: 70,
  finds: {
    context: (files) => each(all(files, "AGENTS.md"), context),
    system: (files) => each(all(files, "SYSTEM.md"), system),
    skill: (files) => skillsIn(files, all(files, "skills")),
    command: (files) => each(files.list(all(files, "commands"), /\.md$/), template),
    prompt: (files) => each(files.list(all(files, "prompts"), /\.md$/), promptTemplate),
    rule: (files) => each(files.list(all(files, "rules"), /\.mdc?$/), rule),
    agent: (files) => each(files.list(all(files, "agents"), /\.md$/), agent),
  },
};

/** Instructions for all agents; they come before those for one of them. */
export const agentsMd: ConfigSource = {
  name: "agents-md",
  title: "AGENTS.md",
  priority: 85,
  finds: {
    context: (files) =>
      each(
        ["AGENTS.override.md", "AGENTS.md"].flatMap((file) => files.everywhere(file)),
        context,
      ),
  },
};

export const mcpJson: ConfigSource = {
  name: "mcp-json",
  title: ".mcp.json",
  priority: 8,
  finds: { mcp: (files) => each([...files.nearest(".mcp.json"), ...files.nearest("mcp.json")], mcpServers) },
};
