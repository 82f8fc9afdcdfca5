import { tryOr } from "@pith/kit";
import { restoreBytes, type TtyIn } from "./terminal.ts";

/** The parts of a process that matter to a terminal's lifetime. */
export type ProcessLike = Pick<NodeJS.Process, "on" | "off" | "kill" | "pid">;

const endings = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Gives the shell its terminal back however the process ends; `writeNow` writes synchronously. Uncaught errors and
 * signals go on their way afterwards. `signals` are only those that nobody else answers, or two would write.
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
    // A terminal that is gone already throws.
    tryOr(() => {
      writeNow(`\r\n${restoreBytes}`);
      input.setRawMode?.(false);
    });
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
 * Gives the terminal away before the process group stops (Ctrl+Z, or a stop from outside) and takes it back when it
 * goes on, also after a stop that was not announced. The returned function suspends at once.
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
