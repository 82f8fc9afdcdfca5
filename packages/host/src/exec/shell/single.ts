import type { Result } from "@pith/kit";
import type { ShellCommand, ShellResult } from "./command.ts";
import { Shell, type ShellOptions } from "./shell.ts";

/** Runs one command in a shell of its own, without the user's start-up files. */
export async function runShell({
  cwd,
  env,
  ...command
}: Omit<ShellCommand, "env" | "cwd"> & Pick<ShellOptions, "cwd" | "env">): Promise<
  Result<ShellResult, "command" | "spawn">
> {
  using shell = new Shell({ cwd, env, startup: "skip" });
  return await shell.run(command);
}
