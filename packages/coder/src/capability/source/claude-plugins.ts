import { join } from "node:path";
import { isInside, isRecord } from "@pith/kit";
import type { Reader, Spot } from "../item.ts";
import type { Kind } from "../kind/kind.ts";
import { each, type Look } from "../look.ts";
import { listIn, textIn } from "../parse.ts";
import { languagesIn, mcpServers, plainHooks, serversIn, tool } from "../read/things.ts";
import { agent, claudeTemplate, rule, skill } from "../read/words.ts";
import type { Source } from "../registry.ts";

/** Plugins of Claude Code that a user has installed: each is a folder with the layout of `.claude`. */
export const claudePlugins: Source = {
  name: "claude-plugins",
  title: "Claude Code plugins",
  priority: 71,
  finds: {
    skill: (look) =>
      each(
        parts(look, "skills", "skills").flatMap((at) => [
          ...look.below(at, "SKILL.md"),
          ...look.folders([at]).flatMap((folder) => look.below(folder, "SKILL.md")),
        ]),
        skill,
      ),
    command: (look) => each(mdFiles(look, parts(look, "commands", "commands")), claudeTemplate),
    rule: (look) => each(mdFiles(look, parts(look, "rules", "rules")), rule),
    agent: (look) => each(mdFiles(look, parts(look, "agents", "agents")), agent),
    tool: (look) => each(look.files(parts(look, "tools", "tools"), /\.(?:ts|js|sh|py)$/), tool),
    hook: (look) => each(parts(look, "hooks", "hooks/hooks.json"), rooted(plainHooks)),
    mcp: (look) => [
      ...each(parts(look, "mcpServers", ".mcp.json"), rootedServers),
      ...each(manifests(look), rootedInline),
    ],
    lsp: (look) => each(parts(look, "lspServers", ".lsp.json"), rootedLanguages),
  },
};

const rootedServers = rooted(serversIn(({ mcpServers, ...rest }) => mcpServers ?? rest));
const rootedInline = rooted(mcpServers);
const rootedLanguages = rooted(languagesIn(({ lspServers, ...rest }) => lspServers ?? rest));

/** A plugin names its own folder by a variable. */
function rooted<K extends Kind>(read: Reader<K>): Reader<K> {
  return (text, at) => read(text.replaceAll(["$", "{CLAUDE_PLUGIN_ROOT}"].join(""), at.folder), at);
}

/** What a manifest names below a key, or the usual place. */
function parts(look: Look, key: string, usual: string): Spot[] {
  return roots(look).flatMap((root) => {
    const named = manifestOf(look, root)?.[key];
    if (isRecord(named)) return [];
    const paths = listIn(named)?.map((path) => join(root.path, path)) ?? [];
    const inside = paths.filter((path) => isInside(root.path, path));
    const all = key === "skills" || inside.length === 0 ? [...inside, join(root.path, usual)] : inside;
    return [...new Set(all)].flatMap((path) => look.below({ ...root, path }));
  });
}

const mdFiles = (look: Look, spots: readonly Spot[]): Spot[] => [
  ...spots.filter(({ path }) => path.endsWith(".md")),
  ...look.files(
    spots.filter(({ path }) => !path.endsWith(".md")),
    /\.md$/,
    3,
  ),
];

const manifests = (look: Look): Spot[] =>
  roots(look).flatMap((root) => look.below(root, ".claude-plugin", "plugin.json"));

function manifestOf(look: Look, root: Spot): Readonly<Record<string, unknown>> | undefined {
  const [at] = look.below(root, ".claude-plugin", "plugin.json");
  return at && look.fields(at);
}

/** The folders of plugins that are installed, for everybody or for this project, and not switched off. */
function roots(look: Look): Spot[] {
  const { env, userHome, cwd } = look.place;
  const home = env.CLAUDE_CONFIG_DIR || join(userHome, ".claude");
  const [registry] = look.user(home, "plugins", "installed_plugins.json");
  const plugins = registry && look.fields(registry).plugins;
  if (!isRecord(plugins)) return [];
  const off = switchedOff(look, home);
  return Object.entries(plugins).flatMap(([id, entries]) =>
    (Array.isArray(entries) ? entries : [entries]).filter(isRecord).flatMap((entry) => {
      const path = textIn(entry.installPath);
      const project = textIn(entry.projectPath);
      if (!path || off.has(id) || (project && !isInside(project, cwd))) return [];
      return look.user(path).map((at) => ({ ...at, folder: at.path }));
    }),
  );
}

function switchedOff(look: Look, home: string): ReadonlySet<string> {
  const said = [
    ...look.user(home, "settings.json"),
    ...look.nearest(".claude", "settings.json"),
    ...look.nearest(".claude", "settings.local.json"),
  ].map((at) => look.fields(at).enabledPlugins);
  const merged = Object.assign({}, ...said.filter(isRecord)) as Record<string, unknown>;
  return new Set(Object.keys(merged).filter((id) => merged[id] === false));
}
