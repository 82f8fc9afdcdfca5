import { join, relative } from "node:path";
import { isRecord } from "@pith/kit";
import { type ConfigFiles, each } from "../config-files.ts";
import { extensions, indexIn, sourceOf } from "../layout.ts";
import {
  claudeHooks,
  hookFile,
  languageServers,
  listedHooks,
  mcpServers,
  ownHookFile,
  ownHooks,
  ownTool,
  permissions,
  serversIn,
  sshConfig,
  sshHosts,
  theme,
  tool,
} from "../read/late.ts";
import {
  addedContext,
  agent,
  claudeTemplate,
  context,
  promptTemplate,
  rule,
  skill,
  standingRule,
  stickyRule,
  system,
  template,
  tomlAgent,
} from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

type Home = (place: ConfigFiles["place"]) => string;

const hookFiles = [hookFile, "both:hooks/pre/*", "both:hooks/post/*"] as const;

/** Makes the source of a product with the layout that pith shares with the agents it comes after. */
const native = (name: string, title: string, priority: number, home: Home): ConfigSource =>
  sourceOf({ name, title, priority, folders: [`.${name}`], home })({
    context: [[context, "all:AGENTS.md"]],
    system: [[system, "both:SYSTEM.md", "both:APPEND_SYSTEM.md", "both:TITLE_SYSTEM.md"]],
    skill: [[skill, "all:skills/*/SKILL.md"]],
    command: [[template, "both:commands/*.md"]],
    prompt: [[promptTemplate, "both:prompts/*.md"]],
    rule: [
      [rule, "both:rules/*.{md,mdc}"],
      [standingRule, "both:instructions/*.md"],
      [stickyRule, "both:RULES.md"],
    ],
    agent: [[agent, "both:agents/*.md"]],
    tool: [
      [name === "pith" ? ownTool : tool, "both:tools/*.{json,md,ts,js,mjs,sh,bash,py}"],
      (files, at) => each(indexIn(files, at("both:tools")), tool),
    ],
    hook:
      name === "pith"
        ? [
            [ownHooks, "both:hooks.yml"],
            [ownHookFile, "both:hooks/pre/*", "both:hooks/post/*"],
          ]
        : [hookFiles],
    extension: [extensions],
    mcp: [[mcpServers, "both:mcp.json", "both:.mcp.json"]],
    lsp: [[languageServers, "both:lsp.json", "both:lsp.yml", "both:lsp.yaml"]],
    theme: [[theme, "both:themes/*.json"]],
  });

export const pith = native("pith", "pith", 100, ({ home }) => home);
export const omp = native("omp", "oh-my-pi", 95, ({ userHome }) => join(userHome, ".omp", "agent"));
export const pi = native("pi", "pi", 90, (place) => place.env.PI_CODING_AGENT_DIR || join(place.userHome, ".pi/agent"));

/** Instructions for all agents; they come before those for one of them. */
export const agentsMd = sourceOf({ name: "agents-md", title: "AGENTS.md", priority: 85 })({
  context: [[context, "each:AGENTS.override.md", "each:AGENTS.md"]],
});

/** Reads the user's own servers, and those added for this project. */
const ownServers = serversIn(({ mcpServers, projects }, { folder }) => {
  const project = isRecord(projects) ? projects[folder] : undefined;
  return { ...(isRecord(mcpServers) && mcpServers), ...(isRecord(project) && (project.mcpServers as object)) };
});

export const claude = sourceOf({
  name: "claude",
  title: "Claude Code",
  priority: 80,
  folders: [".claude"],
  home: ({ env }) => env.CLAUDE_CONFIG_DIR,
})({
  context: [
    [context, "each:CLAUDE.md", "each:.claude/CLAUDE.md", "own:CLAUDE.md"],
    // Instructions of one person, beside those for all.
    [addedContext, "each:CLAUDE.local.md"],
  ],
  system: [[system, "both:SYSTEM.md"]],
  skill: [[skill, "all:skills/*/SKILL.md"]],
  command: [[claudeTemplate, "both:commands/**/*.md"]],
  rule: [[standingRule, "both:rules/**/*.md"]],
  agent: [[agent, "both:agents/**/*.md"]],
  tool: [[tool, "both:tools/*.{ts,js,sh,py,json,md}"]],
  hook: [[claudeHooks, "both:settings.local.json", "both:settings.json"], hookFiles],
  permission: [[permissions, "both:settings.local.json", "both:settings.json"]],
  extension: [extensions],
  mcp: [
    [mcpServers, "both:.mcp.json", "both:mcp.json"],
    [ownServers, (files) => files.inHome(".claude.json").map((at) => ({ ...at, folder: files.place.root }))],
  ],
});

