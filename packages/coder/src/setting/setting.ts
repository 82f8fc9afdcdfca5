import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fail, ok, type Result, realPath } from "@pith/kit";
import { type FileStanding, type Layer, type LayerSource, readLayer } from "./layer.ts";
import { profiles } from "./profile.ts";
import { ownersFor, repositoryRoot } from "./repository.ts";
import type { Changes } from "./save.ts";
import { type Key, type ListKey, specOf, type Value, type Values } from "./schema.ts";

export interface SettingOptions {
  cwd: string;
  /** The directory of pith's own files. */
  home: string;
  /** Files for this run only, later over earlier. */
  overlays?: readonly string[];
  /** Flags and environment: the last word, never written. */
  overrides?: Values;
  /** What the user said to a project's file as it stands; without it, nothing. */
  standing?(item: ProjectFile, text: string): FileStanding;
  /** What is wrong in a file is passed over with a warning: for whoever is about to mend it. */
  wrong?: "is passed over";
  save?: (file: string, changes: Changes) => Promise<Result<void, "save">>;
  saveDelayMs?: number;
}

/** A project's file of settings: the folder that brings it, and its name there. */
export interface ProjectFile {
  kind: "settings";
  folder: string;
  name: string;
}

/** Where a value comes from. */
export type Origin = { layer: "default" | "profile" | "override" } | (Named & { file: string });

/** All problems at once, one line each, when a file of the user is broken. */
export async function openSettings(options: SettingOptions): Promise<Result<Settings, "setting">> {
  const file = join(options.home, "config.yml");
  const isOurs = ownersFor(options.cwd);
  const sources: (LayerSource & Named)[] = [
    { layer: "global", file, from: "user", missing: "is fine" },
    ...projectFolders(options.cwd).map(
      (folder, _, [root = folder]) =>
        ({
          layer: "project",
          file: join(folder, projectFile),
          from: "project",
          within: root,
          owner: (uid: number) => isOurs(folder, uid),
          missing: "is fine",
          standing: (text: string) =>
            options.standing?.({ kind: "settings", folder, name: projectFile }, text) ?? "untrusted",
        }) as const,
    ),
    ...(options.overlays ?? []).map(
      (overlay) => ({ layer: "overlay", file: overlay, from: "user", missing: "is a problem" }) as const,
    ),
  ];
  const layers: (Layer & Named)[] = [];
  for (const source of sources) {
    // Started in the user's home directory, the project's file is the global one.
    if (source.layer === "project" && layers.length > 0 && realPath(source.file) === realPath(file)) continue;
    const layer = await readLayer(source);
    if (layer) layers.push({ layer: source.layer, ...(source.layer === "project" ? endured(layer) : layer) });
  }
  const problems = layers.flatMap((layer) => layer.problems);
  if (problems.length > 0 && !options.wrong) return fail("setting", problems.join("\n"));
  return ok(new Settings(file, layers, options));
}

/** Whoever clones a repository did not write its file: what is wrong there is told and never ends a start. */
const endured = (layer: Layer): Layer => ({
  ...layer,
  problems: [],
  warnings: [...layer.problems.map((line) => `${line}; ignored`), ...layer.warnings],
});

const projectFile = join(".pith", "config.yml");

/** From the root of the repository down to the directory; a directory outside of any stands alone. */
export function projectFolders(cwd: string): string[] {
  const root = repositoryRoot(cwd) ?? cwd;
  const way = [cwd];
  for (let at = cwd; at !== root; way.unshift(at)) at = dirname(at);
  return way;
}

/** Where other programs would have their settings: nothing there is read, and nobody should believe it is. */
function strayFiles({ cwd, home }: SettingOptions): string[] {
  const projects = projectFolders(cwd);
  const ours = join(home, "config.yml");
  const models = join(home, "models.yml");
  const pairs = new Map<string, string>();
  const stray = (folder: string, names: readonly string[], read: string) => {
    for (const name of names) pairs.set(join(folder, name), read);
  };
  for (const folder of projects) stray(folder, [".pithrc", ".pith.yml", "pith.yml"], join(folder, ".pith/config.yml"));
  for (const folder of [home, ...projects.map((project) => join(project, ".pith"))]) {
    const names = ["config", "config.yaml", "config.json", "settings.yml", "settings.json"];
    stray(folder, names, join(folder, "config.yml"));
    stray(folder, ["model.yml"], models);
  }
  stray(home, ["models.yaml", "models.json"], models);
  // Where the home is not in its usual place nobody can tell whose the folder around it is.
  if (basename(home) === ".pith") {
    const user = dirname(home);
    stray(user, [".pithrc", ".pith.yml", ".config/pith.yml"], ours);
    stray(join(user, ".config", "pith"), ["config.yml", "config.yaml", "config.json"], ours);
    stray(join(user, ".config", "pith"), ["models.yml"], models);
  }
  return [...pairs].flatMap(([path, read]) => (existsSync(path) ? [`${path} is not read; ${read} is`] : []));
}

