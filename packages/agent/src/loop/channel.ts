import type { StreamEvent } from "@pith/llm";
import type { Event, Notice } from "../event.ts";
import type { Entry, EntryDraft } from "../session/entry.ts";
import type { Journal, PlacedDraft } from "../session/journal.ts";
import type { Intent } from "../tool/intent.ts";
import { type Scene, sceneAfter, sceneOf } from "./scene.ts";

/** Hides in what is told what nobody shall be told. */
export interface Mask {
  all<T>(value: T): T;
  /** Of what streams; a word is held until it has ended, so that a cut hides nothing. */
  deltas(deltas: readonly StreamEvent[]): readonly StreamEvent[];
}
const open: Mask = { all: (value) => value, deltas: (deltas) => deltas };

/** More than this is never kept for somebody who may listen later. */
const maxKept = 1000;

/**
 * The way up: facts are appended, then announced. It is made of the journal alone and before anything else, so that
 * whatever has something to say can say it from the beginning.
 */
export class Channel {
  readonly #journal: Journal;
  readonly #mask: Mask;
  readonly #listeners = new Set<(event: Event) => void>();
  /** What was announced before anybody listened; undefined from then on. */
  #kept: Event[] | undefined = [];
  #scene: Scene;
  #running = false;

  constructor(journal: Journal, mask: Mask = open) {
    this.#journal = journal;
    this.#mask = mask;
    this.#scene = sceneOf(journal.tree);
    journal.listenFaults((text) => this.notify({ level: "error", text }));
  }

  /** What stands now: the one copy, brought up to date by every event before anybody hears of it. */
  get scene(): Scene {
    return this.#scene;
  }
  /** Whether a turn runs. Only the conversation changes it. */
  get running(): boolean {
    return this.#running;
  }
  set running(now: boolean) {
    this.#running = now;
  }

  record(draft: EntryDraft): Entry {
    return this.recordAll([draft])[0] as Entry;
  }

  /** Several facts with one write. */
  recordAll(drafts: readonly PlacedDraft[]): Entry[] {
    const entries = this.#journal.appendAll(drafts);
    for (const entry of entries) this.announce({ type: "entry", entry });
    return entries;
  }

  /** Something people should know that is not part of the conversation. */
  notify(notice: Notice): void {
    this.announce({ type: "notice", notice });
  }

  announce(told: Event): void {
    const event = this.#masked(told);
    this.#scene = sceneAfter(this.#scene, event);
    // What only paints is of no use afterwards.
    if (this.#kept && this.#kept.length < maxKept && event.type !== "delta") this.#kept.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  #masked(told: Event): Event {
    if (told.type === "delta") return { type: "delta", deltas: this.#mask.deltas(told.deltas) };
    // An entry has been through it already.
    if (told.type === "entry" || told.type === "picture") return told;
    const event = this.#mask.all(told);
    if (event.type === "call") return { ...event, intent: this.#asked(event.intent) };
    if (event.type !== "question" || !event.question.intent) return event;
    return { ...event, question: { ...event.question, intent: this.#asked(event.question.intent) } };
  }

  /** What a call would change is told when somebody asks for it, and goes through the same. */
  #asked(intent: Intent): Intent {
    if (!intent.changes) return intent;
    return { ...intent, changes: async () => this.#mask.all((await intent.changes?.()) ?? []) };
  }

  subscribe(listener: (event: Event) => void): Disposable {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (const event of kept) listener(event);
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