export const codex = sourceOf({
  name: "codex",
  title: "Codex",
  priority: 70,
  folders: [".codex"],
  home: ({ env }) => env.CODEX_HOME,
})({
  context: [[context, "own:AGENTS.override.md", "own:AGENTS.md"]],
  skill: [[skill, "all:skills/*/SKILL.md"]],
  command: [[template, "both:commands/*.md"]],
  prompt: [[promptTemplate, "both:prompts/*.md"]],
  agent: [
    [tomlAgent, "both:agents/*.toml"],
    [agent, "both:agents/*.md"],
  ],
  tool: [[tool, "both:tools/*.{ts,js,sh,py,json,md}"]],
  hook: [
    [claudeHooks, "both:hooks.json", "both:config.toml"],
    hookFiles,
    [hookFile, "both:hooks/{pre,post}-*.{ts,js}"],
  ],
  extension: [extensions],
  mcp: [[serversIn(({ mcp_servers }) => mcp_servers), "both:config.toml"]],
});

/** Folders that several products read. */
export const agents = sourceOf({
  name: "agents",
  title: ".agents",
  priority: 70,
  folders: [".agents", ".agent"],
})({
  context: [[context, "all:AGENTS.md"]],
  system: [[system, "all:SYSTEM.md"]],
  skill: [[skill, "all:skills/*/SKILL.md"]],
  command: [[template, "all:commands/*.md"]],
  prompt: [[promptTemplate, "all:prompts/*.md"]],
  rule: [[rule, "all:rules/*.{md,mdc}"]],
  agent: [[agent, "all:agents/*.md"]],
});

export const cursor = sourceOf({
  name: "cursor",
  title: "Cursor",
  priority: 50,
  folders: [".cursor"],
})({
  skill: [[skill, "all:skills/*/SKILL.md"]],
  command: [[template, "both:commands/*.md"]],
  rule: [
    [rule, "both:rules/**/*.{md,mdc}"],
    [standingRule, "near:.cursorrules"],
  ],
  agent: [[agent, "both:agents/*.md"]],
  hook: [[listedHooks, "both:hooks.json"]],
  mcp: [[mcpServers, "both:mcp.json"]],
});

export const windsurf = sourceOf({
  name: "windsurf",
  title: "Windsurf",
  priority: 45,
  folders: [".windsurf"],
  home: ({ userHome }) => join(userHome, ".codeium", "windsurf"),
})({
  skill: [[skill, "all:skills/*/SKILL.md"]],
  command: [[template, "both:workflows/*.md", "both:global_workflows/*.md"]],
  rule: [
    [rule, "near:.windsurf/rules/*.md"],
    [standingRule, "near:.windsurfrules", "home:.codeium/windsurf/memories/global_rules.md"],
  ],
  hook: [[listedHooks, "both:hooks.json"]],
  mcp: [[mcpServers, "both:mcp_config.json"]],
});

export const cline = sourceOf({ name: "cline", title: "Cline", priority: 40 })({
  skill: [
    [skill, "each:.cline/skills/*/SKILL.md", "each:.clinerules/skills/*/SKILL.md", "home:.cline/skills/*/SKILL.md"],
  ],
  command: [[template, "near:.clinerules/workflows/*.md", "home:Documents/Cline/Workflows/*.md"]],
  // A file, or a folder of files.
  rule: [
    (files, at) => {
      const found = [...at("near:.clinerules/**/*.{md,txt}"), ...at("home:Documents/Cline/Rules/**/*.{md,txt}")];
      const others = /^(?:workflows|hooks|skills)\//;
      const rules = found.filter(({ path, base = "" }) => !others.test(relative(base, path)));
      return each([...rules, ...at("near:.clinerules").filter((one) => files.isFile(one))], standingRule);
    },
  ],
  mcp: [
    [
      mcpServers,
      "home:.cline/data/settings/cline_mcp_settings.json",
      "code:globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ],
  ],
});

const codeServers = serversIn(({ servers, mcp, mcpServers }) => servers ?? (isRecord(mcp) ? mcp.servers : mcpServers));

export const vscode = sourceOf({ name: "vscode", title: "VS Code", priority: 20 })({
  prompt: [[promptTemplate, "code:prompts/*.prompt.md"]],
  rule: [[rule, "code:prompts/*.instructions.md"]],
  agent: [[agent, "code:prompts/*.{agent,chatmode}.md"]],
  mcp: [[codeServers, "near:.vscode/mcp.json", "code:mcp.json", "home:.vscode/mcp.json"]],
});

export const mcpJson = sourceOf({ name: "mcp-json", title: ".mcp.json", priority: 8 })({
  mcp: [[mcpServers, "near:.mcp.json", "near:mcp.json"]],
});

export const ssh = sourceOf({ name: "ssh", title: "ssh", priority: 5, home: ({ home }) => home })({
  ssh: [
    [sshHosts, "near:.pith/ssh.json", "near:.omp/ssh.json", "near:ssh.json", "near:.ssh.json"],
    [sshHosts, "own:ssh.json", "home:.omp/agent/ssh.json"],
    [sshConfig, "home:.ssh/config"],
  ],
});
