import { isInside, isRecord } from "@pith/kit";
import type { ConfigFiles } from "../config-files.ts";
import type { ConfigPath } from "../item.ts";
import { extensions, sourceOf } from "../layout.ts";
import { listIn } from "../parse.ts";
import { listedHooks, mcpServers } from "../read/late.ts";
import { addedContext, agent, context, skill, system, tomlTemplate } from "../read/words.ts";

/** Finds the files of instructions that its settings name, and the usual one. */
function wanted(files: ConfigFiles): ConfigPath[] {
  const settings = [...files.nearest(".gemini", "settings.json"), ...files.inHome(".gemini", "settings.json")];
  const said = settings.flatMap((at) => {
    const { context, contextFileName } = files.fields(at);
    return listIn(isRecord(context) ? context.fileName : contextFileName) ?? [];
  });
  const names = [...new Set([...said.filter((name) => !name.includes("/")), "GEMINI.md"])];
  return [
    ...names.flatMap((name) => files.everywhere(name)),
    ...files.everywhere(".gemini", "GEMINI.md"),
    ...names.flatMap((name) => files.inHome(".gemini", name)),
  ];
}

/** Finds the instructions in extensions of the user. */
const brought = (files: ConfigFiles): ConfigPath[] =>
  files.listFolders(files.inHome(".gemini", "extensions")).flatMap((folder) => {
    const [manifest] = files.below(folder, "gemini-extension.json");
    const names = listIn(manifest && files.fields(manifest).contextFileName) ?? ["GEMINI.md"];
    return names
      .flatMap((name) => files.below(folder, name))
      .filter(({ path }) => isInside(folder.path, path))
      .map((at) => ({ ...at, folder: folder.path }));
  });

/** Its extensions have the same layout as its folders. */
export const gemini = sourceOf({
  name: "gemini",
  title: "Gemini CLI",
  priority: 60,
  folders: [".gemini"],
})({
  context: [
    [context, wanted],
    [addedContext, brought],
  ],
  system: [[system, "both:system.md"]],
  skill: [[skill, "all:skills/*/SKILL.md", "both:extensions/*/skills/*/SKILL.md"]],
  command: [[tomlTemplate, "both:commands/**/*.toml", "both:extensions/*/commands/**/*.toml"]],
  agent: [[agent, "both:agents/*.md"]],
  hook: [[listedHooks, "both:settings.json"]],
  extension: [extensions],
  mcp: [[mcpServers, "both:settings.json", "both:extensions/*/gemini-extension.json"]],
});
