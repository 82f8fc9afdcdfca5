import { resolve } from "node:path";
import type { Event, Hook } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { fail, idStart, ok } from "@pith/kit";
import { modelName } from "@pith/llm";
import type { Io } from "../io/io.ts";
import { answerIn, dialogOf, shownOf } from "../view/question/dialog.ts";
import { EventEncoder } from "../wire/encoder.ts";
import type { Line } from "../wire/frame.ts";
import { HostTools } from "../wire/host-tools.ts";
import type { SessionHost } from "../wire/session-host.ts";
import type { SessionSlot } from "./slot.ts";

export interface SessionHostOptions {
  place: SessionSlot;
  /** Takes every line: events, and what is told beside them. */
  emit(line: Line): void;
  /** Resolves when whoever reads has room for more; asked before every request to a model. */
  room(signal: AbortSignal): Promise<void>;
  /** Somebody asked to leave. */
  leave(): void;
  /** Why no other session can take the place of this one, where that is so. */
  stays?: string;
}

/** A place that programs command: its events become lines, whatever session is open in it. */
export function createSessionHost(
  { place, emit, room, leave, stays }: SessionHostOptions,
  io: Io,
): SessionHost & Disposable {
  const tools = new HostTools(emit);
  const hook: Hook = {
    name: "client",
    async step({ signal }) {
      await room(signal);
      return { do: "go" };
    },
    call: () =>
      station.interruptMode === "immediate" && place.current.coder.scene.queue.some(({ when }) => when === "steer")
        ? { do: "deny", reason: "Left out: the user has said something that comes first." }
        : { do: "allow" },
  };
  const first = new Set<(event: Event) => void>();
  const titles = io.env.PITH_RPC_EMIT_TITLE === "1";
  let told = 0;
  const settle = (coder: Coder): Disposable => {
    coder.door.hooks([hook]);
    tools.join(coder);
    const wire = new EventEncoder(emit, () => io.clock.now());
    return coder.subscribe((event: Event) => {
      for (const hear of first) hear(event);
      wire.take(event);
      const shown = event.type === "question" ? dialogOf(event.question) : shownOf(event, `ui_${++told}`);
      if (shown) emit(shown);
      if (titles && event.type === "entry" && event.entry.type === "session_info")
        emit({ type: "extension_ui_request", id: `ui_${++told}`, method: "setTitle", title: event.entry.name ?? "" });
    });
  };
  let heard = settle(place.current.coder);
  const station: SessionHost & Disposable = {
    get coder() {
      return place.current.coder;
    },
    get cwd() {
      return place.current.cwd;
    },
    tools,
    emit,
    hear(listener) {
      first.add(listener);
      return { [Symbol.dispose]: () => void first.delete(listener) };
    },
    leave,
    stays,
    interruptMode: "wait",
    performing: new Set(),
    async swap(session) {
      const other = await place.swap(session);
      if (!other.ok) return other;
      // The old one has ended in order, which was told; from here on only the new one is heard.
      heard[Symbol.dispose]();
      heard = settle(other.value.coder);
      return undefined;
    },
    async models() {
      const { loadAdmin } = await import("@pith/llm");
      const { survey } = await loadAdmin();
      const surveyed = await survey({ env: io.env, home: io.home });
      if (!surveyed.ok) return surveyed;
      const usable = surveyed.value.vendors.flatMap(({ usable, models }) => (usable ? models : []));
      const { model } = place.current.coder;
      return ok(usable.some((known) => modelName(known) === modelName(model)) ? usable : [model, ...usable]);
    },
    async exportHtml(name) {
      const { coder, cwd, settings } = place.current;
      if (coder.file === undefined || coder.record.leaf() === null)
        return fail("export", "Nothing is recorded, so there is nothing to export.");
      const file = resolve(cwd, name ?? `pith-session-${idStart(coder.header.id)}.html`);
      const { exportTo } = await import("../export/write.ts");
      const done = await exportTo(coder.file, "html", file, { io, settings });
      return done.ok ? ok(file) : done;
    },
    answer(id, said) {
      const { coder } = place.current;
      const question = coder.scene.questions.find((open) => open.id === id);
      const answer = question && answerIn(question, said);
      if (answer && !answer.ok) return answer;
      if (answer && coder.answer(id, answer.value) === "taken") return undefined;
      return fail("closed", `No question is open under the id ${JSON.stringify(id.slice(0, 200))}.`);
    },
    [Symbol.dispose]() {
      tools.close();
      heard[Symbol.dispose]();
    },
  };
  return station;
}
