import { interfaceSettings } from "./rows/interface.ts";
import { modelSettings } from "./rows/model.ts";
import { sessionSettings } from "./rows/session.ts";
import { type Spec, tabs, type ValueOf } from "./spec.ts";

/** Settings that belong to no single part. */
export const sharedSettings = { ...modelSettings, ...sessionSettings, ...interfaceSettings };

type SharedSettings = typeof sharedSettings;

/** All settings by key. A part adds its rows by extending this interface in its `settings.ts`. */
export interface SettingRows extends SharedSettings {}

export type Key = keyof SettingRows;
export type Value<K extends Key> = ValueOf<SettingRows[K]>;
export type ListKey = { [K in Key]: SettingRows[K] extends { type: "list" } ? K : never }[Key];
/** Some keys with values of their types. */
export type Values = { [K in Key]?: Value<K> };

/** The rows of all settings. Files are read by it, `pith config` and the docs are made from it. */
export class SettingTable {
  /** All keys, by tab and group. */
  readonly keys: readonly Key[];
  /** Names before a dot of a key. */
  readonly groups: ReadonlySet<string>;
  readonly #rows: ReadonlyMap<string, Spec>;

  /** A key that two tables have counts as the last one says. */
  constructor(tables: readonly object[]) {
    const rows = new Map(tables.flatMap((table) => Object.entries(table) as [string, Spec][]));
    const place = (key: string) => {
      const { tab, group } = rows.get(key) as Spec;
      return `${tabs.indexOf(tab)} ${group}`;
    };
    const placed = Array.from(rows.keys(), (key) => ({ key, place: place(key) }));
    this.#rows = rows;
    this.keys = placed
      .sort((a, b) => (a.place < b.place ? -1 : Number(a.place > b.place)))
      .map(({ key }) => key as Key);
    this.groups = new Set(this.keys.flatMap(groupsOf));
  }

  readonly isKey = (name: string): name is Key => this.#rows.has(name);

  readonly specOf = (key: Key): Spec => {
    const spec = this.#rows.get(key);
    if (!spec) throw new TypeError(`there is no setting ${key}`);
    return spec;
  };
}

/** Names of the groups that hold a key: `a` and `a.b` of `a.b.c`, and the empty name of the whole. */
export const groupsOf = (key: string): string[] => key.split(".").map((_, at, names) => names.slice(0, at).join("."));
