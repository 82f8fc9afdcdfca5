import type { Pty } from "../pty/pty.ts";
import type { Violation } from "../sandbox/guard/guard.ts";
import type { Discarded } from "../sandbox/layer/discarded.ts";
import type { CommandGrants, SandboxKind } from "../sandbox/sandbox.ts";
import type { CommandEnd, RunOptions, SupervisedShell } from "./running.ts";
import type { SandboxSide } from "./state/pair.ts";
import type { AssignedVariable } from "./state/transfer.ts";

export interface ShellCommand extends RunOptions {
  command: string;
  /** Outside unless given. Where no sandbox works, a command meant for one fails. */
  side?: SandboxSide | undefined;
  /** Files that it may write in a sandbox; by its side unless given. */
  writes?: SandboxKind["writes"] | undefined;
  /** Rights that it has in a sandbox for as long as it runs, beside the usual ones. */
  grants?: CommandGrants | undefined;
  /** Variables that its text assigns word for word; of a reading command no others reach the rest. */
  assigns?: readonly AssignedVariable[] | undefined;
  /** Another directory for this command only; the session stays where it is unless the command moves on from there. */
  cwd?: string | undefined;
  /** Variables for this command only. */
  env?: Readonly<Record<string, string>>;
  /** `nothing` if it is known not to change the state of the shell: no time is spent on saving that. */
  leaves?: "nothing" | undefined;
}

export interface ShellResult extends CommandEnd {
  /** The directory of the next command. */
  cwd: string;
  /** The limits that held, and by what means. */
  limits: string;
  /** Changes by a command in the sandbox that are not allowed, and what became of them. */
  violations?: readonly Violation[];
  /** Changes in layers, which are gone. */
  discarded?: readonly Discarded[] | undefined;
  /** Set if the sandbox could not be built: nothing was run. */
  unbuilt?: true;
}

export type TerminalRun = Omit<Pty, "done"> & { done: Promise<ShellResult & { text: string; trouble?: string }> };

/** A command for a terminal of its own. */
export type TerminalCommand = ShellCommand & { columns: number; rows: number };

export interface RunningCommand extends Pick<SupervisedShell, "pid" | "detach"> {
  done: Promise<ShellResult>;
  /** Makes the command a matter of its own: the state it leaves is not the session's. */
  toBackground(time: "limited" | "unlimited"): void;
}

/** The result of a command that its time or its user ended before it began. */
export function neverStarted(
  end: "abort" | "timeout",
  { onData, timeoutMs }: RunOptions,
  where: Pick<ShellResult, "cwd" | "limits">,
): RunningCommand {
  if (end === "timeout") onData(Buffer.from("bash: the start-up files took all the time; the command was not run\n"));
  const durationMs = end === "timeout" ? timeoutMs : 0;
  return { pid: 0, toBackground() {}, detach: () => "over", done: Promise.resolve({ end, durationMs, ...where }) };
}
