import type { ConfigSource } from "./registry.ts";
import { builtin } from "./source/builtin.ts";
import { claude } from "./source/claude.ts";
import { claudePlugins } from "./source/claude-plugins.ts";
import { cline } from "./source/cline.ts";
import { codex } from "./source/codex.ts";
import { cursor } from "./source/cursor.ts";
import { gemini } from "./source/gemini.ts";
import { github } from "./source/github.ts";
import { opencode } from "./source/opencode.ts";
import { omp, pi, pith } from "./source/pith.ts";
import { agents, agentsMd, mcpJson } from "./source/shared.ts";
import { ssh } from "./source/ssh.ts";
import { vscode } from "./source/vscode.ts";
import { windsurf } from "./source/windsurf.ts";

/** All sources of configuration. */
export const sources: readonly ConfigSource[] = [
  ...[pith, omp, pi, agentsMd, claude, claudePlugins, codex, agents, gemini],
  ...[opencode, cursor, windsurf, cline, github, vscode, mcpJson, ssh, builtin],
];
