import { sleep, whenAborted } from "@pith/kit";
import type { Answer, Question } from "../event.ts";
import { intentFields } from "../tool/intent.ts";
import type { Channel } from "./channel.ts";

/** A question without its id and agent. */
export type QuestionDraft = Omit<Question, "id" | "agent"> & {
  about: string;
  /** Resolves when a later decision answers it with yes. */
  covered?: ((signal: AbortSignal) => Promise<void>) | undefined;
};

/** Everything that the questions of a conversation and of its sub-agents share. */
interface Shared {
  open: Map<string, { answer(answer: Answer): void; hold(): void }>;
  used: Set<string>;
  name?: string;
}
const sharedByNobody = (): Shared => ({ open: new Map(), used: new Set() });

/**
 * Open questions, in and outside of turns. Questions and answers are recorded in the order in which they occur. An
 * interrupt or the end of the time answers no.
 */
export class Questions {
  readonly #open: Shared["open"];
  readonly #channel: Channel;
  readonly #agent: string;
  /** `person` if somebody can be asked. */
  readonly asks: "person" | "nobody";
  /** Used ids: an answer in the record belongs to one question. */
  readonly #used: Shared["used"];
  /** The name before the text of each question, for an agent that is asked about in another's conversation. */
  readonly #name: string | undefined;

  constructor(channel: Channel, agent: string, asks: "person" | "nobody", shared: Shared = sharedByNobody()) {
    this.#channel = channel;
    this.#agent = agent;
    this.asks = asks;
    this.#open = shared.open;
    this.#used = shared.used;
    this.#name = shared.name;
  }

  /** The questions of a sub-agent: asked, recorded and answered in this conversation, under its name. */
  under(agent: string, name: string): Questions {
    return new Questions(this.#channel, agent, this.asks, { open: this.#open, used: this.#used, name });
  }

  /** Asks a question; undefined when nobody can be asked. */
  async ask({ about, covered, text, ...asked }: QuestionDraft, signal: AbortSignal): Promise<Answer | undefined> {
    if (this.asks === "nobody") return undefined;
    const who = this.#name === undefined ? "" : `${this.#name}: `;
    const question: Question = { id: this.#idFor(about), agent: this.#agent, text: who + text, ...asked };
    const { promise: aborted, stop } = whenAborted(signal);
    const over = new AbortController();
    const closed = new AbortController();
    const late = new Promise<Answer>((done) => {
      const { timeoutMs } = question;
      if (timeoutMs === undefined) return;
      void sleep(timeoutMs, over.signal).then((how) => how === "slept" && done({ say: "no", by: "timeout" }));
    });
    const allowed = new Promise<Answer>((done) => {
      // If it is unknown whether a decision covers it, the user decides.
      void covered?.(closed.signal).then(
        () => closed.signal.aborted || done({ say: "yes", by: "policy" }),
        () => {},
      );
    });
    const answered = new Promise<Answer>((answer) => this.#open.set(question.id, { answer, hold: () => over.abort() }));
    try {
      this.#record("pith.question", questionFields(question));
      this.#channel.announce({ type: "question", question });
      const gone = aborted.then((): Answer => ({ say: "no", by: "interrupt", words: "interrupted" }));
      const answer = await Promise.race([answered, late, gone, allowed]);
      this.#record("pith.answer", { question: question.id, ...answer });
      this.#channel.announce({ type: "answered", id: question.id, answer });
      return answer;
    } finally {
      stop();
      over.abort();
      closed.abort();
      this.#open.delete(question.id);
    }
  }

  /** Answers a question; the first answer counts. Closed questions are ignored. */
  answer(id: string, answer: Answer): "taken" | "closed" {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.answer(answer);
    return open ? "taken" : "closed";
  }

  /** Stops the timeout: the user has begun to answer. */
  hold(id: string): void {
    this.#open.get(id)?.hold();
  }

  #record(customType: string, data: unknown): void {
    this.#channel.record({ type: "custom", customType, data });
  }

  /** Makes the id unique: call ids repeat. */
  #idFor(about: string): string {
    const id = `${this.#agent}/${about}`;
    let free = id;
    for (let count = 2; this.#used.has(free); count++) free = `${id}-${count}`;
    this.#used.add(free);
    return free;
  }
}

/** Fields for the record, without those recorded elsewhere (the call, its arguments). */
const questionFields = ({ call, intent, body: _, ...question }: Question): Record<string, unknown> => ({
  ...question,
  toolCallId: call?.id,
  toolName: call?.name,
  intent: intent && intentFields(intent),
});
