import type { Artifacts, Tool } from "@pith/agent";
import { type Env, rgPath } from "@pith/host";
import type { Snapshots } from "../snapshot/snapshot.ts";
import { bash } from "./bash/bash.ts";
import { type EditOptions, edit } from "./edit/edit.ts";
import { find } from "./find/find.ts";
import type { Place } from "./place.ts";
import { read } from "./read/read.ts";
import type { FindRg } from "./rg.ts";
import { search } from "./search/search.ts";
import { write } from "./write/write.ts";

export interface ToolParts extends Place {
  env: Env;
  artifacts: Artifacts;
  /** Where a compiled pith may put the ripgrep it carries. */
  cacheDir: string;
  /** The user's own ripgrep. */
  rg?: string | undefined;
  bash?: { timeout?: number; pipes?: "strip" | "keep" };
  /** What was shown to the model, for anchored edits. */
  snapshots: Snapshots;
  edit: Omit<EditOptions, keyof Place | "snapshots">;
}

/** Every built-in tool, in the order in which the model reads about them. */
const factories = {
  read: (parts: Made) => read(parts),
  write: (parts: Made) => write(parts),
  edit: (parts: Made) => edit({ ...parts, ...parts.edit }),
  bash: (parts: Made) => bash({ ...parts, ...parts.bash }),
  search: (parts: Made) => search(parts),
  find: (parts: Made) => find(parts),
} satisfies Record<string, (parts: Made) => Tool>;

export type ToolName = keyof typeof factories;
export const toolNames = Object.keys(factories) as ToolName[];

/** Costs next to nothing: what is heavy is loaded by the first call that needs it. */
export function builtinTools(parts: ToolParts, names: readonly ToolName[] = toolNames): Tool[] {
  const { rg: configured, cacheDir, env } = parts;
  let found: ReturnType<FindRg> | undefined;
  const rg: FindRg = () => {
    found ??= rgPath({ cacheDir, ...(configured && { configured }), ...(env.PATH && { path: env.PATH }) });
    return found;
  };
  return names.map((name) => factories[name]({ ...parts, rg }));
}

type Made = Omit<ToolParts, "rg"> & { rg: FindRg };
