import { interfaceSettings } from "./rows/interface.ts";
import { modelSettings } from "./rows/model.ts";
import { sessionSettings } from "./rows/session.ts";
import { type Spec, tabs, type ValueOf } from "./spec.ts";

/** Settings that belong to no single part. */
export const sharedSettings = { ...modelSettings, ...sessionSettings, ...interfaceSettings };

type SharedSettings = typeof sharedSettings;

/** All settings by key; `settings.gen.ts` extends this interface by the rows of the parts. */
export interface SettingRows extends SharedSettings {}

export type Key = keyof SettingRows;
export type Value<K extends Key> = ValueOf<SettingRows[K]>;
export type ListKey = { [K in Key]: SettingRows[K] extends { type: "list" } ? K : never }[Key];
/** Some keys with values of their types. */
export type Values = { [K in Key]?: Value<K> };

/** The rows of all settings. Files are read by it, `pith config` and the docs are made from it. */
export class SettingTable {
  readonly keys: readonly Key[];
  readonly #rows: Readonly<Record<string, Spec>>;
  #groups: ReadonlySet<string> | undefined;

  /** A key that two tables have counts as the last one says. */
  constructor(tables: readonly object[]) {
    this.#rows = Object.assign({}, ...tables);
    this.keys = Object.keys(this.#rows) as Key[];
  }

  /** All keys as people are shown them: by tab and group. */
  sorted(): Key[] {
    const place = (key: Key): string => {
      const { tab, group } = this.specOf(key);
      return `${tabs.indexOf(tab)} ${group}`;
    };
    return this.keys.toSorted((a, b) => (place(a) < place(b) ? -1 : Number(place(a) > place(b))));
  }

  /** Names before a dot of a key, and the empty name of the whole. */
  get groups(): ReadonlySet<string> {
    this.#groups ??= groupsOf(this.keys);
    return this.#groups;
  }

  readonly isKey = (name: string): name is Key => Object.hasOwn(this.#rows, name);

  readonly specOf = (key: Key): Spec => {
    const spec = this.#rows[key];
    if (!spec) throw new TypeError(`there is no setting ${key}`);
    return spec;
  };
}

/** Names of the groups that hold keys: `a` and `a.b` of `a.b.c`, and the empty name of the whole. */
export function groupsOf(keys: readonly string[]): Set<string> {
  const groups = new Set([""]);
  for (const key of keys)
    for (let dot = key.indexOf("."); dot !== -1; dot = key.indexOf(".", dot + 1)) groups.add(key.slice(0, dot));
  return groups;
}
