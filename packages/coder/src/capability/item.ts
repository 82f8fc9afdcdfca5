import type { Kind, Shapes } from "./kind/kind.ts";

export type Level = "project" | "user";

/** What became of a thing that was found. */
export type State = "active" | "shadowed" | "untrusted" | "invalid" | "disabled";

/** One thing that was found. */
export interface Item<K extends Kind = Kind> {
  kind: K;
  name: string;
  source: string;
  level: Level;
  file: string;
  /** Where in the file it begins, when it is not all of it. */
  line?: number | undefined;
  state: State;
  /** Why it is not active. */
  why?: string | undefined;
  /** What its file says and nobody here understands. */
  unmapped: readonly string[];
  data: Shapes[K];
}

/** As a reader of a file gives it, before anybody has judged it. */
export interface Candidate<K extends Kind> {
  name: string;
  data: Shapes[K];
  line?: number | undefined;
  unmapped?: readonly string[] | undefined;
  /** What is wrong with it; it does not count. */
  wrong?: string | undefined;
  /** What is odd and was passed over; it counts. */
  odd?: string | undefined;
  /** Why it is switched off by its own words. */
  off?: string | undefined;
}

export interface Found<K extends Kind> {
  /** Those that count, from the strongest source to the weakest. */
  winners: readonly Item<K>[];
  all: readonly Item<K>[];
  warnings: readonly string[];
}

/** Reads what a file holds. Pure: it is asked again only when the file has changed. */
export type Reader<K extends Kind> = (text: string, at: Spot) => readonly Candidate<K>[];

/** A place where something may stand. */
export interface Spot {
  path: string;
  level: Level;
  /** The folder that it speaks for: one of the project, or the one of the user. */
  folder: string;
  /** Where it must really stand; a single file of the user's own may be kept anywhere. */
  within?: string | undefined;
  /** The folder that it was listed in: names of folders between are part of its own. */
  base?: string | undefined;
}

/** Where a source says that something may be, and how that is read. */
export interface Find<K extends Kind> {
  at: Spot;
  read: Reader<K>;
}
