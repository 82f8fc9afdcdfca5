import { join, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { ConfigFiles } from "../config-files.ts";
import type { ConfigPath } from "../item.ts";
import { sourceOf } from "../layout.ts";
import { listIn } from "../parse.ts";
import { listedHooks, mcpServers } from "../read/late.ts";
import { addedContext, agent, context, promptTemplate, rule, skill } from "../read/words.ts";

/** Finds files in the folders that a variable names. */
const named = (files: ConfigFiles, ...names: string[]): ConfigPath[] =>
  (listIn(files.place.env.COPILOT_CUSTOM_INSTRUCTIONS_DIRS) ?? [])
    .map((folder) => resolve(files.place.cwd, expandHome(folder, files.place.userHome)))
    .flatMap((folder) => files.user(folder, ...names).map((at) => ({ ...at, folder })));

export const github = sourceOf({
  name: "github",
  title: "GitHub Copilot",
  priority: 30,
  folders: [".github"],
  home: ({ env, userHome }) => env.COPILOT_HOME || join(userHome, ".copilot"),
})({
  context: [
    [context, "all:copilot-instructions.md"],
    [addedContext, (files) => named(files, "AGENTS.md")],
  ],
  skill: [[skill, "all:skills/*/SKILL.md"]],
  prompt: [[promptTemplate, "both:prompts/*.prompt.md"]],
  rule: [
    [
      rule,
      "both:instructions/**/*.instructions.md",
      (files) => files.list(named(files, ".github", "instructions"), /\.instructions\.md$/, 3),
    ],
  ],
  agent: [[agent, "both:agents/*.md", "near:.github/chatmodes/*.chatmode.md"]],
  hook: [[listedHooks, "both:hooks/*.json"]],
  mcp: [[mcpServers, "near:.github/mcp.json", "own:mcp-config.json"]],
});
