import { join } from "node:path";
import { openArtifacts } from "@pith/agent";
import { Shell } from "@pith/host";
import type { Clock } from "@pith/kit";
import type { Settings } from "../setting/setting.ts";
import type { ExecuteParts } from "./execute.ts";
import { type JobParts, Jobs } from "./table.ts";

export interface CommandParts {
  cwd: string;
  /** The directory of pith's own files. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  journalFile: string | undefined;
  clock: Clock;
  /** Where the jobs of a session are kept, and what the last run left. */
  kept?: Pick<JobParts, "before" | "keep">;
  /** Something people should know. */
  tell?(text: string): void;
}

/** All that runs commands in a session shares this: the shell, the jobs, the files of long outputs. */
export interface Commands extends ExecuteParts, AsyncDisposable {
  /** Absent when nothing may run in the background. */
  jobs: Jobs | undefined;
  /** Where the output of detached jobs goes. */
  logs: string;
}

export function openCommands({ cwd, home, env, settings, journalFile, clock, kept, tell }: CommandParts): Commands {
  const mega = (count: number | undefined) => (count === undefined ? undefined : count * 1024 * 1024);
  const [memory, fileSize] = [mega(settings.get("bash.maxMemoryMb")), mega(settings.get("bash.maxFileMb"))];
  const session = mega(settings.get("bash.sessionMemoryMb"));
  const shell = new Shell({
    ...{ cwd, env, shell: settings.get("bash.path"), prefix: env.PITH_SHELL_PREFIX ?? env.CLAUDE_CODE_SHELL_PREFIX },
    limits: {
      command: { processes: settings.get("bash.maxProcesses"), ...(memory !== undefined && { memory }) },
      session: { processes: settings.get("bash.sessionProcesses"), ...(session !== undefined && { memory: session }) },
      freeDisk: settings.get("bash.minFreeDiskMb") * 1024 * 1024,
      ...(fileSize !== undefined && { fileSize }),
    },
    ...(tell && { tell }),
  });
  const jobs = settings.get("async.enabled")
    ? new Jobs({ clock, most: settings.get("async.maxJobs"), ...kept })
    : undefined;
  return {
    ...{ shell, jobs, artifacts: openArtifacts(journalFile), logs: join(home, "jobs") },
    maxOutput: settings.get("bash.maxOutputBytes"),
    noise: settings.get("bash.minimize") ? "minimize" : "keep",
    async [Symbol.asyncDispose]() {
      await jobs?.close();
      shell[Symbol.dispose]();
    },
  };
}
