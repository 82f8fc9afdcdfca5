import { join } from "node:path";
import { type ConfigFiles, each } from "./config-files.ts";
import type { ConfigPath, Find, Reader } from "./item.ts";
import type { CapabilityKind } from "./kind/kind.ts";
import { extension, extensionManifest } from "./read/late.ts";
import { skill } from "./read/words.ts";
import type { ConfigSource } from "./registry.ts";

/**
 * Names files of a product, as `scope:path`. The scopes: `near` and `each` are the nearest folder of the project that
 * has the path, and every one; `home` is the home directory of the user, `code` the user's folder of VS Code, `own` the
 * product's folder of the user; `both` and `all` are the product's folder in the project (nearest, every one), then
 * `own`. In a path, `*` stands for folders or files in a folder, `**` for files up to three folders deep.
 */
export type Place = string | ((files: ConfigFiles) => ConfigPath[]);

/** A reader with the places of its files, or a function for what places cannot say. */
type Row<K extends CapabilityKind> =
  | readonly [read: Reader<K>, ...places: Place[]]
  | ((files: ConfigFiles, at: (place: Place) => ConfigPath[]) => Find<K>[]);

type Rows = { readonly [K in CapabilityKind]?: readonly Row<K>[] };

interface Product extends Pick<ConfigSource, "name" | "title" | "priority"> {
  /** Names of its folder in a project. */
  folders?: readonly string[];
  /** Returns its folder of the user, where that is not called like the one in a project. */
  home?(place: ConfigFiles["place"]): string | undefined;
}

/** Makes the source of a product; the rows say what it keeps where. */
export const sourceOf =
  (product: Product) =>
  (rows: Rows): ConfigSource =>
    made(product, rows);

function made({ folders = [], home, ...about }: Product, rows: Rows): ConfigSource {
  const homes = ({ place }: ConfigFiles) => {
    const named = home?.(place);
    return named ? [named] : folders.map((folder) => join(place.userHome, folder));
  };
  const scopes: Readonly<Record<string, (files: ConfigFiles, names: string[]) => ConfigPath[]>> = {
    near: (files, names) => files.nearest(...names),
    each: (files, names) => files.everywhere(...names),
    home: (files, names) => files.inHome(...names),
    code: (files, names) => codeFolders(files).flatMap((folder) => files.user(folder, ...names)),
    own: (files, names) => homes(files).flatMap((home) => files.user(home, ...names)),
    both: (files, names) => [
      ...folders.flatMap((folder) => files.nearest(folder, ...names)),
      ...(scopes.own?.(files, names) ?? []),
    ],
    all: (files, names) => [
      ...folders.flatMap((folder) => files.everywhere(folder, ...names)),
      ...(scopes.own?.(files, names) ?? []),
    ],
  };
  const pathsAt = (files: ConfigFiles, place: Place): ConfigPath[] => {
    if (typeof place === "function") return place(files);
    const [scope = "", path = ""] = place.split(":");
    const names = path.split("/");
    const wild = names.findIndex((name) => name.includes("*"));
    const start = scopes[scope]?.(files, wild === -1 ? names : names.slice(0, wild)) ?? [];
    return wild === -1 ? start : matching(files, start, names.slice(wild));
  };
  const find = (files: ConfigFiles, row: Row<never>): Find<never>[] => {
    if (typeof row === "function") return row(files, (place) => pathsAt(files, place));
    const [read, ...places] = row;
    return each(
      places.flatMap((place) => pathsAt(files, place)),
      read,
    );
  };
  const finds = Object.entries(rows).map(([kind, all]) => [
    kind,
    (files: ConfigFiles) => (all as readonly Row<never>[]).flatMap((row) => find(files, row)),
  ]);
  return { ...about, finds: Object.fromEntries(finds) };
}

/** Finds what the names, of which the first is a pattern, mean in folders. Reading tells whether a file is there. */
function matching(files: ConfigFiles, folders: readonly ConfigPath[], [name = "", ...rest]: string[]): ConfigPath[] {
  if (name === "**") return files.list(folders, patternOf(rest[0] ?? ""), 3);
  if (rest.length === 0) return files.list(folders, patternOf(name));
  const wild = rest.findIndex((next) => next.includes("*"));
  const plain = wild === -1 ? rest : rest.slice(0, wild);
  const inside = files.listFolders(folders).map((folder) => ({ ...folder, path: join(folder.path, ...plain) }));
  return wild === -1 ? inside : matching(files, inside, rest.slice(wild));
}

/** Turns `*.{md,txt}` into a regular expression. */
const patternOf = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replaceAll(".", "\\.")
      .replaceAll("*", ".*")
      .replace(/\{(.*?)\}/g, (_, words: string) => `(?:${words.replaceAll(",", "|")})`)}$`,
    "s",
  );

function codeFolders({ place: { env, userHome } }: ConfigFiles): string[] {
  const config = env.XDG_CONFIG_HOME || join(userHome, ".config");
  return [config, join(userHome, "Library", "Application Support")].map((base) => join(base, "Code", "User"));
}

/** Finds `<folder>/<name>/SKILL.md`, one folder deep. */
export const skillsIn = (files: ConfigFiles, folders: readonly ConfigPath[]) =>
  each(matching(files, folders, ["*", "SKILL.md"]), skill);

/** Finds the index of each folder. */
export const indexIn = (files: ConfigFiles, folders: readonly ConfigPath[]): ConfigPath[] =>
  files.listFolders(folders).flatMap((folder) => indexOf(files, folder));

const indexOf = (files: ConfigFiles, folder: ConfigPath): ConfigPath[] =>
  ["index.ts", "index.js"].flatMap((file) => files.below(folder, file)).slice(0, 1);

/** Finds modules, folders with an index, and packages whose manifest names modules. */
export const extensions: Row<"extension"> = (files, at) => [
  ...each(at("both:extensions/*.{ts,js}"), extension),
  ...files.listFolders(at("both:extensions")).flatMap((folder) => {
    const manifest = ["package.json", "gemini-extension.json"].flatMap((file) => files.below(folder, file));
    const index = indexOf(files, folder);
    return manifest.length > 0 && index.length === 0 ? each(manifest, extensionManifest) : each(index, extension);
  }),
];
