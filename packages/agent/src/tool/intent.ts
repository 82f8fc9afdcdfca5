import { realPath } from "@pith/kit";
import type { FileChange } from "./kind.ts";
import type { Call, Effect, Outcome } from "./outcome.ts";

/**
 * What one call will do, worked out once and before anybody is asked: guards judge it, questions show it, the record
 * keeps it, and `run` uses nothing else.
 */
export interface Intent {
  /** The strongest thing it does. */
  effect: Effect;
  /** What it touches, by effect. */
  paths: readonly Touch[];
  /** The very text that a shell will read, and the directory and variables it is read in. */
  command?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** A wall holds what it runs to the project. */
  confined?: true;
  /** Whom it talks to. */
  hosts?: readonly string[];
  /** It changes the paths that it writes and nothing else, so whoever keeps the old state need look nowhere else. */
  exact?: true;
  /** Whether what it was judged by, beside the paths, is no longer so: the state of a shell. */
  stale?(): boolean;
  /** What it would change in files, with the names of its hunks; for the one who is asked. */
  changes?(): Promise<readonly FileChange[]>;
  run(call: Call): Promise<Outcome>;
}

/** One path of a call: as it was named, and where that led when the call was prepared. */
export interface Touch {
  effect: Exclude<Effect, "net">;
  path: string;
  /** Links resolved as far as the path exists. */
  real: string;
}

/** Who allowed a call, in words for people, and whether somebody was asked. */
export interface CallApproval {
  by: string;
  asked: "nobody" | "person";
}

export const touch = (effect: Touch["effect"], path: string): Touch => ({ effect, path, real: realPath(path) });

export const isOutcome = <T extends object>(made: T | Outcome): made is Outcome => "text" in made;

/** The first path that no longer leads to where it was judged to lead. */
export const movedPath = (paths: readonly Touch[]): Touch | undefined =>
  paths.find(({ path, real }) => realPath(path) !== real);

/** What the record keeps of an intent. */
export function intentFields({ effect, paths, command, cwd, env, hosts }: Intent): Record<string, unknown> {
  const of = (wanted: Touch["effect"]) => paths.flatMap((touch) => (touch.effect === wanted ? [touch.real] : []));
  const fields = { effect, read: of("read"), write: of("write"), exec: of("exec"), command, cwd, env, hosts };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0)),
  );
}
