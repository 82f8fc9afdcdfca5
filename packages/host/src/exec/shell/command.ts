import type { Pty } from "../pty/pty.ts";
import type { Trespass } from "../sandbox/guard/guard.ts";
import type { Ended, Running, Watching } from "./running.ts";
import type { Side } from "./state/pair.ts";

export interface ShellCommand extends Watching {
  command: string;
  /** On which side of the wall; outside unless it is said. Where no wall can stand, what is meant for behind one fails. */
  side?: Side | undefined;
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

export interface Ran extends Ended {
  /** Where the next command will run. */
  cwd: string;
  /** Which limits held, and by what means. */
  limits: string;
  /** What a command behind the wall did that it must not, and what became of that. */
  trespasses?: readonly Trespass[];
  /** The wall could not be built: nothing was run. */
  unbuilt?: true;
}

export type AtTerminal = Omit<Pty, "done"> & { done: Promise<Ran & { text: string; trouble?: string }> };

export interface Started extends Omit<Running, "done" | "unlimit"> {
  done: Promise<Ran>;
  /** From now on it is a matter of its own: what it leaves is not the session's. */
  aside(time: "limited" | "unlimited"): void;
}

/** A command that its time or its user ended before it began. */
export function never(
  end: "abort" | "timeout",
  { onData, timeoutMs }: Watching,
  where: Pick<Ran, "cwd" | "limits">,
): Started {
  if (end === "timeout") onData(Buffer.from("bash: the start-up files took all the time; the command was not run\n"));
  const durationMs = end === "timeout" ? timeoutMs : 0;
  return { pid: 0, aside() {}, detach: () => "over", done: Promise.resolve({ end, durationMs, ...where }) };
}
