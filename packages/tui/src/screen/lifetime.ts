import { restoreBytes } from "./terminal.ts";

/** The parts of a process that matter to a terminal's lifetime. */
export type ProcessLike = Pick<NodeJS.Process, "on" | "once" | "off" | "kill" | "pid">;

/**
 * A shell gets its terminal back however we end: `writeNow` has to reach the terminal before the process is gone, so it writes synchronously.
 * An error that nobody caught is not swallowed: it goes on its way after the terminal is whole again.
 */
export function restoreOnExit(process: ProcessLike, writeNow: (bytes: string) => void): () => void {
  let done = false;
  const restore = () => {
    if (done) return;
    done = true;
    try {
      writeNow(`\r\n${restoreBytes}`);
    } catch {
      // The terminal is gone already.
    }
  };
  const signals = ["SIGTERM", "SIGHUP", "SIGQUIT"] as const;
  const handlers = signals.map((signal) => {
    const handler = () => {
      restore();
      process.off(signal, handler);
      process.kill(process.pid, signal);
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  process.on("exit", restore);
  process.on("uncaughtExceptionMonitor", restore);
  return () => {
    done = true;
    for (const [signal, handler] of handlers) process.off(signal, handler);
    process.off("exit", restore);
    process.off("uncaughtExceptionMonitor", restore);
  };
}

/** Ctrl+Z: give the terminal away, stop the whole group, come back on SIGCONT. */
export function suspend(process: ProcessLike, leave: () => void, comeBack: () => void): void {
  process.once("SIGCONT", comeBack);
  leave();
  process.kill(0, "SIGTSTP");
}
