import { join } from "node:path";
import type { Spot } from "./item.ts";
import { each, type Look } from "./look.ts";
import { extension, extensionManifest, hookFile } from "./read/things.ts";
import { skill } from "./read/words.ts";

/** Places of one product: its folder in a project, and its folder of the user. */
export function layout(folder: string, home: (look: Look) => string) {
  /** The nearest folder of the project that has this, then the user's. */
  const both = (look: Look, ...names: string[]): Spot[] => [
    ...look.nearest(folder, ...names),
    ...look.user(home(look), ...names),
  ];
  /** Every folder of the project that has this, then the user's. */
  const all = (look: Look, ...names: string[]): Spot[] => [
    ...look.everywhere(folder, ...names),
    ...look.user(home(look), ...names),
  ];
  return {
    both,
    all,
    /** Files below one folder of both, by the end of their names. */
    files: (look: Look, below: string, ending: RegExp, depth = 0) => look.files(both(look, below), ending, depth),
    skills: (look: Look) => skillsIn(look, all(look, "skills")),
    extensions: (look: Look) => extensionsIn(look, both(look, "extensions")),
    /** Scripts in `hooks/pre` and `hooks/post`. */
    hookFiles: (look: Look) =>
      ["pre", "post"].flatMap((when) => each(look.files(both(look, "hooks", when), /./), hookFile)),
  };
}

/** A folder in the home directory of the user. */
export const atHome =
  (...names: string[]) =>
  ({ place: { userHome } }: Look): string =>
    join(userHome, ...names);

/** `<folder>/<name>/SKILL.md`, one folder deep. */
export const skillsIn = (look: Look, folders: readonly Spot[]) =>
  each(
    // Whether there is one is seen when it is read.
    look.folders(folders).map((folder) => ({ ...folder, path: join(folder.path, "SKILL.md") })),
    skill,
  );

export const indexIn = (look: Look, folders: readonly Spot[]): Spot[] =>
  look
    .folders(folders)
    .flatMap((folder) => ["index.ts", "index.js"].flatMap((file) => look.below(folder, file)).slice(0, 1));

/** Modules themselves, folders with an index, and packages that say what they bring. */
const extensionsIn = (look: Look, folders: readonly Spot[]) => [
  ...each(look.files(folders, /\.[tj]s$/), extension),
  ...look.folders(folders).flatMap((folder) => {
    const manifest = ["package.json", "gemini-extension.json"].flatMap((file) => look.below(folder, file));
    const index = ["index.ts", "index.js"].flatMap((file) => look.below(folder, file)).slice(0, 1);
    return manifest.length > 0 && index.length === 0 ? each(manifest, extensionManifest) : each(index, extension);
  }),
];
