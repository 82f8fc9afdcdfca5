import { whenAborted } from "@pith/kit";
import type { Answer } from "../event.ts";

/** Questions that wait for an answer. An interrupt answers them all with no. */
export class Questions {
  #open = new Map<string, (answer: Answer) => void>();

  async ask(id: string, signal: AbortSignal): Promise<Answer> {
    const { promise: aborted, stop } = whenAborted(signal);
    const answered = new Promise<Answer>((done) => this.#open.set(id, done));
    try {
      return await Promise.race([answered, aborted.then((): Answer => ({ say: "no", reason: "interrupted" }))]);
    } finally {
      stop();
      this.#open.delete(id);
    }
  }

  /** Answers a question; one that is not open (any more) is passed over. */
  answer(id: string, answer: Answer): void {
    this.#open.get(id)?.(answer);
  }
}
