import { posix } from "node:path";
import type { Tracked } from "./machine/git-index.ts";

/** A line of git's configuration: `core.pager`, `less`. */
export type GitSetting = readonly [key: string, value: string];

/** What a command is judged by, beside its text. All of it comes from outside: judging itself looks at nothing. */
export interface JudgeState {
  /** Where the command starts, a real path. */
  cwd: string;
  /** The folders of the project. */
  roots: readonly string[];
  home: string;
  pithHome: string;
  /** Where anybody may put what nobody keeps. */
  temporary: readonly string[];
  /** What the shell has learned since it began. */
  aliases: Readonly<Record<string, string>>;
  functions: readonly string[];
  /** Functions that the user's own start-up files made. */
  startupFunctions: readonly string[];
  /** Variables that were set or changed since. */
  variables: Readonly<Record<string, string>>;
  /** Options of `shopt` and `set -o` that are on since. */
  options: readonly string[];
  /** Why nobody can tell what the shell has become; undefined where that is known. */
  unclear: string | undefined;
  /** Folders outside of the project that may be read as if they were inside. */
  kept: readonly string[];
  /** Folders of pith's own where a model may keep something itself. */
  scratch: readonly string[];
  /** The file that a program's name leads to, where that is not one of the system's. */
  lookup(name: string): string | undefined;
  /** What git's configuration says in a directory. */
  git(directory: string): readonly GitSetting[];
  /** The files that git keeps of the repository around a directory. */
  tracked(directory: string): Tracked | undefined;
  /** Where links lead that a pattern of absolute paths matches. */
  links(pattern: string): readonly string[];
  /** The path that links lead to; it is given as it was written, absolute. */
  real(path: string): string;
}

/** A shell in which nothing happened yet, in a project of its own: the same on every machine. */
export const freshState: JudgeState = {
  cwd: "/home/user/project",
  roots: ["/home/user/project"],
  home: "/home/user",
  pithHome: "/home/user/.pith",
  temporary: ["/tmp", "/var/tmp", "/private/tmp", "/dev/shm"],
  aliases: {},
  functions: [],
  startupFunctions: [],
  variables: {},
  options: [],
  unclear: undefined,
  kept: [],
  scratch: [],
  lookup: () => undefined,
  git: () => [],
  tracked: () => undefined,
  links: () => [],
  real: (path) => posix.resolve(path),
};
