import { posix } from "node:path";

/** Facts that a command is judged by, beside its text; judging looks at nothing else. */
export interface JudgeState {
  /** Directory in which the command starts, a real path. */
  cwd: string;
  /** The folders of the project. */
  roots: readonly string[];
  home: string;
  pithHome: string;
  /** Folders where anybody may put temporary files. */
  temporary: readonly string[];
  /** Files among those that are the machine's own, though the sandbox has a folder of its own in that place. */
  given?: ((path: string) => boolean) | undefined;
  /** Folders outside of the project that may be read as if they were inside. */
  kept: readonly string[];
  /** Folders of pith's own where a model may keep something itself. */
  scratch: readonly string[];
  /** The folders in which programs are searched, for those that search themselves. */
  searchPath: string;
  /** Finds a program that may run by its name; undefined where the file could be somebody else's. */
  program(name: string): ProgramFile | undefined;
  /** Tells why git must not run in a directory without a sandbox; undefined where its configuration is harmless. */
  git(directory: string): string | undefined;
  /** The paths that a pattern matches, sorted; undefined where they are too many. */
  glob(pattern: string): readonly string[] | undefined;
  isDirectory(path: string): boolean;
  /** The path that links lead to; the path is given as it was written, absolute. */
  real(path: string): string;
}

export interface ProgramFile {
  /** The words that run it: its real path, and its name where one file is many programs. */
  call: readonly string[];
  flavor: "gnu" | "bsd" | "busybox";
}

/** A project of its own with nothing special in it: the same on every machine. */
export const freshState: JudgeState = {
  cwd: "/home/user/project",
  roots: ["/home/user/project"],
  home: "/home/user",
  pithHome: "/home/user/.pith",
  temporary: ["/tmp", "/var/tmp", "/private/tmp", "/dev/shm"],
  kept: [],
  scratch: [],
  searchPath: "/usr/bin",
  program: (name) => ({ call: [`/usr/bin/${name}`], flavor: "gnu" }),
  git: () => undefined,
  glob: (pattern) => [pattern.replaceAll("*", "x").replaceAll("?", "x")],
  isDirectory: () => true,
  real: (path) => posix.resolve(path),
};
