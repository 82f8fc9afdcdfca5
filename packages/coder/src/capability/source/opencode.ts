import { dirname, join, matchesGlob, resolve } from "node:path";
import { expandHome } from "@pith/kit";
import type { Spot } from "../item.ts";
import { skillsIn } from "../layout.ts";
import { each, type Look } from "../look.ts";
import { listIn } from "../parse.ts";
import { agentsIn, extension, languagesIn, serversIn, templatesIn, theme, tool } from "../read/things.ts";
import { addedContext, agent, claudeTemplate, context } from "../read/words.ts";
import type { Source } from "../registry.ts";

const home = ({ place: { env, userHome } }: Look) =>
  env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(userHome, ".config"), "opencode");
/** Its folders are called in the plural or not. */
const both = (look: Look, ...names: string[]): Spot[] =>
  names.flatMap((name) => [...look.nearest(".opencode", name), ...look.user(home(look), name)]);
/** The stronger file first: in `.opencode`, then beside it, then the user's. */
const config = (look: Look): Spot[] =>
  ["opencode.jsonc", "opencode.json"].flatMap((file) => [
    ...look.nearest(".opencode", file),
    ...look.nearest(file),
    ...look.user(home(look), file),
  ]);
/** The files that `instructions` names, by paths and patterns from where the configuration stands. */
const instructed = (look: Look): Spot[] =>
  config(look).flatMap((at) => {
    const folder = at.level === "user" ? dirname(at.path) : at.folder;
    return (listIn(look.fields(at).instructions) ?? []).flatMap((named) => {
      const path = resolve(folder, expandHome(named, look.place.userHome));
      const all = /[*?[{]/.test(path) ? matching(look, { ...at, path }) : look.below({ ...at, path });
      return all.map((found) => ({ ...found, folder }));
    });
  });

/** Files by a pattern: looked for below its plain beginning, and never far. */
function matching(look: Look, at: Spot): Spot[] {
  const [plain = ""] = /^[^*?[{]*(?=\/)/.exec(at.path) ?? [];
  const depth = at.path.includes("**") ? 3 : at.path.slice(plain.length).split("/").length - 2;
  return look.files([{ ...at, path: plain }], /./, depth).filter(({ path }) => matchesGlob(path, at.path));
}

const servers = serversIn(({ mcp }) => mcp);
const languages = languagesIn(({ lsp }) => lsp);
const commands = templatesIn(({ command }) => command);
const agents = agentsIn(({ agent }) => agent);

export const opencode: Source = {
  name: "opencode",
  title: "opencode",
  priority: 55,
  finds: {
    context: (look) => [...each(look.user(home(look), "AGENTS.md"), context), ...each(instructed(look), addedContext)],
    skill: (look) =>
      skillsIn(look, [
        ...["skills", "skill"].flatMap((name) => look.everywhere(".opencode", name)),
        ...["skills", "skill"].flatMap((name) => look.user(home(look), name)),
      ]),
    command: (look) => [
      ...each(look.files(both(look, "commands", "command"), /\.md$/, 3), claudeTemplate),
      ...each(config(look), commands),
    ],
    agent: (look) => [
      ...each(look.files(both(look, "agents", "agent"), /\.md$/, 3), agent),
      ...each(config(look), agents),
    ],
    tool: (look) => each(look.files(both(look, "tools", "tool"), /\.[tj]s$/), tool),
    extension: (look) => each(look.files(both(look, "plugins", "plugin"), /\.[tj]s$/), extension),
    mcp: (look) => each(config(look), servers),
    lsp: (look) => each(config(look), languages),
    theme: (look) => each(look.files(both(look, "themes"), /\.json$/), theme),
  },
};