/** What is read of settings: through the profile of who reads. */
export type SettingView = Pick<Settings, "get" | "lists" | "origin">;

interface Named {
  layer: "global" | "project" | "overlay";
}

export class Settings {
  /** The global file; `set` writes here and nowhere else. */
  readonly file: string;
  readonly warnings: readonly string[];
  /** What is wrong and was passed over. */
  readonly problems: readonly string[];
  /** How that can be mended. */
  readonly remedies: readonly string[];
  /** Names in the global file that are no settings. */
  readonly strange: readonly string[];
  /** The files of the project that need a yes for something in them, or have one. */
  readonly needing: readonly (ProjectFile & { text: string; standing: FileStanding })[];
  /** From the strongest to the weakest. */
  readonly #layers: readonly { origin: Origin; values: Values }[];
  readonly #global: Values;
  readonly #options: SettingOptions;
  readonly #pending = new Map<string, Value<Key> | undefined>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<Result<void, "save">> = Promise.resolve(ok(undefined));

  constructor(file: string, files: readonly (Layer & Named)[], options: SettingOptions) {
    this.file = file;
    this.warnings = [...files.flatMap((layer) => layer.warnings), ...strayFiles(options)];
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
    this.#options = options;
    const upper = files.filter(({ layer }) => layer !== "global").toReversed();
    this.#layers = [
      { origin: { layer: "override" }, values: options.overrides ?? {} },
      ...upper.map(({ layer, file, values }) => ({ origin: { layer, file }, values })),
      { origin: { layer: "global", file }, values: this.#global },
    ];
  }

  get<K extends Key>(key: K): Value<K> {
    return this.#value(key, undefined);
  }

  /** The lists that the layers set, from the weakest to the strongest. */
  lists<K extends ListKey>(key: K): readonly { origin: Origin; items: Value<K> }[] {
    return this.#layers.toReversed().flatMap(({ origin, values }) => {
      const items = values[key];
      return items === undefined ? [] : [{ origin, items: items as Value<K> }];
    });
  }

  origin(key: Key): Origin {
    return this.#layer(key, undefined)?.origin ?? { layer: "default" };
  }

  /** The same settings with the defaults of another profile: for a conversation with another kind of model. */
  through(profile: Value<"profile">): SettingView {
    return {
      lists: (key) => this.lists(key),
      get: (key) => (key === "profile" ? (profile as never) : this.#value(key, profile)),
      origin: (key) => this.#layer(key, profile)?.origin ?? { layer: "default" },
    };
  }

  /** Changes the global layer and writes it soon; undefined goes back to the default. */
  set<K extends Key>(key: K, value: Value<K> | undefined): void {
    if (value === undefined) delete this.#global[key];
    else this.#global[key] = value as Values[K];
    this.#write(key, value as Value<Key>);
  }

  /** Takes a name that is no setting out of the global file. */
  drop(name: string): void {
    this.#write(name, undefined);
  }

  #write(name: string, value: Value<Key> | undefined): void {
    this.#pending.set(name, value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), this.#options.saveDelayMs ?? 200);
  }

  /** Writes what is pending now. What could not be written stays pending. */
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
    if (saved.ok) for (const [key, value] of changes) if (this.#pending.get(key) === value) this.#pending.delete(key);
    return saved;
  }

  #value<K extends Key>(key: K, profile: Value<"profile"> | undefined): Value<K> {
    if (specOf(key).type === "list")
      return this.lists(key as ListKey).flatMap(({ items }): unknown[] => [...items]) as unknown as Value<K>;
    return (this.#layer(key, profile)?.values[key] ?? specOf(key).default) as Value<K>;
  }

  #layer(key: Key, profile: Value<"profile"> | undefined): { origin: Origin; values: Values } | undefined {
    const set = this.#layers.find(({ values }) => values[key] !== undefined);
    if (set || key === "profile") return set;
    const values = profiles[profile ?? this.get("profile")];
    return values[key] === undefined ? undefined : { origin: { layer: "profile" }, values };
  }
}
