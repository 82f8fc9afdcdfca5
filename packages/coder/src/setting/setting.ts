import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, ok, type Result, realPath } from "@pith/kit";
import { loadLineFinder } from "@pith/llm";
import { strictIfRuled } from "./collect.ts";
import { foreignProjectFiles, foreignUserFiles } from "./foreign.ts";
import { type FileStanding, type Layer, type LayerSource, readLayer, withoutComments } from "./layer.ts";
import { settingsBelow } from "./profile.ts";
import { namesOf } from "./renamed.ts";
import { ownersFor, repositoryRoot } from "./repository.ts";
import type { Changes } from "./save.ts";
import type { Key, ListKey, SettingTable, Value, Values } from "./schema.ts";

export interface SettingOptions {
  cwd: string;
  /** Directory for the user's settings of other products; without it, they are not read. */
  userHome?: string;
  /** The user's folder of pi, if it is not the usual one. */
  piHome?: string | undefined;
  /** The directory of pith's own files. */
  home: string;
  /** `none`: no files are read, and changes are kept in memory. */
  files?: "none";
  /** Files for this run only; later ones win. */
  overlays?: readonly string[];
  /** Values of flags and the environment, which win over all files and are never written. */
  overrides?: Values;
  /** Returns the user's answer about a project's file with this content. */
  standing?(item: ProjectFile, text: string): FileStanding;
  /** Set when problems in files are only warnings, so that they can be mended. */
  wrong?: "is ignored";
  save?: (file: string, changes: Changes) => Promise<Result<void, "save">>;
  saveDelayMs?: number;
}

/** A project's file of settings: its folder, and its name there. */
export interface ProjectFile {
  kind: "settings";
  folder: string;
  name: string;
}

/** The value of a key in one layer. */
export interface LayerValue {
  origin: Origin;
  value: Value<Key>;
  /** The line in its file. */
  line?: number | undefined;
}

/** The layer that a value comes from. */
export type Origin = { layer: "default" | "profile" | "override" } | (Named & { file: string });

/** Reads all files. When one of the user is broken, the failure has all problems, one line each. */
export async function readSettings(table: SettingTable, options: SettingOptions): Promise<Result<Settings, "setting">> {
  const layers = await readLayers(table, options);
  const problems = layers.flatMap((layer) => layer.problems);
  if (problems.length > 0 && !options.wrong) return fail("setting", problems.join("\n"));
  return ok(new Settings(table, layers, options));
}

/** Makes settings of the defaults and these values, without any file. */
export const settingsWithout = (table: SettingTable, overrides: Values): Settings =>
  new Settings(table, [], { cwd: "", home: "", overrides, files: "none", save: async () => ok(undefined) });

const globalFile = ({ home }: SettingOptions): string => join(home, "config.yml");

async function readLayers(table: SettingTable, options: SettingOptions): Promise<(Layer & Named)[]> {
  const file = globalFile(options);
  const layers: (Layer & Named)[] = [];
  for (const source of layerSources(options)) {
    const layer = await readLayer(table, source);
    if (!layer) continue;
    // Started in the user's home directory, the project's file is the user's.
    const known = source.layer === "project" ? [file, ...layers.map((other) => other.file)] : [];
    if (known.some((other) => realPath(other) === realPath(source.file))) continue;
    layers.push({ layer: source.layer, ...(source.layer === "project" ? tolerated(table, layer) : layer) });
  }
  return layers;
}

/** From the weakest to the strongest. */
function layerSources(options: SettingOptions): (LayerSource & Named)[] {
  if (options.files === "none") return [];
  const isOurs = ownersFor(options.cwd);
  const { userHome, piHome } = options;
  const theirs = { missing: "is fine", of: "a relative" } as const;
  return [
    ...(userHome === undefined ? [] : foreignUserFiles({ userHome, piHome })).map(
      (file) => ({ layer: "relative", file, from: "user", ...theirs }) as const,
    ),
    { layer: "global", file: globalFile(options), from: "user", missing: "is fine" },
    ...projectFolders(options.cwd).flatMap((folder, _, [root = folder]) => {
      const shared = {
        layer: "project",
        from: "project",
        within: root,
        owner: (uid: number) => isOurs(folder, uid),
      } as const;
      const standing = (text: string) =>
        options.standing?.({ kind: "settings", folder, name: projectFile }, text) ?? "untrusted";
      const own: LayerSource & Named = { ...shared, file: join(folder, projectFile), missing: "is fine", standing };
      return [...foreignProjectFiles(folder).map((file) => ({ ...shared, file, ...theirs })), own];
    }),
    ...(options.overlays ?? []).map(
      (overlay) => ({ layer: "overlay", file: overlay, from: "user", missing: "is a problem" }) as const,
    ),
  ];
}

