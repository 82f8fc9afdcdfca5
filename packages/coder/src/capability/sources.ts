import type { ConfigSource } from "./registry.ts";
import { builtin } from "./source/builtin.ts";
import { claudePlugins } from "./source/claude-plugins.ts";
import { gemini } from "./source/gemini.ts";
import { github } from "./source/github.ts";
import { opencode } from "./source/opencode.ts";
import {
  agents,
  agentsMd,
  claude,
  cline,
  codex,
  cursor,
  mcpJson,
  omp,
  pi,
  pith,
  ssh,
  vscode,
  windsurf,
} from "./source/products.ts";

/** All sources of configuration. */
export const sources: readonly ConfigSource[] = [
  ...[pith, omp, pi, agentsMd, claude, claudePlugins, codex, agents, gemini],
  ...[opencode, cursor, windsurf, cline, github, vscode, mcpJson, ssh, builtin],
];
