import { afterAll, expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { found, md, servers, skill } from "../test/found.ts";
import type { Item } from "./item.ts";
import { kindNames, kinds } from "./kind/kind.ts";
import { sources } from "./sources.ts";

const dir = scratch(afterAll);

/** Everything that each source is known to keep, by the path it keeps it at. */
const layouts: Record<string, { files: Record<string, string>; finds: string[] }> = {
  pith: nativeLayout("work/.pith", "home/.pith"),
  omp: nativeLayout("work/.omp", "home/.omp/agent"),
  pi: nativeLayout("work/.pi", "home/.pi/agent"),
  claude: {
    files: {
      "work/CLAUDE.md": "Project.",
      "work/CLAUDE.local.md": "Mine.",
      "home/.claude/CLAUDE.md": "User.",
      "work/.claude/skills/a/SKILL.md": skill("a"),
      "home/.claude/skills/b/SKILL.md": skill("b"),
      "work/.claude/commands/deep/c.md": "Look at $1",
      "work/.claude/rules/r.md": md("paths:\n  - src/**/*.ts"),
      "work/.claude/agents/d.md": md("name: d\ndescription: x"),
      "work/.claude/settings.json":
        '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./x"}]}]}}',
      "work/.claude/mcp.json": servers("e"),
      "home/.claude.json": servers("f"),
      "work/.claude/tools/t.ts": "export {}",
      "home/.claude/SYSTEM.md": "Be.",
    },
    finds: [
      ...[
        "context CLAUDE.md project",
        "context CLAUDE.local.md project",
        "context CLAUDE.md user",
        "skill a project",
        "skill b user",
      ],
      ...["command deep:c project", "rule r project", "agent d project", "hook PreToolUse:Bash:./x project"],
      ...["mcp e project", "mcp f user", "tool t project", "system SYSTEM.md user"],
    ],
  },
  "claude-plugins": {
    files: {
      "home/.claude/plugins/installed_plugins.json": JSON.stringify({
        version: 2,
        plugins: { "p@m": [{ scope: "user", installPath: dir.at("claude-plugins/plug") }] },
      }),
      "plug/.claude-plugin/plugin.json": '{"name":"p","commands":["./more"]}',
      "plug/more/a.md": "A.",
      "plug/skills/b/SKILL.md": skill("b"),
      "plug/agents/c.md": md("name: c\ndescription: x"),
      "plug/.mcp.json": `{"d":{"command":"$\{CLAUDE_PLUGIN_ROOT}/d"}}`,
      "plug/hooks/hooks.json": '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"e"}]}]}}',
      "plug/.lsp.json": '{"f":{"command":"f","extensionToLanguage":{".f":"f"}}}',
    },
    finds: ["command a user", "skill b user", "agent c user", "mcp d user", "hook Stop:*:e user", "lsp f user"],
  },
  codex: {
    files: {
      "home/.codex/AGENTS.md": "User.",
      "work/.codex/skills/a/SKILL.md": skill("a"),
      "home/.codex/prompts/b.md": "B $1",
      "work/.codex/config.toml": '[mcp_servers.c]\ncommand = "c"\nargs = ["x"]\nstartup_timeout_sec = 5\n',
      "work/.codex/commands/d.md": "D.",
      "work/.codex/agents/e.toml": 'name = "e"\ndescription = "x"\ndeveloper_instructions = "Be e."\n',
      "work/.codex/hooks.json": '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"h"}]}]}}',
    },
    finds: [
      ...["context AGENTS.md user", "skill a project", "prompt b user", "mcp c project", "command d project"],
      ...["agent e project", "hook Stop:*:h project"],
    ],
  },
  agents: {
    files: {
      "work/.agents/skills/a/SKILL.md": skill("a"),
      "home/.agent/rules/b.md": "B.",
      "work/.agent/prompts/c.md": "C.",
      "work/.agents/commands/d.md": "D.",
      "home/.agents/AGENTS.md": "User.",
      "work/.agents/SYSTEM.md": "Be.",
    },
    finds: [
      ...["skill a project", "rule b user", "prompt c project", "command d project", "context AGENTS.md user"],
      "system SYSTEM.md project",
    ],
  },
  gemini: {
    files: {
      "home/.gemini/GEMINI.md": "User.",
      "work/.gemini/commands/git/a.toml": 'prompt = """Do {{args}}"""\ndescription = "x"\n',
      "work/CONTEXT.md": "By another name.",
      "work/.gemini/settings.json":
        '{\n// ours\n"context":{"fileName":["CONTEXT.md"]},"mcpServers":{"b":{"httpUrl":"https://x.test"}}}',
      "home/.gemini/extensions/c/gemini-extension.json":
        '{"name":"c","contextFileName":"C.md","mcpServers":{"d":{"command":"d"}}}',
      "home/.gemini/extensions/c/C.md": "What c is for.",
      "work/.gemini/system.md": "Be.",
    },
    finds: [
      ...[
        "context CONTEXT.md project",
        "context C.md user",
        "context GEMINI.md user",
        "command git:a project",
        "mcp b project",
      ],
      ...["extension c user", "mcp d user", "system system.md project"],
    ],
  },
  cursor: {
    files: {
      "work/.cursor/rules/deep/a.mdc": md("description: x\nglobs: *.md,src/**\nalwaysApply: false"),
      "work/.cursor/rules/folder/RULE.md": md("description: y"),
      "work/.cursorrules": "Be kind.",
      "home/.cursor/mcp.json": servers("b"),
      "work/.cursor/commands/c.md": "C.",
      "work/.cursor/hooks.json": '{"version":1,"hooks":{"beforeShellExecution":[{"command":"h"}]}}',
    },
    finds: [
      ...["rule deep:a project", "rule folder project", "rule cursorrules project", "mcp b user", "command c project"],
      "hook beforeShellExecution:*:h project",
    ],
  },
  opencode: {
    files: {
      "home/.config/opencode/AGENTS.md": "User.",
      "work/opencode.json":
        '{"mcp":{"a":{"type":"local","command":["run","x"]}},"lsp":{"l":{"command":["l"],"extensions":[".l"]}},' +
        '"command":{"b":{"template":"B $1","description":"x"}},"agent":{"c":{"description":"x","prompt":"Be c."}},' +
        '"instructions":["HOW.md","packages/*/rules/*.md","**/style.md","gone.md","https://x.test/a.md"]}',
      "work/HOW.md": "How.",
      "work/packages/one/rules/r.md": "One.",
      "work/docs/style.md": "Style.",
      "work/node_modules/x/style.md": "Not ours.",
      "work/.opencode/command/d.md": "D.",
      "home/.config/opencode/skills/e/SKILL.md": skill("e"),
      "work/.opencode/plugin/f.ts": "export {}",
      "work/.opencode/agent/g.md": md("description: x"),
      "work/.opencode/themes/h.json": "{}",
    },
    finds: [
      ...["context AGENTS.md user", "mcp a project", "lsp l project", "command b project", "agent c project"],
      ...["context HOW.md project", "context packages/one/rules/r.md project", "context docs/style.md project"],
      ...["command d project", "skill e user", "extension f project", "agent g project", "theme h project"],
    ],
  },
  github: {
    files: {
      "work/.github/copilot-instructions.md": "Project.",
      "work/.github/instructions/a.instructions.md": md('applyTo: "**/*.ts,**/*.tsx"'),
      "work/.github/prompts/b.prompt.md": "B.",
      "work/.github/agents/c.agent.md": md("description: x"),
      "work/.github/chatmodes/f.chatmode.md": md("description: x"),
      "home/team/AGENTS.md": "The team.",
      "home/team/.github/instructions/g.instructions.md": md('applyTo: "**/*.go"'),
      "work/.github/skills/d/SKILL.md": skill("d"),
      "home/.copilot/mcp-config.json": servers("e"),
      "work/.github/hooks/h.json":
        '{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"h","timeoutSec":3}]}}',
    },
    finds: [
      ...["context copilot-instructions.md project", "rule a project", "prompt b project", "agent c project"],
      ...["skill d project", "mcp e user", "hook preToolUse:*:h project", "agent f project"],
      ...["context AGENTS.md user", "rule g user"],
    ],
  },
  vscode: {
    files: {
      "work/.vscode/mcp.json": '{"servers":{"a":{"type":"http","url":"https://x.test"}}}',
      "home/.config/Code/User/mcp.json": '{"servers":{"b":{"command":"b"}}}',
      "home/.config/Code/User/prompts/c.prompt.md": "C.",
      "home/.config/Code/User/prompts/d.instructions.md": md('applyTo: "*.go"'),
    },
    finds: ["mcp a project", "mcp b user", "prompt c user", "rule d user"],
  },
  windsurf: {
    files: {
      "work/.windsurf/rules/a.md": md("trigger: glob\nglobs: '*.ts'"),
      "work/.windsurfrules": "Be kind.",
      "home/.codeium/windsurf/memories/global_rules.md": "Be kinder.",
      "home/.codeium/windsurf/mcp_config.json": servers("b"),
      "work/.windsurf/workflows/c.md": "C.",
    },
    finds: [
      ...["rule a project", "rule windsurfrules project", "rule global_rules user", "mcp b user", "command c project"],
    ],
  },
  cline: {
    files: {
      "work/.clinerules/a.md": "A.",
      "work/.clinerules/deep/d.md": "D.",
      "work/.clinerules/workflows/b.md": "B.",
      "home/.cline/skills/c/SKILL.md": skill("c"),
      "home/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json": servers("e"),
    },
    finds: ["rule a project", "rule deep:d project", "command b project", "skill c user", "mcp e user"],
  },
  "agents-md": {
    files: { "work/AGENTS.md": "Project." },
    finds: ["context AGENTS.md project"],
  },
  "mcp-json": { files: { "work/.mcp.json": servers("a") }, finds: ["mcp a project"] },
  ssh: {
    files: {
      "work/ssh.json": '{"hosts":{"a":{"host":"a.test","port":"22"}}}',
      "home/.ssh/config": "Host *\n  User x\nHost b c\n  HostName b.test\n  Port 2222\n",
    },
    finds: ["ssh a project", "ssh b user", "ssh c user"],
  },
};

function nativeLayout(project: string, user: string) {
  return {
    files: {
      [`${project}/AGENTS.md`]: "Project.",
      [`${user}/AGENTS.md`]: "User.",
      [`${project}/SYSTEM.md`]: "Be.",
      [`${user}/APPEND_SYSTEM.md`]: "Too.",
      [`${project}/TITLE_SYSTEM.md`]: "Title.",
      [`${project}/skills/a/SKILL.md`]: skill("a"),
      [`${user}/skills/b/SKILL.md`]: skill("b"),
      [`${project}/commands/c.md`]: "C.",
      [`${user}/prompts/d.md`]: "D.",
      [`${project}/rules/e.mdc`]: md("description: x"),
      [`${project}/RULES.md`]: md("alwaysApply: false", "Always."),
      [`${user}/RULES.md`]: "Always, everywhere.",
      [`${project}/instructions/i.md`]: "Always too.",
      [`${project}/agents/f.md`]: md("name: f\ndescription: x\ntools: read, task"),
      [`${project}/tools/g.ts`]: "export {}",
      [`${project}/tools/g2/index.ts`]: "export {}",
      [`${project}/hooks/pre/bash.ts`]: "export {}",
      [`${project}/extensions/h.ts`]: "export {}",
      [`${project}/extensions/h2/package.json`]: '{"pi":{"extensions":["./src/x.ts"]}}',
      [`${user}/mcp.json`]: servers("m"),
      [`${project}/lsp.json`]: '{"servers":{"l":{"command":"l","fileTypes":["l"]}}}',
      [`${user}/themes/t.json`]: '{"name":"t"}',
    },
    finds: [
      ...["context AGENTS.md project", "context AGENTS.md user", "system SYSTEM.md project"],
      ...["system APPEND_SYSTEM.md user", "system TITLE_SYSTEM.md project", "skill a project", "skill b user"],
      ...["command c project", "prompt d user", "rule e project", "rule i project", "rule RULES:project project"],
      "rule RULES user",
      ...["agent f project", "tool g project", "tool g2 project", "hook pre:bash:bash.ts project"],
      ...["extension h project", "extension h2 project", "mcp m user", "lsp l project", "theme t user"],
    ],
  };
}

for (const { name } of sources.filter((source) => source.brings === undefined))
  test(`all that ${name} keeps is found`, () => {
    const layout = layouts[name];
    if (!layout) throw new Error(`no fixture for ${name}`);
    dir.write(Object.fromEntries(Object.entries(layout.files).map(([path, text]) => [`${name}/${path}`, text])));
    const capabilities = found({ write: dir.write, at: (...names) => dir.at(name, ...names) });
    const all = kindNames
      .flatMap((kind) => capabilities.of(kind).all as Item[])
      .filter(({ source }) => source !== "builtin");
    expect(all.map((item) => `${item.kind} ${item.name} ${item.level}`).sort()).toEqual(layout.finds.sort());
    expect(all.filter(({ source }) => source !== name)).toEqual([]);
    for (const item of all) {
      const { executes } = kinds[item.kind];
      expect([item.name, item.state]).toEqual([
        item.name,
        executes === true && item.level === "project" ? "untrusted" : item.state,
      ]);
      expect(["active", "untrusted"]).toContain(item.state);
    }
    expect(kindNames.flatMap((kind) => capabilities.of(kind).warnings)).toEqual([]);
  });
