import { recordOf } from "@pith/kit";
import type { Image, Text, UserMessage } from "@pith/llm";
import type { Meta } from "../tool/meta.ts";
import type { Entry, EntryDraft } from "./entry.ts";
import { isPart } from "./format/sound.ts";
import type { Journal } from "./journal.ts";

/** Input from a person or a program. */
export interface UserInput {
  text: string;
  images?: Image[];
  /** Origin of text in it that neither the user nor the project wrote. */
  origin?: Meta["origin"];
}

/** `steer` reaches the next step of the running turn; `after` waits for the end of the turn. */
export type DeliveryTime = "steer" | "after";

/** Amount of waiting input delivered at once. */
export type DeliveryMode = "all" | "one-at-a-time";

/** Waiting input for a user interface. */
export interface QueuedInput {
  /** Id of its entry, for `withdraw`. */
  id: string;
  when: DeliveryTime;
  text: string;
  images: number;
}

/** Withdrawn input and its entry. */
export interface WithdrawnInput {
  input: UserInput;
  when: DeliveryTime;
  entry: Entry;
}

interface Waiting {
  id: string;
  when: DeliveryTime;
  input: UserInput;
  /** The record in the file says that it waits. */
  isRecorded: boolean;
}

/**
 * Waiting input. It is recorded when admitted (`pith.inbox`), and again when delivered (a user message) or withdrawn
 * (`pith.withdrawn`); both name the first entry, so a crash neither loses input nor delivers it twice.
 */
export class InputQueue {
  readonly #journal: Journal;
  #waiting: Waiting[];

  constructor(journal: Journal) {
    this.#journal = journal;
    this.#waiting = journal.tree.queued().flatMap(waitingIn);
  }

  admit(input: UserInput, when: DeliveryTime): Entry {
    const entry = this.#journal.append({ type: "custom", customType: "pith.inbox", data: { when, ...input } });
    this.#waiting.push({ id: entry.id, when, input, isRecorded: !this.#journal.isBehind });
    return entry;
  }

  /** Withdraws input; undefined if it no longer waits. */
  withdraw(id: string): WithdrawnInput | undefined {
    const item = this.#waiting.find((waiting) => waiting.id === id);
    if (!item) return undefined;
    const entry = this.#journal.append({ type: "custom", customType: "pith.withdrawn", data: { inbox: id } });
    this.#waiting = this.#waiting.filter((waiting) => waiting !== item);
    return { input: item.input, when: item.when, entry };
  }

  /** Delivers input: by default all that steers, or the first that waits for the end. */
  deliver(
    when: DeliveryTime,
    now: number,
    delivery: DeliveryMode = when === "steer" ? "all" : "one-at-a-time",
  ): Entry[] {
    // The next process would deliver it again: the file says that it waits, and cannot be told that it no longer does.
    const isStuck = ({ isRecorded }: Waiting) => isRecorded && this.#journal.isBehind;
    const due = this.#waiting.filter((item) => item.when === when && !isStuck(item));
    const taken = delivery === "all" ? due : due.slice(0, 1);
    if (taken.length === 0) return [];
    this.#waiting = this.#waiting.filter((item) => !taken.includes(item));
    return this.#journal.appendAll(taken.map((item) => ({ ...userDraft(item.input, now), inbox: item.id })));
  }

  /** Hands waiting input over to another record: returns the entries for that record and for this one. */
  leave(): { there: EntryDraft[]; here: EntryDraft[] } {
    const waiting = this.#waiting;
    this.#waiting = [];
    const own = (customType: string, data: unknown): EntryDraft => ({ type: "custom", customType, data });
    return {
      there: waiting.map(({ when, input }) => own("pith.inbox", { when, ...input })),
      here: waiting.map(({ id }) => own("pith.withdrawn", { inbox: id })),
    };
  }

  /** Reads the queue again after the journal switched to another record. */
  reread(): void {
    this.#waiting = this.#journal.tree.queued().flatMap(waitingIn);
  }

  /** Waiting input in order. */
  list(): QueuedInput[] {
    return this.#waiting.map(({ id, when, input: { text, images = [] } }) => ({
      id,
      when,
      text,
      images: images.length,
    }));
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }
}

export function userDraft(input: UserInput, now: number): EntryDraft & { type: "message" } {
  const text: Text = { type: "text", text: input.text };
  const message: UserMessage = { role: "user", content: [text, ...(input.images ?? [])], timestamp: now };
  return { type: "message", message, origin: input.origin };
}

function waitingIn(entry: Entry): Waiting[] {
  const { when, text, images, origin }: Partial<UserInput & { when: DeliveryTime }> =
    entry.type === "custom" ? recordOf(entry.data) : {};
  if (typeof text !== "string") return [];
  const shown = Array.isArray(images) ? images.filter((image) => isPart(image) && image.type === "image") : [];
  const input = { text, images: shown, origin };
  return [{ id: entry.id, when: when === "after" ? "after" : "steer", input, isRecorded: true }];
}
