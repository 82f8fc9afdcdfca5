export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Hands signals to the present handler. Without one, the process ends as interrupted. */
export class Interrupts {
  readonly #quit: (code: number) => void;
  #handler: ((signal: Signal) => void) | undefined;
  /** True once a handler has gone: the process is putting everything in order to leave. */
  #leaves = false;

  constructor(quit: (code: number) => void) {
    this.#quit = quit;
  }

  handle(handler: (signal: Signal) => void): Disposable {
    this.#handler = handler;
    return {
      [Symbol.dispose]: () => {
        if (this.#handler !== handler) return;
        this.#handler = undefined;
        this.#leaves = true;
      },
    };
  }

  raise(signal: Signal): void {
    if (this.#handler) this.#handler(signal);
    // A terminal that closes ends our input and hangs up, and so does every shell around us: it asks for nothing more.
    else if (signal !== "SIGHUP" || !this.#leaves) this.#quit(exit.interrupted);
  }
}

/** Exit codes of the process. */
export const exit = {
  /** The model finished, whatever single tools answered. */
  finished: 0,
  /** The run could not finish: an error, a limit. */
  unfinished: 1,
  usage: 2,
  /** 128 and the number of the signal, as shells have it. */
  hungUp: 129,
  interrupted: 130,
} as const;
