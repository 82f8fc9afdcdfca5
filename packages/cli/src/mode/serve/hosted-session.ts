import { type Entry, type Event, type FileChange, textOf } from "@pith/agent";
import type { Coder } from "@pith/coder";
import type { Io } from "../../io/io.ts";
import type { OpenSession } from "../../open/session.ts";
import { SlotHost } from "../../open/session-host.ts";
import { fixedSlot } from "../../open/slot.ts";
import { dialogOf } from "../../view/question/dialog.ts";
import { Dispatcher } from "../../wire/dispatcher.ts";
import { questionLine } from "../../wire/encoder.ts";
import type { Line, Response, SceneLine } from "../../wire/frame.ts";

/** Takes every line, and the id of the entry that has been told whole with it. */
export type LineListener = (line: Line, entry: string | undefined) => void;

/** A session that lives in this process, whoever looks at it. */
export class HostedSession {
  readonly #session: OpenSession;
  readonly #host: SlotHost;
  readonly #watching = new Set<LineListener>();
  readonly #attached = new Set<(event: Event) => void>();
  /** Verbs that are being carried out and can be stopped, by the ids that interfaces gave them. */
  readonly #running = new Map<string, AbortController>();
  readonly #listening: Disposable[];
  /** Called for each reader when the session is closed. */
  readonly #ends = new Set<() => void>();
  /** Lines of the entry that is being told: a reader has seen the entry with the last of them, and not before. */
  #held: Line[] | undefined;

  constructor(session: OpenSession, io: Io) {
    const { coder } = session;
    this.#session = session;
    // One listener before the host and one behind it, so that the last of its lines can name their entry.
    const before = coder.subscribe((event) => {
      if (event.type === "entry") this.#held ??= [];
      for (const hear of this.#attached) hear(event);
    });
    // Nobody could hear what was told before.
    this.#held = undefined;
    const stays = "This session stays; another is opened by POST /v1/sessions.";
    const emit = (line: Line) => (this.#held ? void this.#held.push(line) : this.#tell(line, undefined));
    const slot = fixedSlot(session, stays);
    this.#host = new SlotHost({ slot, stays, emit, room: async () => {}, leave: () => {} }, io);
    const behind = coder.subscribe((event) => {
      const held = this.#held ?? [];
      this.#held = undefined;
      const id = event.type === "entry" ? event.entry.id : undefined;
      for (const [at, line] of held.entries()) this.#tell(line, at === held.length - 1 ? id : undefined);
    });
    this.#listening = [before, this.#host, behind];
  }

  get id(): string {
    return this.coder.header.id;
  }
  get coder(): Coder {
    return this.#session.coder;
  }

  /** Carries out one command of a program; each is a client of its own. */
  take(command: unknown): Promise<Response | undefined> {
    return new Dispatcher(this.#host).take(command);
  }

  /** Tells the scene, with the entries behind the one that was seen last, and from then on every line. */
  watch(listener: LineListener, over: () => void, since: string | undefined): Disposable {
    listener(this.scene(since), this.coder.record.leaf() ?? undefined);
    for (const question of this.coder.scene.questions) listener(dialogOf(question), undefined);
    return this.#joined(this.#watching, listener, over);
  }

  /** Hands our own events to an attached interface. */
  attach(hear: (event: Event) => void, over: () => void): Disposable {
    return this.#joined(this.#attached, hear, over);
  }

  /** Carries out a verb for an attached interface, which may leave meanwhile; `stop` with the same id ends it. */
  async carryOut(verb: string, args: (signal: AbortSignal) => readonly unknown[], id?: string): Promise<unknown> {
    const stop = new AbortController();
    if (id !== undefined) this.#running.set(id, stop);
    try {
      const method = verb.split(".").reduce((at: unknown, step) => (at as Record<string, unknown>)[step], this.coder);
      return await (method as (...args: readonly unknown[]) => unknown)(...args(stop.signal));
    } finally {
      if (id !== undefined) this.#running.delete(id);
    }
  }

  stop(id: string): void {
    this.#running.get(id)?.abort("Interrupted.");
  }

  #tell(line: Line, entry: string | undefined): void {
    for (const listener of this.#watching) listener(line, entry);
  }

  #joined<T>(all: Set<T>, one: T, over: () => void): Disposable {
    all.add(one);
    this.#ends.add(over);
    return {
      [Symbol.dispose]: () => {
        all.delete(one);
        this.#ends.delete(over);
      },
    };
  }

  scene(since: string | undefined): SceneLine {
    const { turn, answer, calls, queue, questions, status, spent, context } = this.coder.scene;
    return {
      type: "scene",
      ...this.facts(),
      state: turn?.name ?? "idle",
      answer,
      calls: calls.map(({ call, part }) => ({ id: call.id, name: call.name, args: call.arguments, text: part?.text })),
      queue: queue.map(({ id, when, text }) => ({ id, when, text })),
      questions: questions.map(questionLine),
      status,
      spent,
      context,
      ...(since === undefined ? { entries: [], whole: false } : entriesSince(this.coder.record.back(), since)),
    };
  }

  facts() {
    const { header, model, choice, scene, record, running } = this.coder;
    return {
      sessionId: header.id,
      cwd: header.cwd,
      title: titleOf(record.back()),
      model: `${model.vendor}/${model.id}`,
      approval: choice.approval,
      running: running || (scene.turn !== undefined && scene.turn.name !== "idle"),
      waiting: scene.questions.length,
    };
  }

  /** The changes of the call behind a question. */
  async changes(question: string): Promise<readonly FileChange[]> {
    const asked = this.coder.scene.questions.find(({ id }) => id === question);
    return (await asked?.intent?.changes?.()) ?? [];
  }

  async close(): Promise<void> {
    await this.coder.interrupt("the server stops");
    for (const listening of this.#listening) listening[Symbol.dispose]();
    for (const over of [...this.#ends]) over();
    await this.#session.close();
  }
}

/** The entries of the path behind one; all of a path that it is not on. */
function entriesSince(back: Iterable<Entry>, since: string): { entries: Entry[]; whole: boolean } {
  const entries: Entry[] = [];
  for (const entry of back) {
    if (entry.id === since) return { entries: entries.reverse(), whole: false };
    entries.push(entry);
  }
  return { entries: entries.reverse(), whole: true };
}

/** The name of a session, or the first line that was said in it. */
function titleOf(back: Iterable<Entry>): string | undefined {
  let first: string | undefined;
  for (const entry of back) {
    if (entry.type === "session_info" && entry.name) return entry.name;
    if (entry.type === "message" && entry.message.role === "user") first = textOf(entry.message.content);
  }
  return first?.split("\n")[0]?.slice(0, 80);
}
