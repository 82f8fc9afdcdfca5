import { dirname, join, matchesGlob, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import { type ConfigFiles, each } from "../config-files.ts";
import type { ConfigPath } from "../item.ts";
import { skillsIn } from "../layout.ts";
import { listIn } from "../parse.ts";
import { agentsIn, extension, languagesIn, serversIn, templatesIn, theme, tool } from "../read/things.ts";
import { addedContext, agent, claudeTemplate, context } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const home = ({ place: { env, userHome } }: ConfigFiles) =>
  env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(userHome, ".config"), "opencode");
/** Finds folders by several names, because some have a plural. */
const both = (files: ConfigFiles, ...names: string[]): ConfigPath[] =>
  names.flatMap((name) => [...files.nearest(".opencode", name), ...files.user(home(files), name)]);
/** Finds its configuration, the strongest first: in `.opencode`, beside it, the user's. */
const config = (files: ConfigFiles): ConfigPath[] =>
  ["opencode.jsonc", "opencode.json"].flatMap((file) => [
    ...files.nearest(".opencode", file),
    ...files.nearest(file),
    ...files.user(home(files), file),
  ]);
/** Finds the files that `instructions` names, by paths and patterns relative to the configuration. */
const instructed = (files: ConfigFiles): ConfigPath[] =>
  config(files).flatMap((at) => {
    const folder = at.level === "user" ? dirname(at.path) : at.folder;
    return (listIn(files.fields(at).instructions) ?? []).flatMap((named) => {
      const path = resolve(folder, expandHome(named, files.place.userHome));
      const all = /[*?[{]/.test(path) ? matching(files, { ...at, path }) : files.below({ ...at, path });
      return all.map((found) => ({ ...found, folder }));
    });
  });

/** Finds files by a pattern, below the part of it without wildcards, at most three folders deep. */
function matching(files: ConfigFiles, at: ConfigPath): ConfigPath[] {
  const [plain = ""] = /^[^*?[{]*(?=\/)/.exec(at.path) ?? [];
  const depth = at.path.includes("**") ? 3 : at.path.slice(plain.length).split("/").length - 2;
  return files.list([{ ...at, path: plain }], /./, depth).filter(({ path }) => matchesGlob(path, at.path));
}

const servers = serversIn(({ mcp }) => mcp);
const languages = languagesIn(({ lsp }) => lsp);
const commands = templatesIn(({ command }) => command);
const agents = agentsIn(({ agent }) => agent);

export const opencode: ConfigSource = {
  name: "opencode",
  title: "opencode",
  priority: 55,
  finds: {
    context: (files) => [
      ...each(files.user(home(files), "AGENTS.md"), context),
      ...each(instructed(files), addedContext),
    ],
    skill: (files) =>
      skillsIn(files, [
        ...["skills", "skill"].flatMap((name) => files.everywhere(".opencode", name)),
        ...["skills", "skill"].flatMap((name) => files.user(home(files), name)),
      ]),
    command: (files) => [
      ...each(files.list(both(files, "commands", "command"), /\.md$/, 3), claudeTemplate),
      ...each(config(files), commands),
    ],
    agent: (files) => [
      ...each(files.list(both(files, "agents", "agent"), /\.md$/, 3), agent),
      ...each(config(files), agents),
    ],
    tool: (files) => each(files.list(both(files, "tools", "tool"), /\.[tj]s$/), tool),
    extension: (files) => each(files.list(both(files, "plugins", "plugin"), /\.[tj]s$/), extension),
    mcp: (files) => each(config(files), servers),
    lsp: (files) => each(config(files), languages),
    theme: (files) => each(files.list(both(files, "themes"), /\.json$/), theme),
  },
};
