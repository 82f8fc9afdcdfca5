import { resolve } from "node:path";
import type { Event, Hook } from "@pith/agent";
import type { Coder, SessionChoice } from "@pith/coder";
import { fail, idStart, ok, type Result } from "@pith/kit";
import { type Model, modelName } from "@pith/llm";
import type { Io } from "../io/io.ts";
import { answerIn, dialogOf, shownOf } from "../view/question/dialog.ts";
import { EventEncoder } from "../wire/encoder.ts";
import type { Line } from "../wire/frame.ts";
import { HostTools } from "../wire/host-tools.ts";
import type { AnswerFields, SessionHost } from "../wire/session-host.ts";
import { createGarbageCollector } from "./garbage.ts";
import type { SessionSlot } from "./slot.ts";

export interface SessionHostOptions extends Pick<SessionHost, "stays" | "leave"> {
  slot: SessionSlot;
  /** Takes every line: events, and what is told beside them. */
  emit(line: Line): void;
  /** Resolves when the reader has room for more; asked before every request to a model. */
  room(signal: AbortSignal): Promise<void>;
}

/** Hosts the session in a slot for programs: it takes their commands, and its events become lines. */
export class SlotHost implements SessionHost, Disposable {
  readonly #slot: SessionSlot;
  readonly #io: Io;
  readonly #room: SessionHostOptions["room"];
  readonly #early = new Set<(event: Event) => void>();
  readonly #emitsTitles: boolean;
  #dialogs = 0;
  readonly #collect = createGarbageCollector();
  #listening: Disposable;
  readonly tools: HostTools;
  readonly emit: SessionHost["emit"];
  readonly leave: SessionHost["leave"];
  readonly stays: string | undefined;
  readonly performing = new Set<AbortController>();
  interruptMode: SessionHost["interruptMode"] = "wait";

  constructor({ slot, emit, room, leave, stays }: SessionHostOptions, io: Io) {
    this.#slot = slot;
    this.#io = io;
    this.#room = room;
    this.#emitsTitles = io.env.PITH_RPC_EMIT_TITLE === "1";
    this.emit = emit;
    this.leave = leave;
    this.stays = stays;
    this.tools = new HostTools(emit);
    this.#listening = this.#listen(this.coder);
  }

  get coder(): Coder {
    return this.#slot.current.coder;
  }
  get cwd(): string {
    return this.#slot.current.cwd;
  }

  hear(listener: (event: Event) => void): Disposable {
    this.#early.add(listener);
    return { [Symbol.dispose]: () => void this.#early.delete(listener) };
  }

  async swap(session: SessionChoice) {
    const other = await this.#slot.swap(session);
    if (!other.ok) return other;
    // The old session has ended in order, which was told; from here on only the new one is heard.
    this.#listening[Symbol.dispose]();
    this.#listening = this.#listen(other.value.coder);
    return undefined;
  }

  async models(): Promise<Result<Model[], string>> {
    const usable = await (await import("./usable-models.ts")).usableModels(this.#io);
    if (!usable.ok) return usable;
    const { model } = this.coder;
    const isThere = usable.value.some((each) => modelName(each) === modelName(model));
    return isThere ? usable : ok([model, ...usable.value]);
  }

  async exportHtml(name: string | undefined): Promise<Result<string, string>> {
    const { coder, cwd, settings } = this.#slot.current;
    if (coder.file === undefined || coder.record.leaf() === null)
      return fail("export", "Nothing is recorded, so there is nothing to export.");
    const file = resolve(cwd, name ?? `pith-session-${idStart(coder.header.id)}.html`);
    const { exportTo } = await import("../export/write.ts");
    const done = await exportTo(coder.file, "html", file, { io: this.#io, settings });
    return done.ok ? ok(file) : done;
  }

  answer(id: string, fields: AnswerFields) {
    const question = this.coder.scene.questions.find((open) => open.id === id);
    const answer = question && answerIn(question, fields);
    if (answer && !answer.ok) return answer;
    if (answer && this.coder.answer(id, answer.value) === "taken") return undefined;
    return fail("closed", `No question is open under the id ${JSON.stringify(id.slice(0, 200))}.`);
  }

  [Symbol.dispose](): void {
    this.tools.close();
    this.#listening[Symbol.dispose]();
  }

  /** Brings the client's hook and tools into a conversation, and tells its events as lines. */
  #listen(coder: Coder): Disposable {
    coder.door.hooks([this.#hook]);
    this.tools.join(coder);
    const encoder = new EventEncoder(this.emit, () => this.#io.clock.now());
    return coder.subscribe((event) => {
      for (const hear of this.#early) hear(event);
      encoder.take(event);
      // What the turn had to say goes out first.
      if (event.type === "turn" && event.state.name === "idle") setImmediate(this.#collect);
      const id = `ui_${++this.#dialogs}`;
      const dialog = event.type === "question" ? dialogOf(event.question) : shownOf(event, id);
      if (dialog) this.emit(dialog);
      if (this.#emitsTitles && event.type === "entry" && event.entry.type === "session_info")
        this.emit({ type: "extension_ui_request", id, method: "setTitle", title: event.entry.name ?? "" });
    });
  }

  readonly #hook: Hook = {
    name: "client",
    step: async ({ signal }) => {
      await this.#room(signal);
      return { do: "go" };
    },
    call: () =>
      this.interruptMode === "immediate" && this.coder.scene.queue.some(({ when }) => when === "steer")
        ? { do: "deny", reason: "Left out: the user has said something that comes first." }
        : { do: "allow" },
  };
}
