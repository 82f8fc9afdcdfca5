import type { Artifacts } from "@pith/agent";
import { type Env, Shell, type ShellLimits, type ShellRuntime } from "@pith/host";
import type { Clock } from "@pith/kit";
import type { SettingView } from "../setting/setting.ts";
import { mega } from "../setting/spec.ts";
import type { ExecuteSources } from "./execute.ts";
import { detachedFolder } from "./job/detached.ts";
import { Jobs, type JobsOptions } from "./job/jobs.ts";
import type { LateSandbox } from "./sandbox.ts";

export interface SessionShellOptions {
  cwd: string;
  /** Directory in which the shell goes on, as an earlier run of the session left it. */
  at?: string | undefined;
  /** The directory of pith's own files. */
  home: string;
  env: Env;
  settings: SettingView;
  artifacts: Artifacts;
  ground(): ShellRuntime;
  /** The sandbox for commands of the model. */
  wall?: LateSandbox;
  clock: Clock;
  /** Stores the jobs of a session, and what the last run left. */
  kept: Pick<JobsOptions, "before" | "store">;
  /** Bytes of an output that are shown. */
  maxShown(): number;
  masking?: ExecuteSources["masking"];
  /** True when a variable that start-up files export is kept from commands. */
  hides?(name: string, value: string): boolean;
  /** Something people should know. */
  tell(text: string): void;
}

/** All that runs commands in a session shares this: the shell, the jobs, the files of long outputs. */
export interface SessionShell extends ExecuteSources, AsyncDisposable {
  /** Absent when nothing may run in the background. */
  jobs: Jobs | undefined;
  /** Directory for the output of detached jobs. */
  logs: string;
}

export function openSessionShell(options: SessionShellOptions): SessionShell {
  const { cwd, at, home, env, settings, artifacts, ground, wall, clock, kept, maxShown, masking, hides, tell } =
    options;
  const prefix = env.PITH_SHELL_PREFIX ?? env.CLAUDE_CODE_SHELL_PREFIX;
  const shell = new Shell({
    cwd,
    startIn: at,
    env,
    prefix,
    get runtime() {
      return ground();
    },
    hidesExport: hides,
    notify: tell,
    get sandbox() {
      return wall?.open();
    },
  });
  const jobs = settings.get("async.enabled")
    ? new Jobs({ clock, maxRunning: settings.get("async.maxJobs"), ...kept })
    : undefined;
  return {
    shell,
    jobs,
    artifacts,
    logs: detachedFolder(home),
    maxOutput: settings.get("bash.maxOutputBytes"),
    noise: settings.get("bash.minimize") ? "minimize" : "keep",
    maxShown,
    ...(masking && { masking }),
    async [Symbol.asyncDispose]() {
      await jobs?.close();
      shell[Symbol.dispose]();
      for (const { path, what, text } of (await wall?.known?.settle()) ?? [])
        tell(`${path} (in the sandbox, ${what}): ${text}`);
      wall?.known?.[Symbol.dispose]();
    },
  };
}

/** Reads the limits of commands from the settings. */
export function shellLimits(settings: SettingView): ShellLimits {
  const memory = settings.get("bash.maxMemoryMb");
  const session = settings.get("bash.sessionMemoryMb");
  const file = settings.get("bash.maxFileMb");
  return {
    command: {
      processes: settings.get("bash.maxProcesses"),
      ...(memory === undefined ? {} : { memory: memory * mega }),
    },
    session: {
      processes: settings.get("bash.sessionProcesses"),
      ...(session === undefined ? {} : { memory: session * mega }),
    },
    freeDisk: settings.get("bash.minFreeDiskMb") * mega,
    ...(file === undefined ? {} : { fileSize: file * mega }),
  };
}
