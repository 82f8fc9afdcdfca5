import type { Image, Text, UserMessage } from "@pith/llm";
import type { Draft, Entry } from "./entry.ts";
import type { Journal } from "./journal.ts";

/** What a person (or a program) says. */
export interface Input {
  text: string;
  images?: Image[];
}

/** `steer` reaches the next step of the running turn; `after` waits until the turn would end. */
export type When = "steer" | "after";

interface Waiting {
  id: string;
  when: When;
  input: Input;
}

/**
 * Input that waits. It is written when admitted (`pith.inbox`) and again as a user message when delivered, which
 * names the first entry: so a crash in between loses nothing and delivers nothing twice.
 */
export class Inbox {
  readonly #journal: Journal;
  #waiting: Waiting[];

  constructor(journal: Journal) {
    this.#journal = journal;
    this.#waiting = journal.tree.queued().flatMap(waiting);
  }

  admit(input: Input, when: When): Entry {
    const entry = this.#journal.append({ type: "custom", customType: inboxType, data: { when, ...input } });
    this.#waiting.push({ id: entry.id, when, input });
    return entry;
  }

  /** Delivers what waits: all that steers, or the first that waits for the end. */
  deliver(when: When, now: number): Entry[] {
    const due = this.#waiting.filter((item) => item.when === when);
    const taken = when === "steer" ? due : due.slice(0, 1);
    if (taken.length === 0) return [];
    this.#waiting = this.#waiting.filter((item) => !taken.includes(item));
    return this.#journal.appendAll(taken.map((item) => ({ ...userDraft(item.input, now), inbox: item.id })));
  }

  texts(when: When): string[] {
    return this.#waiting.filter((item) => item.when === when).map((item) => item.input.text);
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }
}

export function userDraft(input: Input, now: number): Draft & { type: "message" } {
  const text: Text = { type: "text", text: input.text };
  const message: UserMessage = { role: "user", content: [text, ...(input.images ?? [])], timestamp: now };
  return { type: "message", message };
}

const inboxType = "pith.inbox";

function waiting(entry: Entry): Waiting[] {
  const { when, text, images } = ((entry.type === "custom" ? entry.data : undefined) ?? {}) as Partial<Input> & {
    when?: When;
  };
  if (typeof text !== "string") return [];
  return [{ id: entry.id, when: when === "after" ? "after" : "steer", input: { text, ...(images ? { images } : {}) } }];
}
