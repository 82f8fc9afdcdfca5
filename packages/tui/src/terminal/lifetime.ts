import { restoreBytes, type TtyIn } from "./terminal.ts";

/** The parts of a process that matter to a terminal's lifetime. */
export type ProcessLike = Pick<NodeJS.Process, "on" | "off" | "kill" | "pid">;

const endings = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * A shell gets its terminal back however we end: `writeNow` has to reach the terminal before the process is gone, so
 * it writes synchronously.
 * An error that nobody caught and a signal are not swallowed: they go on their way after the terminal is whole again.
 * Signals that somebody else answers in order are not named here, or two would write to the terminal.
 */
export function restoreOnExit(
  process: ProcessLike,
  input: Pick<TtyIn, "setRawMode">,
  writeNow: (bytes: string) => void,
  signals: readonly NodeJS.Signals[] = endings,
): () => void {
  let done = false;
  const restore = () => {
    if (done) return;
    done = true;
    try {
      writeNow(`\r\n${restoreBytes}`);
      input.setRawMode?.(false);
    } catch {
      // The terminal is gone already.
    }
  };
  const end = (signal: NodeJS.Signals) => {
    restore();
    forget();
    process.kill(process.pid, signal);
  };
  const forget = () => {
    done = true;
    for (const signal of signals) process.off(signal, end);
    process.off("exit", restore);
    process.off("uncaughtExceptionMonitor", restore);
  };
  for (const signal of signals) process.on(signal, end);
  process.on("exit", restore);
  process.on("uncaughtExceptionMonitor", restore);
  return forget;
}

/**
 * Ctrl+Z, and a stop that somebody else asks for: the terminal is given away before the whole group stops, and taken
 * back when it goes on, also after a stop that nobody could announce. The answer suspends now.
 */
export function suspendable(process: ProcessLike, leave: () => void, comeBack: () => void): () => void {
  let waiting: Timer | undefined;
  const suspend = () => {
    process.off("SIGTSTP", suspend);
    leave();
    // Nobody reads from the terminal now; with nothing else to wait for, the program would be over when it goes on.
    waiting ??= setInterval(() => {}, 60_000);
    process.kill(0, "SIGTSTP");
  };
  process.on("SIGTSTP", suspend);
  process.on("SIGCONT", () => {
    process.off("SIGTSTP", suspend);
    process.on("SIGTSTP", suspend);
    comeBack();
    clearInterval(waiting);
    waiting = undefined;
  });
  return suspend;
}
