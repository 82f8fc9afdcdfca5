import { writeSync } from "node:fs";
import {
  createTerminal,
  restoreOnExit,
  type Screen,
  suspendable,
  systemTimers,
  type Terminal,
  type TerminalCapabilities,
  type TerminalFact,
  type TtyIn,
  type TtyOut,
} from "@pith/tui";

/** The terminal of the process, and what is shown on it until the terminal is given back. */
export interface TerminalHolder {
  readonly terminal: Terminal;
  /** Takes the terminal and shows the first frame. */
  show(screen: TerminalScreen): void;
  /** Goes to the shell; `fg` comes back. */
  suspend(): void;
  end(): Promise<void>;
}

export type TerminalScreen = Pick<Screen, "start" | "stop" | "redraw" | "resized" | "input">;

export interface TerminalHolderOptions {
  can: TerminalCapabilities;
  /** `asked`: the terminal is asked what it can do. */
  questions: "asked" | "none";
  title?: string;
  /** Called when the other end of the terminal is gone. */
  closed(): void;
  learned?(fact: TerminalFact): void;
}

export function holdTerminal({ can, questions, title, closed, learned }: TerminalHolderOptions): TerminalHolder {
  const { stdin, stdout } = process as unknown as { stdin: TtyIn; stdout: TtyOut };
  // A dumb terminal would print control sequences, and nothing else is written here.
  const isDumb = can.id === "dumb";
  let screen: TerminalScreen | undefined;
  let forget = () => {};
  const terminal = createTerminal({
    input: stdin,
    output: isDumb ? muted(stdout) : stdout,
    capabilities: questions === "asked" ? can : { ...can, id: "dumb" },
    timers: systemTimers,
    received: (events) => screen?.input(...events),
    resized: () => screen?.resized(),
    closed,
    learned,
    title,
  });
  let away = false;
  const leave = () => {
    away = true;
    screen?.stop("suspend");
    terminal.stop();
  };
  const comeBack = () => {
    terminal.start();
    // After a stop that nobody announced, the last frame is still on the screen.
    if (away) screen?.start();
    else screen?.redraw();
    away = false;
  };
  return {
    terminal,
    show(next) {
      screen = next;
      // Other signals end the interface in order.
      forget = restoreOnExit(process, stdin, (bytes) => isDumb || void writeSync(1, bytes), ["SIGQUIT"]);
      terminal.start();
      screen.start();
    },
    suspend: suspendable(process, leave, comeBack),
    async end() {
      // A late answer to a question would be read by the shell.
      await terminal.prober.quiet();
      screen?.stop("exit");
      terminal.stop();
      forget();
    },
  };
}

/** The same end of a terminal, to which nothing is written. */
const muted = (out: TtyOut): TtyOut => ({
  get columns() {
    return out.columns;
  },
  get rows() {
    return out.rows;
  },
  write() {},
  on: (event, call) => out.on(event, call),
  off: (event, call) => out.off(event, call),
});
