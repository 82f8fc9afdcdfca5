import { dirname, join, matchesGlob, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { ConfigFiles } from "../config-files.ts";
import type { ConfigPath } from "../item.ts";
import { sourceOf } from "../layout.ts";
import { listIn } from "../parse.ts";
import {
  agentsIn,
  extension,
  languagesIn,
  opencodePermissions,
  serversIn,
  templatesIn,
  theme,
  tool,
} from "../read/late.ts";
import { addedContext, agent, claudeTemplate, context, skill } from "../read/words.ts";

const home = ({ env, userHome }: ConfigFiles["place"]) =>
  env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(userHome, ".config"), "opencode");

/** Finds its configuration, the strongest first: in `.opencode`, beside it, the user's. */
const config = (files: ConfigFiles): ConfigPath[] =>
  ["opencode.jsonc", "opencode.json"].flatMap((file) => [
    ...files.nearest(".opencode", file),
    ...files.nearest(file),
    ...files.user(home(files.place), file),
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

/** Some of its folders also have a plural. */
export const opencode = sourceOf({ name: "opencode", title: "opencode", priority: 55, folders: [".opencode"], home })({
  context: [
    [context, "own:AGENTS.md"],
    [addedContext, instructed],
  ],
  skill: [[skill, "all:skills/*/SKILL.md", "all:skill/*/SKILL.md"]],
  command: [
    [claudeTemplate, "both:commands/**/*.md", "both:command/**/*.md"],
    [templatesIn(({ command }) => command), config],
  ],
  agent: [
    [agent, "both:agents/**/*.md", "both:agent/**/*.md"],
    [agentsIn(({ agent }) => agent), config],
  ],
  tool: [[tool, "both:tools/*.{ts,js}", "both:tool/*.{ts,js}"]],
  extension: [[extension, "both:plugins/*.{ts,js}", "both:plugin/*.{ts,js}"]],
  mcp: [[serversIn(({ mcp }) => mcp), config]],
  permission: [[opencodePermissions, config]],
  lsp: [[languagesIn(({ lsp }) => lsp), config]],
  theme: [[theme, "both:themes/*.json"]],
});
