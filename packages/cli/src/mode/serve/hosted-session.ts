import type { Entry, Event, FileChange } from "@pith/agent";
import type { Io } from "../../io/io.ts";
import type { OpenSession } from "../../open/open.ts";
import { createSessionHost } from "../../open/session-host.ts";
import { fixedSlot } from "../../open/slot.ts";
import { dialogOf } from "../../view/question/dialog.ts";
import { Dispatcher } from "../../wire/dispatcher.ts";
import { questionLine } from "../../wire/encoder.ts";
import type { Line, Response, SceneLine } from "../../wire/frame.ts";
import type { SessionHost } from "../../wire/session-host.ts";

/** One who watches: every line, and the entry that has been told whole with it. */
export type Watch = (line: Line, entry: string | undefined) => void;

/** A session that lives here, whoever looks at it. */
export class HostedSession {
  readonly #conversation: OpenSession;
  readonly #station: SessionHost & Disposable;
  readonly #watches = new Set<Watch>();
  readonly #attached = new Set<(event: Event) => void>();
  /** Verbs that are being carried out and can be stopped, by the ids that interfaces gave them. */
  readonly #running = new Map<string, AbortController>();
  readonly #heard: Disposable[];
  /** Ends what is still told to somebody, when nothing more will be. */
  readonly #ends = new Set<() => void>();
  /** Lines of the entry that is being told: who has the last of them has seen it, and nobody before. */
  #held: Line[] | undefined;

  constructor(conversation: OpenSession, io: Io) {
    const { coder } = conversation;
    this.#conversation = conversation;
    // Before the station and behind it, so that the last of its lines can name their entry.
    const before = coder.subscribe((event) => {
      if (event.type === "entry") this.#held ??= [];
      for (const hear of this.#attached) hear(event);
    });
    // What was told before anybody listened is nobody's to hear.
    this.#held = undefined;
    const place = fixedSlot(conversation, stays);
    const emit = (line: Line) => (this.#held ? void this.#held.push(line) : this.#tell(line, undefined));
    this.#station = createSessionHost({ place, stays, emit, room: async () => {}, leave: () => {} }, io);
    const behind = coder.subscribe((event) => {
      const held = this.#held ?? [];
      this.#held = undefined;
      const id = event.type === "entry" ? event.entry.id : undefined;
      held.forEach((line, at) => {
        this.#tell(line, at === held.length - 1 ? id : undefined);
      });
    });
    this.#heard = [before, this.#station, behind];
  }

  get id(): string {
    return this.#conversation.coder.header.id;
  }
  get coder() {
    return this.#conversation.coder;
  }

  /** A command of a program, for one client. */
  take(command: unknown): Promise<Response | undefined> {
    return new Dispatcher(this.#station).take(command);
  }

  /** Watches from now on; what stands is told first, with the entries behind the one that was seen last. */
  watch(watch: Watch, over: () => void, since: string | undefined): Disposable {
    watch(this.scene(since), this.coder.record.leaf() ?? undefined);
    for (const dialog of this.#dialogs()) watch(dialog, undefined);
    return this.#joined(this.#watches, watch, over);
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
    for (const watch of this.#watches) watch(line, entry);
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
    const { coder } = this;
    const missed = since === undefined ? undefined : entriesSince(coder.record.back(), since);
    const { turn, answer, calls, queue, questions, status, spent, context } = coder.scene;
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
      entries: missed?.entries ?? [],
      whole: missed?.whole ?? false,
    };
  }

  facts() {
    const { coder } = this;
    const { header, model, choice, scene } = coder;
    const running = coder.running || (scene.turn !== undefined && scene.turn.name !== "idle");
    return {
      sessionId: header.id,
      cwd: header.cwd,
      title: titleOf(coder.record.back()),
      model: `${model.vendor}/${model.id}`,
      approval: choice.approval,
      running,
      waiting: scene.questions.length,
    };
  }

  /** Dialogs of the questions that are open, for who joins. */
  #dialogs(): Line[] {
    return this.coder.scene.questions.map(dialogOf);
  }

  /** What the call behind a question would change. */
  async changes(question: string): Promise<readonly FileChange[]> {
    const asked = this.coder.scene.questions.find(({ id }) => id === question);
    return (await asked?.intent?.changes?.()) ?? [];
  }

  async close(): Promise<void> {
    await this.coder.interrupt("the server stops");
    for (const heard of this.#heard) heard[Symbol.dispose]();
    for (const over of [...this.#ends]) over();
    await this.#conversation.close();
  }
}

const stays = "This session stays; another is opened by POST /v1/sessions.";

/** The entries of the path behind one; all of a path that it is not on. */
function entriesSince(back: Iterable<Entry>, since: string): { entries: Entry[]; whole: boolean } {
  const entries: Entry[] = [];
  for (const entry of back) {
    if (entry.id === since) return { entries: entries.reverse(), whole: false };
    entries.push(entry);
  }
  return { entries: entries.reverse(), whole: true };
}

function titleOf(back: Iterable<Entry>): string | undefined {
  let first: string | undefined;
  for (const entry of back) {
    if (entry.type === "session_info" && entry.name) return entry.name;
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const { content } = entry.message;
    first =
      typeof content === "string"
        ? content
        : content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  }
  return first?.split("\n")[0]?.slice(0, 80);
}
