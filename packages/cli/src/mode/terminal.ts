import { writeSync } from "node:fs";
import {
  createTerminal,
  type InputEvent,
  restoreOnExit,
  type Screen,
  suspendable,
  systemTimers,
  type Terminal,
  type TerminalCapabilities,
  type TerminalOptions,
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

export interface TerminalHolderOptions extends Pick<TerminalOptions, "closed" | "learned" | "title" | "questions"> {
  can: TerminalCapabilities;
}

export function holdTerminal({ can, ...options }: TerminalHolderOptions): TerminalHolder {
  const { stdin, stdout } = process as unknown as { stdin: TtyIn; stdout: TtyOut };
  const isDumb = can.id === "dumb";
  let screen: TerminalScreen | undefined;
  let forget = () => {};
  const received = (events: readonly InputEvent[]) => screen?.input(...events);
  const terminal = createTerminal({
    ...options,
    input: stdin,
    output: stdout,
    capabilities: can,
    timers: systemTimers,
    received: isDumb ? joiningPastes(received) : received,
    resized: () => screen?.resized(),
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

/** Nobody types as fast as this behind an Enter. */
const pasteMs = 25;
const newline: InputEvent = { type: "paste", text: "\n" };

/** Joins the lines of a paste where the terminal does not mark it: an Enter with more right behind it is a part of one. */
function joiningPastes(pass: (events: readonly InputEvent[]) => void): typeof pass {
  let cancel: (() => void) | undefined;
  return (events) => {
    const joined = cancel ? [newline] : [];
    cancel?.();
    cancel = undefined;
    for (const [at, event] of events.entries()) {
      const isEnter = event.type === "key" && /^(?:enter|ctrl\+j)$/.test(event.combo);
      if (!isEnter || at < events.length - 1) joined.push(isEnter ? newline : event);
      else
        cancel = systemTimers.after(pasteMs, () => {
          cancel = undefined;
          pass([event]);
        });
    }
    pass(joined);
  };
}
