import type { ShellDialect } from "./script.ts";

export interface ShellProgram {
  path: string;
  dialect: ShellDialect;
}

export interface FindShellOptions {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The user's choice; has to be a bash or an sh. */
  configured?: string | undefined;
  exists(path: string): boolean;
}

/**
 * The shell that commands are written for: bash, or sh where there is none. Never the user's own, whose language may
 * differ.
 */
export function findShell({ platform, env, configured, exists }: FindShellOptions): ShellProgram | undefined {
  const path = configured ?? [...(platform === "win32" ? windows(env) : unix(env))].find(exists);
  return path === undefined ? undefined : { path, dialect: /bash(?:\.exe)?$/i.test(path) ? "bash" : "sh" };
}

function* unix(env: FindShellOptions["env"]): Generator<string> {
  yield* ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"];
  for (const dir of (env.PATH ?? "").split(":")) if (dir.startsWith("/")) yield `${dir}/bash`;
  yield "/bin/sh";
}

/** The bash of Git, and never the one in System32: that belongs to another system with other paths. */
function* windows(env: FindShellOptions["env"]): Generator<string> {
  for (const base of [
    env.ProgramFiles,
    env["ProgramFiles(x86)"],
    env.LOCALAPPDATA && `${env.LOCALAPPDATA}\\Programs`,
  ]) {
    if (base) yield `${base}\\Git\\bin\\bash.exe`;
  }
  for (const dir of (env.PATH ?? env.Path ?? "").split(";"))
    if (dir && !/\\system32\\?$/i.test(dir)) yield `${dir}\\bash.exe`;
}
