import type { Spot } from "../item.ts";
import { each, type Look } from "../look.ts";
import { extensionsIn, skillsIn } from "../native.ts";
import { hooksIn, mcpServers } from "../read/things.ts";
import { agent, context, system, tomlTemplate } from "../read/words.ts";
import type { Source } from "../registry.ts";

const both = (look: Look, ...names: string[]): Spot[] => [
  ...look.nearest(".gemini", ...names),
  ...look.athome(".gemini", ...names),
];
/** What its extensions bring in the same layout. */
const brought = (look: Look, name: string): Spot[] =>
  look.folders(both(look, "extensions")).flatMap((folder) => look.below(folder, name));
const hooks = hooksIn(({ hooks }) => hooks);

export const gemini: Source = {
  name: "gemini",
  title: "Gemini CLI",
  priority: 60,
  finds: {
    context: (look) =>
      each(
        [
          ...look.everywhere("GEMINI.md"),
          ...look.everywhere(".gemini", "GEMINI.md"),
          ...look.athome(".gemini", "GEMINI.md"),
        ],
        context,
      ),
    system: (look) => each(both(look, "system.md"), system),
    skill: (look) =>
      skillsIn(look, [
        ...look.everywhere(".gemini", "skills"),
        ...look.athome(".gemini", "skills"),
        ...brought(look, "skills"),
      ]),
    command: (look) =>
      each(look.files([...both(look, "commands"), ...brought(look, "commands")], /\.toml$/, 3), tomlTemplate),
    agent: (look) => each(look.files(both(look, "agents"), /\.md$/), agent),
    hook: (look) => each(both(look, "settings.json"), hooks),
    extension: (look) => extensionsIn(look, both(look, "extensions")),
    mcp: (look) => each([...both(look, "settings.json"), ...brought(look, "gemini-extension.json")], mcpServers),
  },
};
