import { join } from "node:path";
import type { Spot } from "./item.ts";
import { each, type Look } from "./look.ts";
import { extension, extensionManifest, hookFile, languageServers, mcpServers, theme, tool } from "./read/things.ts";
import {
  agent,
  context,
  promptTemplate,
  rule,
  skill,
  standingRule,
  stickyRule,
  system,
  template,
} from "./read/words.ts";
import type { Source } from "./registry.ts";

export interface Native {
  name: string;
  title: string;
  priority: number;
  /** Its folder in a project. */
  folder: string;
  /** Its folder of the user. */
  home(look: Look): string;
}

/** The layout that pith shares with the agents it comes after. */
export function native({ name, title, priority, folder, home }: Native): Source {
  /** The nearest in the project, then the user's. */
  const both = (look: Look, ...names: string[]): Spot[] => [
    ...look.nearest(folder, ...names),
    ...look.user(home(look), ...names),
  ];
  const words = (look: Look, below: string, ending = /\.md$/) => look.files(both(look, below), ending);
  return {
    name,
    title,
    priority,
    finds: {
      context: (look) =>
        each([...look.everywhere(folder, "AGENTS.md"), ...look.user(home(look), "AGENTS.md")], context),
      system: (look) =>
        each(
          ["SYSTEM.md", "APPEND_SYSTEM.md", "TITLE_SYSTEM.md"].flatMap((file) => both(look, file)),
          system,
        ),
      skill: (look) => skillsIn(look, [...look.everywhere(folder, "skills"), ...look.user(home(look), "skills")]),
      command: (look) => each(words(look, "commands"), template),
      prompt: (look) => each(words(look, "prompts"), promptTemplate),
      rule: (look) => [
        ...each(words(look, "rules", /\.mdc?$/), rule),
        ...each(words(look, "instructions"), standingRule),
        ...each(both(look, "RULES.md"), stickyRule),
      ],
      agent: (look) => each(words(look, "agents"), agent),
      tool: (look) => [
        ...each(words(look, "tools", /\.(?:json|md|ts|js|mjs|sh|bash|py)$/), tool),
        ...each(indexIn(look, both(look, "tools")), tool),
      ],
      hook: (look) => ["pre", "post"].flatMap((when) => each(look.files(both(look, "hooks", when), /./), hookFile)),
      extension: (look) => extensionsIn(look, both(look, "extensions")),
      mcp: (look) => each([...both(look, "mcp.json"), ...both(look, ".mcp.json")], mcpServers),
      lsp: (look) =>
        each(
          ["lsp.json", "lsp.yml", "lsp.yaml"].flatMap((file) => both(look, file)),
          languageServers,
        ),
      theme: (look) => each(words(look, "themes", /\.json$/), theme),
    },
  };
}

/** `<folder>/<name>/SKILL.md`, one folder deep. */
export const skillsIn = (look: Look, folders: readonly Spot[]) =>
  each(
    // Whether there is one is seen when it is read.
    look.folders(folders).map((folder) => ({ ...folder, path: join(folder.path, "SKILL.md") })),
    skill,
  );

const indexIn = (look: Look, folders: readonly Spot[]): Spot[] =>
  look
    .folders(folders)
    .flatMap((folder) => ["index.ts", "index.js"].flatMap((file) => look.below(folder, file)).slice(0, 1));

/** Modules themselves, folders with an index, and packages that say what they bring. */
export const extensionsIn = (look: Look, folders: readonly Spot[]) => [
  ...each(look.files(folders, /\.[tj]s$/), extension),
  ...look.folders(folders).flatMap((folder) => {
    const manifest = ["package.json", "gemini-extension.json"].flatMap((file) => look.below(folder, file));
    const index = ["index.ts", "index.js"].flatMap((file) => look.below(folder, file)).slice(0, 1);
    return manifest.length > 0 && index.length === 0 ? each(manifest, extensionManifest) : each(index, extension);
  }),
];
