import type { Pty } from "../pty/pty.ts";
import type { Violation } from "../sandbox/guard/guard.ts";
import type { CommandEnd, RunOptions, SupervisedShell } from "./running.ts";
import type { SandboxSide } from "./state/pair.ts";

export interface ShellCommand extends RunOptions {
  command: string;
  /** Outside unless it is said. Where no sandbox works, a command meant for one fails. */
  side?: SandboxSide | undefined;
  /** The network of a command in the sandbox: that of the session unless it is the machine's. */
  network?: "own" | "host" | undefined;
  /**
   * Another directory than the one the session is in, for this command; unless it moves on from there, the session
   * stays where it is.
   */
  cwd?: string | undefined;
  /** For this command only. */
  env?: Readonly<Record<string, string>>;
  /** It is known to change nothing of the shell itself: no time is spent on what it leaves. */
  leaves?: "nothing" | undefined;
}

export interface ShellResult extends CommandEnd {
  /** Where the next command will run. */
  cwd: string;
  /** Which limits held, and by what means. */
  limits: string;
  /** What a command behind the wall did that it must not, and what became of that. */
  violations?: readonly Violation[];
  /** The wall could not be built: nothing was run. */
  unbuilt?: true;
}

export type TerminalRun = Omit<Pty, "done"> & { done: Promise<ShellResult & { text: string; trouble?: string }> };

export interface RunningCommand extends Omit<SupervisedShell, "done" | "unlimit"> {
  done: Promise<ShellResult>;
  /** From now on it is a matter of its own: what it leaves is not the session's. */
  toBackground(time: "limited" | "unlimited"): void;
}

/** A command that its time or its user ended before it began. */
export function neverStarted(
  end: "abort" | "timeout",
  { onData, timeoutMs }: RunOptions,
  where: Pick<ShellResult, "cwd" | "limits">,
): RunningCommand {
  if (end === "timeout") onData(Buffer.from("bash: the start-up files took all the time; the command was not run\n"));
  const durationMs = end === "timeout" ? timeoutMs : 0;
  return { pid: 0, toBackground() {}, detach: () => "over", done: Promise.resolve({ end, durationMs, ...where }) };
}
