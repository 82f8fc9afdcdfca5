import { join } from "node:path";
import { type ConfigFiles, each } from "./config-files.ts";
import type { ConfigPath } from "./item.ts";
import { extension, extensionManifest, hookFile } from "./read/things.ts";
import { skill } from "./read/words.ts";

/** Places of one product: its folder in a project, and its folder of the user. */
export function layout(folder: string, home: (files: ConfigFiles) => string) {
  /** The nearest folder of the project that has this, then the user's. */
  const both = (files: ConfigFiles, ...names: string[]): ConfigPath[] => [
    ...files.nearest(folder, ...names),
    ...files.user(home(files), ...names),
  ];
  /** Every folder of the project that has this, then the user's. */
  const all = (files: ConfigFiles, ...names: string[]): ConfigPath[] => [
    ...files.everywhere(folder, ...names),
    ...files.user(home(files), ...names),
  ];
  return {
    both,
    all,
    /** Files below one folder of both, by the end of their names. */
    list: (files: ConfigFiles, below: string, ending: RegExp, depth = 0) =>
      files.list(both(files, below), ending, depth),
    skills: (files: ConfigFiles) => skillsIn(files, all(files, "skills")),
    extensions: (files: ConfigFiles) => extensionsIn(files, both(files, "extensions")),
    /** Scripts in `hooks/pre` and `hooks/post`. */
    hookFiles: (files: ConfigFiles) =>
      ["pre", "post"].flatMap((when) => each(files.list(both(files, "hooks", when), /./), hookFile)),
  };
}

/** A folder in the home directory of the user. */
export const atHome =
  (...names: string[]) =>
  ({ place: { userHome } }: ConfigFiles): string =>
    join(userHome, ...names);

/** Finds `<folder>/<name>/SKILL.md`, one folder deep. */
export const skillsIn = (files: ConfigFiles, folders: readonly ConfigPath[]) =>
  each(
    // Reading tells whether there is one.
    files.listFolders(folders).map((folder) => ({ ...folder, path: join(folder.path, "SKILL.md") })),
    skill,
  );

export const indexIn = (files: ConfigFiles, folders: readonly ConfigPath[]): ConfigPath[] =>
  files
    .listFolders(folders)
    .flatMap((folder) => ["index.ts", "index.js"].flatMap((file) => files.below(folder, file)).slice(0, 1));

/** Finds modules, folders with an index, and packages whose manifest names modules. */
const extensionsIn = (files: ConfigFiles, folders: readonly ConfigPath[]) => [
  ...each(files.list(folders, /\.[tj]s$/), extension),
  ...files.listFolders(folders).flatMap((folder) => {
    const manifest = ["package.json", "gemini-extension.json"].flatMap((file) => files.below(folder, file));
    const index = ["index.ts", "index.js"].flatMap((file) => files.below(folder, file)).slice(0, 1);
    return manifest.length > 0 && index.length === 0 ? each(manifest, extensionManifest) : each(index, extension);
  }),
];
