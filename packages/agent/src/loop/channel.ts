import type { Event, Notice } from "../event.ts";
import type { Draft, Entry } from "../session/entry.ts";
import type { Journal } from "../session/journal.ts";
import { type Scene, sceneAfter, sceneOf } from "./scene.ts";

/** Hides in what is told what nobody shall be told. */
type Mask = <T>(value: T) => T;

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

  constructor(journal: Journal, mask: Mask = (value) => value) {
    this.#journal = journal;
    this.#mask = mask;
    this.#scene = sceneOf(journal.tree);
    journal.hear((text) => this.tell({ level: "error", text }));
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

  record(draft: Draft): Entry {
    return this.recordAll([draft])[0] as Entry;
  }

  /** Several facts with one write. */
  recordAll(drafts: readonly Draft[]): Entry[] {
    const entries = this.#journal.appendAll(drafts);
    for (const entry of entries) this.announce({ type: "entry", entry });
    return entries;
  }

  /** Something people should know that is not part of the conversation. */
  tell(notice: Notice): void {
    this.announce({ type: "notice", notice });
  }

  announce(told: Event): void {
    // An entry has been through it already; what a model streams it has been told.
    const event = told.type === "entry" || told.type === "delta" || told.type === "picture" ? told : this.#mask(told);
    this.#scene = sceneAfter(this.#scene, event);
    // What only paints is of no use afterwards.
    if (this.#kept && this.#kept.length < maxKept && event.type !== "delta") this.#kept.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  subscribe(listener: (event: Event) => void): Disposable {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (const event of kept) listener(event);
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }
}
