import { join } from "node:path";
import { isInside, isRecord } from "@pith/kit";
import { type ConfigFiles, each } from "../config-files.ts";
import type { ConfigPath, Reader } from "../item.ts";
import type { CapabilityKind } from "../kind/kind.ts";
import { listIn, textIn } from "../parse.ts";
import { claudeHooks, languagesIn, mcpServers, serversIn, tool } from "../read/late.ts";
import { agent, claudeTemplate, rule, skill } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

/** Plugins of Claude Code that the user has installed: each is a folder with the layout of `.claude`. */
export const claudePlugins: ConfigSource = {
  name: "claude-plugins",
  title: "Claude Code plugins",
  priority: 71,
  finds: {
    skill: (files) =>
      each(
        parts(files, "skills", "skills").flatMap((at) => [
          ...files.below(at, "SKILL.md"),
          ...files.listFolders([at]).flatMap((folder) => files.below(folder, "SKILL.md")),
        ]),
        skill,
      ),
    command: (files) => each(mdFiles(files, parts(files, "commands", "commands")), claudeTemplate),
    rule: (files) => each(mdFiles(files, parts(files, "rules", "rules")), rule),
    agent: (files) => each(mdFiles(files, parts(files, "agents", "agents")), agent),
    tool: (files) => each(files.list(parts(files, "tools", "tools"), /\.(?:ts|js|sh|py)$/), tool),
    hook: (files) => each(parts(files, "hooks", "hooks/hooks.json"), rootedHooks),
    mcp: (files) => [
      ...each(parts(files, "mcpServers", ".mcp.json"), rootedServers),
      ...each(manifests(files), rootedInline),
    ],
    lsp: (files) => each(parts(files, "lspServers", ".lsp.json"), rootedLanguages),
  },
};

const rootedServers = rooted(serversIn(({ mcpServers, ...rest }) => mcpServers ?? rest));
const rootedInline = rooted(mcpServers);
const rootedHooks: Reader<"hook"> = (text, at) =>
  rooted(claudeHooks)(text, at).map((found) => ({ ...found, data: { ...found.data, plugin: at.folder } }));
const rootedLanguages = rooted(languagesIn(({ lspServers, ...rest }) => lspServers ?? rest));

/** Replaces the variable by which a plugin names its own folder. */
function rooted<K extends CapabilityKind>(read: Reader<K>): Reader<K> {
  return (text, at) => read(text.replaceAll(["$", "{CLAUDE_PLUGIN_ROOT}"].join(""), at.folder), at);
}

/** Returns the paths that manifests name below a key, or the usual one. */
function parts(files: ConfigFiles, key: string, usual: string): ConfigPath[] {
  return roots(files).flatMap((root) => {
    const named = manifestOf(files, root)?.[key];
    if (isRecord(named)) return [];
    const paths = listIn(named)?.map((path) => join(root.path, path)) ?? [];
    const inside = paths.filter((path) => isInside(root.path, path));
    const all = key === "skills" || inside.length === 0 ? [...inside, join(root.path, usual)] : inside;
    return [...new Set(all)].flatMap((path) => files.below({ ...root, path }));
  });
}

const mdFiles = (files: ConfigFiles, spots: readonly ConfigPath[]): ConfigPath[] => [
  ...spots.filter(({ path }) => path.endsWith(".md")),
  ...files.list(
    spots.filter(({ path }) => !path.endsWith(".md")),
    /\.md$/,
    3,
  ),
];

const manifests = (files: ConfigFiles): ConfigPath[] =>
  roots(files).flatMap((root) => files.below(root, ".claude-plugin", "plugin.json"));

function manifestOf(files: ConfigFiles, root: ConfigPath): Readonly<Record<string, unknown>> | undefined {
  const [at] = files.below(root, ".claude-plugin", "plugin.json");
  return at && files.fields(at);
}

/** Returns the folders of plugins that are installed, for all projects or this one, and not switched off. */
function roots(files: ConfigFiles): ConfigPath[] {
  const { env, userHome, cwd } = files.place;
  const home = env.CLAUDE_CONFIG_DIR || join(userHome, ".claude");
  const [registry] = files.user(home, "plugins", "installed_plugins.json");
  const plugins = registry && files.fields(registry).plugins;
  if (!isRecord(plugins)) return [];
  const off = switchedOff(files, home);
  return Object.entries(plugins).flatMap(([id, entries]) =>
    (Array.isArray(entries) ? entries : [entries]).filter(isRecord).flatMap((entry) => {
      const path = textIn(entry.installPath);
      const project = textIn(entry.projectPath);
      if (!path || off.has(id) || (project && !isInside(project, cwd))) return [];
      return files.user(path).map((at) => ({ ...at, folder: at.path }));
    }),
  );
}

function switchedOff(files: ConfigFiles, home: string): ReadonlySet<string> {
  const said = [
    ...files.user(home, "settings.json"),
    ...files.nearest(".claude", "settings.json"),
    ...files.nearest(".claude", "settings.local.json"),
  ].map((at) => files.fields(at).enabledPlugins);
  const merged = Object.assign({}, ...said.filter(isRecord)) as Record<string, unknown>;
  return new Set(Object.keys(merged).filter((id) => merged[id] === false));
}
