import { realPath } from "@pith/kit";
import type { CommandAccess } from "./access.ts";
import type { FileChange } from "./kind.ts";
import type { Call, Effect, Outcome } from "./outcome.ts";

/**
 * Everything a call will do, worked out once before anybody is asked: guards judge it, questions show it, the record
 * keeps it, and `run` uses nothing else.
 */
export interface Intent {
  /** Its strongest effect. */
  effect: Effect;
  /** Paths it touches, by effect. */
  paths: readonly Touch[];
  /** Text for the shell, with directory and variables. */
  command?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Set if it runs in the sandbox. */
  confined?: true;
  /** The place where a command runs, in words for people. */
  place?: string;
  /** Hosts it talks to. */
  hosts?: readonly string[];
  /** Set if it changes only the paths it writes, so that a backup need look nowhere else. */
  exact?: true;
  /** True if the state it was judged by (of a shell) has changed; paths are checked apart. */
  stale?(): boolean;
  /** Changes to files with the names of their hunks, for the user who is asked. */
  changes?(): Promise<readonly FileChange[]>;
  run(call: Call): Promise<Outcome>;
}

/** A path of a call: as it was named, and where it led when the call was prepared. */
export interface Touch {
  effect: Exclude<Effect, "net">;
  path: string;
  /** Path with links resolved as far as it exists. */
  real: string;
}

/** Approval of a call: by what, in words for people, and whether somebody was asked. */
export interface CallApproval {
  by: string;
  asked: "nobody" | "person";
  access?: CommandAccess | undefined;
}

export const touch = (effect: Touch["effect"], path: string): Touch => ({ effect, path, real: realPath(path) });

export const isOutcome = <T extends object>(made: T | Outcome): made is Outcome => "text" in made;

/** The first path that no longer leads where it was judged to lead. */
export const movedPath = (paths: readonly Touch[]): Touch | undefined =>
  paths.find(({ path, real }) => realPath(path) !== real);

/** Fields of an intent for the record. */
export function intentFields({ effect, paths, command, cwd, env, place, hosts }: Intent): Record<string, unknown> {
  const of = (wanted: Touch["effect"]) => paths.flatMap((touch) => (touch.effect === wanted ? [touch.real] : []));
  const fields = { effect, read: of("read"), write: of("write"), exec: of("exec"), command, cwd, env, place, hosts };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && (!Array.isArray(value) || value.length > 0)),
  );
}
