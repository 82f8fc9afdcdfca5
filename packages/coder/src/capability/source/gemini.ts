import { isInside, isRecord } from "@pith/kit";
import { type ConfigFiles, each } from "../config-files.ts";
import type { ConfigPath } from "../item.ts";
import { atHome, layout, skillsIn } from "../layout.ts";
import { listIn } from "../parse.ts";
import { mcpServers, plainHooks } from "../read/things.ts";
import { addedContext, agent, context, system, tomlTemplate } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const { both, list, all, extensions } = layout(".gemini", atHome(".gemini"));
/** Finds files in its extensions, which have the same layout. */
const brought = (files: ConfigFiles, name: string): ConfigPath[] =>
  files.listFolders(both(files, "extensions")).flatMap((folder) => files.below(folder, name));
/** Returns the names of files of instructions: those of its settings, and the usual one. */
const wantedNames = (files: ConfigFiles): string[] => {
  const said = both(files, "settings.json").flatMap((at) => {
    const { context, contextFileName } = files.fields(at);
    return listIn(isRecord(context) ? context.fileName : contextFileName) ?? [];
  });
  return [...new Set([...said.filter((name) => !name.includes("/")), "GEMINI.md"])];
};
/** Finds the instructions in extensions of the user. */
const broughtContext = (files: ConfigFiles): ConfigPath[] =>
  files.listFolders(files.inHome(".gemini", "extensions")).flatMap((folder) => {
    const [manifest] = files.below(folder, "gemini-extension.json");
    const names = listIn(manifest && files.fields(manifest).contextFileName) ?? ["GEMINI.md"];
    return names
      .flatMap((name) => files.below(folder, name))
      .filter(({ path }) => isInside(folder.path, path))
      .map((at) => ({ ...at, folder: folder.path }));
  });

export const gemini: ConfigSource = {
  name: "gemini",
  title: "Gemini CLI",
  priority: 60,
  finds: {
    context: (files) => [
      ...each(
        [
          ...wantedNames(files).flatMap((name) => files.everywhere(name)),
          ...files.everywhere(".gemini", "GEMINI.md"),
          ...wantedNames(files).flatMap((name) => files.inHome(".gemini", name)),
        ],
        context,
      ),
      ...each(broughtContext(files), addedContext),
    ],
    system: (files) => each(both(files, "system.md"), system),
    skill: (files) => skillsIn(files, [...all(files, "skills"), ...brought(files, "skills")]),
    command: (files) =>
      each(files.list([...both(files, "commands"), ...brought(files, "commands")], /\.toml$/, 3), tomlTemplate),
    agent: (files) => each(list(files, "agents", /\.md$/), agent),
    hook: (files) => each(both(files, "settings.json"), plainHooks),
    extension: extensions,
    mcp: (files) => each([...both(files, "settings.json"), ...brought(files, "gemini-extension.json")], mcpServers),
  },
};
