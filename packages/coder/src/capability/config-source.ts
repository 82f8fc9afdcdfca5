import type { Trust } from "../policy/trust/trust.ts";
import type { CapabilityCache } from "./cache.ts";
import type { ConfigFiles, SearchRoots } from "./config-files.ts";
import type { Candidate, Find } from "./item.ts";
import type { CapabilityKind } from "./kind/kind.ts";

/** A product whose configuration is read: the places of its files, and their readers. */
export interface ConfigSource {
  name: string;
  /** Its name for people. */
  title: string;
  /** Items of the source with the higher priority count before others with the same key. */
  priority: number;
  finds: { readonly [K in CapabilityKind]?: (files: ConfigFiles) => readonly Find<K>[] };
  /** Items that it has without any file. */
  brings?: { readonly [K in CapabilityKind]?: () => readonly Candidate<K>[] };
}

export interface RegistryOptions {
  place: SearchRoots;
  trust: Pick<Trust, "ask">;
  /** Files as earlier starts read them. */
  cache?: CapabilityCache | undefined;
  /** True when rules with conditions watch streams; otherwise they are told like all others. */
  watches?(): boolean;
  /** Called once per search for a kind: returns a filter that gives the reason why an item is disabled. */
  off?(kind: CapabilityKind): Off;
}

export interface Judging {
  warn(text: string): void;
  off: Off | undefined;
}
export type Off = (item: { name: string; source: string; level: string }) => string | undefined;