/** Makes the problems of a project's file warnings: a cloned repository must not end a start. */
function tolerated(table: SettingTable, layer: Layer): Layer {
  const { problems, warnings } = layer;
  if (problems.length > 0) strictIfRuled(table, layer.values, layer.text);
  return { ...layer, problems: [], warnings: [...problems.map((line) => `${line}; ignored`), ...warnings] };
}

const projectFile = join(".pith", "config.yml");

/** Returns the folders from the root of the repository down to the directory. */
export function projectFolders(cwd: string): string[] {
  const root = repositoryRoot(cwd) ?? cwd;
  const way = [cwd];
  for (let at = cwd; at !== root && at !== dirname(at); way.unshift(at)) at = dirname(at);
  return way;
}

/** Finds files that look like settings and are not read, to warn about them. */
function strayFiles({ cwd, home, files }: SettingOptions): string[] {
  if (files === "none") return [];
  const projects = projectFolders(cwd);
  const ours = join(home, "config.yml");
  const models = join(home, "models.yml");
  const found = new Map<string, string>();
  const stray = (folder: string, names: readonly string[], read: string) => {
    const paths = existsSync(folder) ? names.map((name) => join(folder, name)) : [];
    for (const path of paths) if (existsSync(path)) found.set(path, read);
  };
  const single = [".pithrc", ".pith.yml", ".pith.yaml", ".pith.json"];
  for (const folder of projects) stray(folder, [...single, "pith.yml"], join(folder, ".pith/config.yml"));
  const own = projects.map((project) => join(project, ".pith")).filter((folder) => folder !== home);
  for (const folder of [home, ...own]) {
    const names = ["yaml", "json", "toml"].flatMap((end) => [`config.${end}`, `settings.${end}`]);
    stray(folder, ["config", "settings.yml", ...names], join(folder, "config.yml"));
    stray(folder, ["model.yml", "models.yaml", "models.json"], models);
  }
  // Projects do not configure models.
  for (const folder of own) stray(folder, ["models.yml"], models);
  // Only the usual home tells which folder is the user's.
  if (basename(home) === ".pith") {
    const user = dirname(home);
    stray(user, [...single, ".config/pith.yml"], ours);
    stray(join(user, ".config", "pith"), ["config.yml", "config.yaml", "config.json"], ours);
    stray(join(user, ".config", "pith"), ["models.yml"], models);
  }
  return [...found].map(([path, read]) => `${path} is not read; ${read} is`);
}

/** Settings, read through a profile. */
export type SettingView = Pick<Settings, "get" | "lists" | "origin" | "through">;

interface Named {
  layer: "relative" | "global" | "project" | "overlay";
}

export class Settings {
  readonly table: SettingTable;
  /** The global file; `set` writes here and nowhere else. */
  readonly file: string;
  warnings: readonly string[] = [];
  /** Problems that were ignored. */
  problems: readonly string[] = [];
  /** Advice on mending them. */
  remedies: readonly string[] = [];
  /** Unknown names in the global file. */
  strange: readonly string[] = [];
  /** Files of the project that need a yes for something in them, or have one. */
  needing: readonly (ProjectFile & { text: string; standing: FileStanding })[] = [];
  /** Changes whenever a value may have changed. */
  revision = 0;
  /** Layers from the strongest to the weakest. */
  #layers: readonly { origin: Origin; values: Values; text?: string | undefined }[] = [];
  #global: Values = {};
  #stamps = "";
  #files: { root: string; all: readonly string[] } | undefined;
  readonly #options: SettingOptions;
  readonly #pending = new Map<string, Value<Key> | undefined>();
  readonly #effects = new Map<Key, (() => void)[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<Result<void, "save">> = Promise.resolve(ok(undefined));

