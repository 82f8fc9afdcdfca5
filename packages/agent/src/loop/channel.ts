import type { StreamEvent } from "@pith/llm";
import type { Event, Notice } from "../event.ts";
import type { Entry, EntryDraft } from "../session/entry.ts";
import type { Journal, PlacedDraft } from "../session/journal.ts";
import type { Intent } from "../tool/intent.ts";
import { type Scene, sceneAfter, sceneOf } from "./scene.ts";

/** Hides secrets in events. */
export interface Mask {
  all<T>(value: T): T;
  /** Masks streamed text; words are held until complete, so that a split secret is found. */
  deltas(deltas: readonly StreamEvent[]): readonly StreamEvent[];
}
const open: Mask = { all: (value) => value, deltas: (deltas) => deltas };

/** Events kept at most for a later listener. */
const maxKept = 1000;

/**
 * Announces events, after appending facts to the journal. Created first, from the journal alone, so that everything
 * else can announce from the start.
 */
export class Channel {
  readonly #journal: Journal;
  readonly #mask: Mask;
  readonly #listeners = new Set<(event: Event) => void>();
  /** Events announced before anybody listened; undefined from then on. */
  #kept: Event[] | undefined = [];
  #scene: Scene;
  /** True while a turn runs. Set by the conversation only. */
  running = false;

  constructor(journal: Journal, mask: Mask = open) {
    this.#journal = journal;
    this.#mask = mask;
    this.#scene = sceneOf(journal.tree);
    journal.listenFaults((text) => this.notify({ level: "error", text }));
  }

  /** Current state: the only copy, updated before listeners hear of an event. */
  get scene(): Scene {
    return this.#scene;
  }

  record(draft: EntryDraft): Entry {
    return this.recordAll([draft])[0] as Entry;
  }

  /** Records several facts with one write. */
  recordAll(drafts: readonly PlacedDraft[]): Entry[] {
    const entries = this.#journal.appendAll(drafts);
    for (const entry of entries) this.announce({ type: "entry", entry });
    return entries;
  }

  /** Tells the user something that is not part of the conversation. */
  notify(notice: Notice): void {
    this.announce({ type: "notice", notice });
  }

  announce(told: Event): void {
    const event = this.#masked(told);
    this.#scene = sceneAfter(this.#scene, event);
    // Deltas are only for display and of no use later.
    if (this.#kept && this.#kept.length < maxKept && event.type !== "delta") this.#kept.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  #masked(told: Event): Event {
    if (told.type === "delta") return { type: "delta", deltas: this.#mask.deltas(told.deltas) };
    // Entries have been masked already.
    if (told.type === "entry" || told.type === "picture") return told;
    const event = this.#mask.all(told);
    if (event.type === "call") return { ...event, intent: this.#asked(event.intent) };
    if (event.type !== "question" || !event.question.intent) return event;
    return { ...event, question: { ...event.question, intent: this.#asked(event.question.intent) } };
  }

  /** Masks the changes of a call when they are asked for. */
  #asked(intent: Intent): Intent {
    if (!intent.changes) return intent;
    return { ...intent, changes: async () => this.#mask.all((await intent.changes?.()) ?? []) };
  }

  subscribe(listener: (event: Event) => void): Disposable {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (const event of kept) listener(event);
    return this.listen(listener);
  }

  /** Hears what comes from now on; for parts, which leave what came before to the first interface. */
  listen(listener: (event: Event) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
