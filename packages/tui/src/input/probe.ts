import type { Timers } from "../screen/scheduler.ts";
import type { TerminalReply } from "./event.ts";

// A question to the terminal goes out together with one that every terminal answers (DA1). If the second answer comes
// first, the terminal does not know the question. Every DA1 has an owner, so that no answer is taken for another one's.

export interface Prober {
  ask<T extends TerminalReply["type"]>(
    type: T,
    query: string,
    matches?: (reply: Extract<TerminalReply, { type: T }>) => boolean,
  ): Promise<Extract<TerminalReply, { type: T }> | undefined>;
  /** Takes an answer; says whether somebody waited for it. */
  hear(reply: TerminalReply): "owned" | "free";
  /** Whether an answer of this type may still come, late ones included. */
  expects(type: TerminalReply["type"]): boolean;
  readonly pending: number;
  /**
   * When every answer that can still be expected is here: what comes later is read by whoever has the terminal then.
   */
  quiet(): Promise<void>;
}

interface Question {
  readonly type: TerminalReply["type"];
  readonly matches: (reply: TerminalReply) => boolean;
  settle?: (reply: TerminalReply | undefined) => void;
  /** Its DA1 did not come in time either. */
  overdue?: true;
}

const sentinel = "\x1b[c";

export function createProber(write: (bytes: string) => void, timers: Timers, patience = 1000): Prober {
  const questions: Question[] = [];
  const listeners: (() => void)[] = [];
  const isQuiet = () => questions.every((question) => question.overdue);
  const tell = () => {
    if (!isQuiet()) return;
    for (const listener of listeners.splice(0)) listener();
  };
  const close = (question: Question, reply: TerminalReply | undefined) => {
    question.settle?.(reply);
    question.settle = undefined;
  };
  return {
    ask(type, query, matches = () => true) {
      return new Promise((done) => {
        const question: Question = {
          type,
          matches: (reply) => reply.type === type && matches(reply as never),
          settle: done as (reply: TerminalReply | undefined) => void,
        };
        questions.push(question);
        // A silent terminal: the question is closed, its place in the row stays for a late DA1.
        timers.after(patience, () => {
          close(question, undefined);
          question.overdue = true;
          tell();
        });
        write(query + sentinel);
      });
    },
    hear(reply) {
      if (reply.type === "device") {
        const owner = questions.shift();
        if (owner) close(owner, undefined);
        tell();
        return owner ? "owned" : "free";
      }
      const asked = questions.find((question) => question.settle && question.matches(reply));
      if (!asked) return "free";
      close(asked, reply);
      return "owned";
    },
    expects: (type) => questions.some((question) => question.type === type),
    get pending() {
      return questions.filter((question) => question.settle).length;
    },
    quiet: () => (isQuiet() ? Promise.resolve() : new Promise((done) => listeners.push(done))),
  };
}