  constructor(table: SettingTable, files: readonly (Layer & Named)[], options: SettingOptions) {
    this.table = table;
    this.file = globalFile(options);
    this.#options = options;
    this.#take(files);
  }

  #take(files: readonly (Layer & Named)[]): void {
    const { overrides = {} } = this.#options;
    this.revision++;
    this.warnings = [...files.flatMap((layer) => layer.warnings), ...strayFiles(this.#options)];
    this.problems = files.flatMap((layer) => layer.problems);
    this.remedies = files.filter((layer) => layer.problems.length > 0).map(({ remedy }) => remedy);
    const global = files.find(({ layer }) => layer === "global");
    this.strange = global?.strange ?? [];
    this.needing = files.flatMap(({ file, text = "", standing }) =>
      standing
        ? [{ kind: "settings", folder: dirname(dirname(file)), name: projectFile, text, standing } as const]
        : [],
    );
    this.#global = { ...global?.values };
    const rows = ({ layer, file, values, text }: Layer & Named) => ({
      origin: { layer, file } as Origin,
      values,
      text,
    });
    const upper = files.filter(({ layer }) => layer === "project" || layer === "overlay").toReversed();
    this.#layers = [
      { origin: { layer: "override" }, values: overrides },
      ...upper.map(rows),
      { origin: { layer: "global", file: this.file }, values: this.#global, text: global?.text },
      ...files
        .filter(({ layer }) => layer === "relative")
        .toReversed()
        .map(rows),
    ];
    this.#stamps = this.#stampsNow();
  }

  /** Reads all files again if one has changed; returns the keys with new values. A broken file changes nothing. */
  async refresh(): Promise<{ changed: readonly Key[]; problems: readonly string[] }> {
    const stamps = this.#stampsNow();
    if (stamps === this.#stamps || this.#pending.size > 0) return { changed: [], problems: [] };
    this.#stamps = stamps;
    const layers = await readLayers(this.table, this.#options);
    const problems = layers.flatMap((layer) => layer.problems);
    if (problems.length > 0) return { changed: [], problems };
    const { keys } = this.table;
    const before = keys.map((key) => this.get(key));
    this.#take(layers);
    // A file that is written meanwhile is read the next time.
    this.#stamps = stamps;
    const changed = keys.filter((key, at) => JSON.stringify(this.get(key)) !== JSON.stringify(before[at]));
    for (const key of changed) for (const effect of this.#effects.get(key) ?? []) effect();
    return { changed, problems };
  }

  /** Registers functions that are called when values have changed, until it is disposed. */
  onChange(effects: { readonly [K in Key]?: (value: Value<K>) => void }): Disposable {
    const rows = (Object.entries(effects) as [Key, (value: unknown) => void][]).map(
      ([key, effect]) => [key, () => effect(this.get(key))] as const,
    );
    for (const [key, effect] of rows) this.#effects.set(key, [...(this.#effects.get(key) ?? []), effect]);
    return {
      [Symbol.dispose]: () => {
        for (const [key, effect] of rows)
          this.#effects.set(key, this.#effects.get(key)?.filter((other) => other !== effect) ?? []);
      },
    };
  }

  /** Returns the values of a key in all layers that have one, the strongest first; the last is the default. */
  async explain(key: Key): Promise<LayerValue[]> {
    const lineFinder = await loadLineFinder();
    const profile = settingsBelow(this.get("profile"))[key];
    return [
      ...this.#layers.flatMap(({ origin, values, text }) => {
        const value = values[key];
        if (value === undefined) return [];
        return [
          { origin, value, line: text === undefined ? undefined : lineIn(lineFinder(withoutComments(text)), key) },
        ];
      }),
      ...(profile === undefined ? [] : [{ origin: { layer: "profile" } as const, value: profile }]),
      { origin: { layer: "default" }, value: this.table.specOf(key).default as Value<Key> },
    ];
  }

  /** Paths of files, found again only when the directory is in another repository. */
  #places(): readonly string[] {
    const { cwd, files } = this.#options;
    const root = files === "none" ? "" : (repositoryRoot(cwd) ?? cwd);
    if (root !== this.#files?.root) this.#files = { root, all: layerSources(this.#options).map(({ file }) => file) };
    return this.#files.all;
  }

  #stampsNow(): string {
    return this.#places()
      .map((file) => {
        const stat = existsSync(file) ? statSync(file, { throwIfNoEntry: false }) : undefined;
        return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}` : "-";
      })
      .join();
  }

  get<K extends Key>(key: K): Value<K> {
    return this.#value(key, undefined);
  }

  /** Returns the values that somebody has set, the strongest first. */
  chosen<K extends Key>(key: K): readonly Value<K>[] {
    return this.#layers.flatMap(({ values }) => (values[key] === undefined ? [] : [values[key] as Value<K>]));
  }

  /** Returns the lists of all layers, from the weakest to the strongest. */
  lists<K extends ListKey>(key: K): readonly { origin: Origin; items: Value<K> }[] {
    return this.#layers.toReversed().flatMap(({ origin, values }) => {
      const items = values[key];
      return items === undefined ? [] : [{ origin, items: items as Value<K> }];
    });
  }

  origin(key: Key): Origin {
    return this.#layer(key, undefined)?.origin ?? { layer: "default" };
  }

  /** Returns the settings with the defaults of another profile. */
  through(profile: Value<"profile">): SettingView {
    return {
      lists: (key) => this.lists(key),
      get: (key) => (key === "profile" ? (profile as never) : this.#value(key, profile)),
      origin: (key) => this.#layer(key, profile)?.origin ?? { layer: "default" },
      through: (other) => this.through(other),
    };
  }

  /** Changes the global layer, and writes it soon. Undefined unsets the key. */
  set<K extends Key>(key: K, value: Value<K> | undefined): void {
    this.revision++;
    if (value === undefined) delete this.#global[key];
    else this.#global[key] = value as Values[K];
    for (const effect of this.#effects.get(key) ?? []) effect();
    this.#write(key, value as Value<Key>);
  }

  /** Removes an unknown name from the global file. */
  drop(name: string): void {
    this.#write(name, undefined);
  }

  #write(name: string, value: Value<Key> | undefined): void {
    this.#pending.set(name, value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), this.#options.saveDelayMs ?? 200);
  }

  /** Writes pending changes now. Those that cannot be written stay pending. */
  flush(): Promise<Result<void, "save">> {
    clearTimeout(this.#timer);
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  async #save(): Promise<Result<void, "save">> {
    if (this.#pending.size === 0) return ok(undefined);
    const changes = new Map(this.#pending);
    const save = this.#options.save ?? (await import("./save.ts")).saveChanges;
    const saved = await save(this.file, changes);
    // Our own change needs no refresh.
    if (saved.ok) this.#stamps = this.#stampsNow();
    if (saved.ok) for (const [key, value] of changes) if (this.#pending.get(key) === value) this.#pending.delete(key);
    return saved;
  }

  #value<K extends Key>(key: K, profile: Value<"profile"> | undefined): Value<K> {
    if (this.table.specOf(key).type === "list")
      return this.lists(key as ListKey).flatMap(({ items }): unknown[] => [...items]) as unknown as Value<K>;
    return (this.#layer(key, profile)?.values[key] ?? this.table.specOf(key).default) as Value<K>;
  }

  #layer(key: Key, profile: Value<"profile"> | undefined): { origin: Origin; values: Values } | undefined {
    const set = this.#layers.find(({ values }) => values[key] !== undefined);
    if (set || key === "profile") return set;
    const values = settingsBelow(profile ?? this.get("profile"));
    return values[key] === undefined ? undefined : { origin: { layer: "profile" }, values };
  }
}

/** Finds the line of a key, nested or with dots, by any of its names. */
function lineIn(lineOf: ReturnType<LineFinder>, key: Key): number | undefined {
  return namesOf(key)
    .flatMap((name) => {
      const parts = name.split(".");
      return parts.map((_, at) => [...parts.slice(0, at), parts.slice(at).join(".")]).toReversed();
    })
    .map((path) => lineOf(path))
    .find(({ of, line }) => of === "it" && line !== undefined)?.line;
}

type LineFinder = Awaited<ReturnType<typeof loadLineFinder>>;
