import type { CapabilityKind, Shapes } from "./kind/kind.ts";

export type Level = "project" | "user";

/** Tells whether an item counts, and if not, why. */
export type State = "active" | "shadowed" | "untrusted" | "invalid" | "disabled";

/** A thing that was found in configuration. */
export interface Item<K extends CapabilityKind = CapabilityKind> {
  kind: K;
  name: string;
  source: string;
  level: Level;
  file: string;
  /** The line where it begins, when it is not the whole file. */
  line?: number | undefined;
  state: State;
  /** The reason when it is not active. */
  why?: string | undefined;
  /** Fields of its file that pith does not know. */
  unmapped: readonly string[];
  data: Shapes[K];
}

/** An item as a reader of a file returns it, before it is judged. */
export interface Candidate<K extends CapabilityKind> {
  name: string;
  data: Shapes[K];
  line?: number | undefined;
  unmapped?: readonly string[] | undefined;
  /** An error; it does not count. */
  wrong?: string | undefined;
  /** A warning about something that was ignored; it counts. */
  warning?: string | undefined;
  /** The reason when its own file switches it off. */
  off?: string | undefined;
}

export interface FoundItems<K extends CapabilityKind> {
  /** Items that count, from the strongest source to the weakest. */
  winners: readonly Item<K>[];
  all: readonly Item<K>[];
  warnings: readonly string[];
}

/** Reads the items of a file. Pure, because it is called again only when the file has changed. */
export type Reader<K extends CapabilityKind> = (text: string, at: ConfigPath) => readonly Candidate<K>[];

/** A file or folder where configuration may be. */
export interface ConfigPath {
  path: string;
  level: Level;
  /** The folder that it is about: one of the project, or the one of the user. */
  folder: string;
  /** The directory that it must really be in; a single file of the user's own may be kept anywhere. */
  within?: string | undefined;
  /** The folder that it was listed in; the names of folders between are part of its name. */
  base?: string | undefined;
}

/** A place that a source names, and its reader. */
export interface Find<K extends CapabilityKind> {
  at: ConfigPath;
  read: Reader<K>;
}
