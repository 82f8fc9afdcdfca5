import type { ShellDialect } from "./script.ts";

export interface ShellProgram {
  path: string;
  dialect: ShellDialect;
}

export interface FindShellOptions {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The shell that the user has chosen; has to be a bash or an sh. */
  configured?: string | undefined;
  exists(path: string): boolean;
}

/** The shell that commands are written for: bash, else sh. Never the user's own, whose language may differ. */
export function findShell({ platform, env, configured, exists }: FindShellOptions): ShellProgram | undefined {
  const path = configured ?? (platform === "win32" ? windowsShells(env) : unixShells(env)).find(exists);
  return path === undefined ? undefined : { path, dialect: /bash(?:\.exe)?$/i.test(path) ? "bash" : "sh" };
}

function unixShells({ PATH = "" }: FindShellOptions["env"]): string[] {
  const onPath = PATH.split(":").filter((dir) => dir.startsWith("/"));
  const dirs = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", ...onPath];
  return [...dirs.map((dir) => `${dir}/bash`), "/bin/sh"];
}

/** The bash of Git, and never the one in System32: that belongs to another system with other paths. */
function windowsShells(env: FindShellOptions["env"]): string[] {
  const bases = [env.ProgramFiles, env["ProgramFiles(x86)"], env.LOCALAPPDATA && `${env.LOCALAPPDATA}\\Programs`];
  const onPath = (env.PATH ?? env.Path ?? "").split(";").filter((dir) => dir && !/\\system32\\?$/i.test(dir));
  const dirs = [...bases.filter(Boolean).map((base) => `${base}\\Git\\bin`), ...onPath];
  return dirs.map((dir) => `${dir}\\bash.exe`);
}
