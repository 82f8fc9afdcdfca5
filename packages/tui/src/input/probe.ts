import type { Timers } from "../screen/scheduler.ts";
import type { TerminalReply } from "./event.ts";

const sentinel = "\x1b[c";
const patienceMs = 1000;

interface Question {
  readonly type: TerminalReply["type"];
  readonly matches: (reply: TerminalReply) => boolean;
  settle?: (reply: TerminalReply | undefined) => void;
  /** Set when its DA1 did not come in time either. */
  overdue?: true;
}

/**
 * Asks the terminal. A question goes out together with one that every terminal answers (DA1): if that answer comes
 * first, the terminal does not know the question. Every DA1 has an owner, so that no answer is taken for another one's.
 */
export class Prober {
  readonly #write: (bytes: string) => void;
  readonly #timers: Timers;
  readonly #questions: Question[] = [];
  readonly #listeners: (() => void)[] = [];

  constructor(write: (bytes: string) => void, timers: Timers) {
    this.#write = write;
    this.#timers = timers;
  }

  get pending(): number {
    return this.#questions.filter((question) => question.settle).length;
  }
  get #isQuiet(): boolean {
    return this.#questions.every((question) => question.overdue);
  }

  ask<T extends TerminalReply["type"]>(
    type: T,
    query: string,
    matches: (reply: Extract<TerminalReply, { type: T }>) => boolean = () => true,
  ): Promise<Extract<TerminalReply, { type: T }> | undefined> {
    return new Promise((done) => {
      const question: Question = {
        type,
        matches: (reply) => reply.type === type && matches(reply as never),
        settle: done as (reply: TerminalReply | undefined) => void,
      };
      this.#questions.push(question);
      // A silent terminal: the question is closed, its place in the row stays for a late DA1.
      this.#timers.after(patienceMs, () => {
        close(question, undefined);
        question.overdue = true;
        this.#tell();
      });
      this.#write(query + sentinel);
    });
  }

  /** Takes an answer; says whether a question waited for it. */
  hear(reply: TerminalReply): "owned" | "free" {
    const isSentinel = reply.type === "device";
    const question = isSentinel
      ? this.#questions.shift()
      : this.#questions.find(({ settle, matches }) => settle && matches(reply));
    if (question) close(question, isSentinel ? undefined : reply);
    if (isSentinel) this.#tell();
    return question ? "owned" : "free";
  }

  /** True while an answer of this type may still come, late ones included. */
  expects(type: TerminalReply["type"]): boolean {
    return this.#questions.some((question) => question.type === type);
  }

  /** Resolves when every answer that can still be expected is here: later bytes are read by the terminal's next user. */
  quiet(): Promise<void> {
    return this.#isQuiet ? Promise.resolve() : new Promise((done) => this.#listeners.push(done));
  }

  #tell(): void {
    if (this.#isQuiet) for (const listener of this.#listeners.splice(0)) listener();
  }
}

function close(question: Question, reply: TerminalReply | undefined): void {
  question.settle?.(reply);
  question.settle = undefined;
}
