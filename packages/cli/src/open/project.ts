import { resolve } from "node:path";
import { openTrust, type Settings, type Trust } from "@pith/coder";
import { ok, type Result, span } from "@pith/kit";
import { workDirectory } from "../argv/directory.ts";
import type { LaunchFlags } from "../argv/flag.ts";
import type { Io } from "../io/io.ts";
import { overridesOf } from "./override.ts";
import { settingsIn } from "./setting.ts";

/** A directory to work in, with the settings and the trust that apply there. */
export interface Project {
  flags: LaunchFlags;
  cwd: string;
  settings: Settings;
  trust: Trust;
}

export interface ProjectOptions {
  /** The directory of `--cwd`, or the one of the process, unless this names another. */
  cwd?: string | undefined;
  /** Relative paths in `--add-dir` and `--session-dir` start at the process's directory, or at the project's. */
  base?: "process" | "project";
  /** Answers of an earlier project of the same run. */
  trust?: Trust;
}

/** Reads settings and trust as the flags say: the first step to every session, whichever interface shows it. */
export async function openProject(
  flags: LaunchFlags,
  io: Pick<Io, "cwd" | "home" | "userHome" | "env" | "err">,
  { cwd, base = "process", trust = trustOf(flags, io) }: ProjectOptions = {},
): Promise<Result<Project, "usage" | "setting">> {
  const directory = workDirectory(cwd ?? flags.cwd, io.cwd);
  if (!directory.ok) return directory;
  const overrides = overridesOf(flags, { env: io.env, cwd: base === "process" ? io.cwd : directory.value });
  if (!overrides.ok) return overrides;
  const overlays = flags.config?.map((file) => resolve(io.cwd, file));
  using _ = span("settings");
  const settings = await settingsIn(io, { cwd: directory.value, overlays, overrides: overrides.value }, trust);
  return settings.ok ? ok({ flags, cwd: directory.value, settings: settings.value, trust }) : settings;
}

const trustOf = (flags: LaunchFlags, { home }: Pick<Io, "home">): Trust =>
  openTrust({ home, run: flags.trust ? "everything" : undefined });
