import { writeSync } from "node:fs";
import type { Out } from "../../../io/out.ts";

/**
 * How the terminal hands over what is typed: key by key while we have it, and as a shell left it when somebody else
 * has it or the process is over, in whatever way it ended.
 */
export class Mode {
  readonly #out: Pick<Out, "write">;
  /** Whether the terminal is asked to say what was pasted. */
  readonly #pastes: "marked" | "typed";
  #has: "we" | "program" | "shell" = "shell";
  #restores = false;

  constructor(out: Pick<Out, "write">, pastes: "marked" | "typed") {
    this.#out = out;
    this.#pastes = pastes;
  }

  take(): void {
    if (!this.#restores) process.on("exit", () => this.#restore());
    this.#restores = true;
    // Whoever had it since we did has changed it, and what is remembered as set would not be set again.
    raw("off");
    raw("on");
    this.#has = "we";
    if (this.#pastes === "marked") this.#out.write(marks.on);
  }

  leave(): void {
    if (this.#has === "shell") return;
    this.#has = "shell";
    if (this.#pastes === "marked") this.#out.write(marks.off);
    raw("off");
  }

  /** Keys go to a program, one by one; then all is as it was. */
  lend(): Disposable {
    const had = this.#has;
    if (had === "we" && this.#pastes === "marked") this.#out.write(marks.off);
    raw("on");
    this.#has = "program";
    return { [Symbol.dispose]: () => (had === "we" ? this.take() : this.leave()) };
  }

  /** Nothing that takes its time is waited for any more. */
  #restore(): void {
    if (this.#has === "shell") return;
    this.#has = "shell";
    try {
      if (this.#pastes === "marked") writeSync(1, marks.off);
      raw("off");
    } catch {
      // The terminal is gone already.
    }
  }
}

const marks = { on: "\x1b[?2004h", off: "\x1b[?2004l" };

function raw(is: "on" | "off"): void {
  try {
    process.stdin.setRawMode?.(is === "on");
  } catch {
    // A terminal that has gone has no mode.
  }
}
