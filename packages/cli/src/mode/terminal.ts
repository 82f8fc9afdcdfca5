import { writeSync } from "node:fs";
import {
  createLinearScreen,
  createScreen,
  createTerminal,
  frameLog,
  type Pane,
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
import type { Io } from "../io/io.ts";

/** The terminal and what is shown on it, from the first frame to the moment it is given back. */
export interface Glass {
  terminal: Terminal;
  /** The first frame; from now on there is a screen. */
  show(panes: readonly Pane[], focus: Pane): Screen;
  /** To the shell, and back by `fg`. */
  suspend(): void;
  end(): Promise<void>;
}

export interface GlassNeeds {
  can: TerminalCapabilities;
  graphics(row: string): string;
  /** The other end of the terminal is gone. */
  closed(): void;
  learned?(fact: TerminalFact): void;
}

export function openGlass({ can, graphics, closed, learned }: GlassNeeds, io: Io): Glass {
  let screen: Screen | undefined;
  let forget = () => {};
  const terminal = createTerminal({
    input: process.stdin as unknown as TtyIn,
    output: process.stdout as unknown as TtyOut,
    capabilities: can,
    timers: systemTimers,
    received: (events) => screen?.input(...events),
    resized: () => screen?.resized(),
    closed,
    learned(fact) {
      if (fact.fact === "sync") screen?.setSync(fact.on);
      learned?.(fact);
    },
    title: "pith",
  });
  let away = false;
  const leave = () => {
    away = true;
    screen?.stop("suspend");
    terminal.stop();
  };
  const comeBack = () => {
    terminal.start();
    // After a stop that nobody announced, what is shown still stands there.
    if (away) screen?.start();
    else screen?.redraw();
    away = false;
  };
  return {
    terminal,
    show(panes, focus) {
      const trace = can.logsFrames ? frameLog(io.log) : undefined;
      const open = can.reader ? createLinearScreen : createScreen;
      screen = open({ tty: terminal, panes, timers: systemTimers, trace, graphics, ...can });
      screen.focus.set(focus);
      // The others end the face in order.
      forget = restoreOnExit(process, process.stdin, (bytes) => void writeSync(1, bytes), ["SIGQUIT"]);
      terminal.start();
      screen.start();
      return screen;
    },
    suspend: suspendable(process, leave, comeBack),
    async end() {
      // Who asked gets its answer, or a shell would read it.
      await terminal.prober.quiet();
      screen?.stop("exit");
      terminal.stop();
      forget();
    },
  };
}
