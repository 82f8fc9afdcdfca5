import { isInside, isRecord } from "@pith/kit";
import type { Spot } from "../item.ts";
import { atHome, layout, skillsIn } from "../layout.ts";
import { each, type Look } from "../look.ts";
import { listIn } from "../parse.ts";
import { mcpServers, plainHooks } from "../read/things.ts";
import { addedContext, agent, context, system, tomlTemplate } from "../read/words.ts";
import type { Source } from "../registry.ts";

const { both, files, all, extensions } = layout(".gemini", atHome(".gemini"));
/** What its extensions bring in the same layout. */
const brought = (look: Look, name: string): Spot[] =>
  look.folders(both(look, "extensions")).flatMap((folder) => look.below(folder, name));
/** What files of instructions are called: as the settings say, and as they are called otherwise. */
const wantedNames = (look: Look): string[] => {
  const said = both(look, "settings.json").flatMap((at) => {
    const { context, contextFileName } = look.fields(at);
    return listIn(isRecord(context) ? context.fileName : contextFileName) ?? [];
  });
  return [...new Set([...said.filter((name) => !name.includes("/")), "GEMINI.md"])];
};
/** What extensions of the user tell. */
const broughtContext = (look: Look): Spot[] =>
  look.folders(look.athome(".gemini", "extensions")).flatMap((folder) => {
    const [manifest] = look.below(folder, "gemini-extension.json");
    const names = listIn(manifest && look.fields(manifest).contextFileName) ?? ["GEMINI.md"];
    return names
      .flatMap((name) => look.below(folder, name))
      .filter(({ path }) => isInside(folder.path, path))
      .map((at) => ({ ...at, folder: folder.path }));
  });

export const gemini: Source = {
  name: "gemini",
  title: "Gemini CLI",
  priority: 60,
  finds: {
    context: (look) => [
      ...each(
        [
          ...wantedNames(look).flatMap((name) => look.everywhere(name)),
          ...look.everywhere(".gemini", "GEMINI.md"),
          ...wantedNames(look).flatMap((name) => look.athome(".gemini", name)),
        ],
        context,
      ),
      ...each(broughtContext(look), addedContext),
    ],
    system: (look) => each(both(look, "system.md"), system),
    skill: (look) => skillsIn(look, [...all(look, "skills"), ...brought(look, "skills")]),
    command: (look) =>
      each(look.files([...both(look, "commands"), ...brought(look, "commands")], /\.toml$/, 3), tomlTemplate),
    agent: (look) => each(files(look, "agents", /\.md$/), agent),
    hook: (look) => each(both(look, "settings.json"), plainHooks),
    extension: extensions,
    mcp: (look) => each([...both(look, "settings.json"), ...brought(look, "gemini-extension.json")], mcpServers),
  },
};
