import type { Event } from "@pith/agent";
import type { StreamEvent } from "@pith/llm";
import { fit, type Timers } from "@pith/tui/theme";
import { plainLine } from "./canvas.ts";
import { CallReader, type PartialCall } from "./partial-call.ts";

/** An event for people: those of a stream come together, and facts about several are added. */
export type ScreenEvent =
  | Event
  /** The end of a block of thoughts, with the time from its first word to its last. */
  | { type: "thought"; index: number; ms: number }
  /** The arguments of a call that have arrived; replaces their pieces. */
  | ({ type: "shaping" } & PartialCall);

/** Milliseconds between two events of a stream. */
const everyMs = 32;
/** Letters that the first words of a reply have at least, and those that follow. */
const least = { first: 8, later: 1 };
/** Characters without letters that are held back; more of them are a drawing. */
const mostHeld = 200;

type Thought = Extract<ScreenEvent, { type: "thought" }>;
type Words = Extract<StreamEvent, { type: "text" | "thinking" }>;

/** Subscribes to a conversation for people, until the result is disposed of. */
export function throttled(
  from: { subscribe(listener: (event: Event) => void): Disposable },
  timers: Timers,
  tell: (event: ScreenEvent) => void,
): Disposable {
  const calm = new EventThrottle(timers, tell);
  const listening = from.subscribe((event) => calm.take(event));
  return {
    [Symbol.dispose]() {
      listening[Symbol.dispose]();
      calm.end();
    },
  };
}

/**
 * Stands between a conversation and a face for people: what streams is gathered and told at most every 32 ms, all else
 * at once, and always in order.
 */
export class EventThrottle {
  readonly #timers: Timers;
  readonly #tell: (event: ScreenEvent) => void;
  #gathered: (StreamEvent | Thought)[] = [];
  readonly #calls = new Map<number, CallReader>();
  readonly #shaped = new Set<CallReader>();
  #thinking: { index: number; from: number; to: number } | undefined;
  #spoken = false;
  #told = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(timers: Timers, tell: (event: ScreenEvent) => void) {
    this.#timers = timers;
    this.#tell = tell;
  }

  take(event: Event): void {
    if (event.type === "delta") {
      let called = false;
      for (const delta of event.deltas) {
        this.#gather(delta);
        called ||= delta.type === "call";
      }
      if (called) this.#flush();
      else this.#plan();
      return;
    }
    const over = endsReply(event);
    if (over) this.#thought();
    this.#flush();
    if (over) {
      this.#calls.clear();
      this.#spoken = false;
    }
    this.#tell(event);
  }

  /** Tells what is held. */
  end(): void {
    this.#flush();
  }

  #gather(delta: StreamEvent): void {
    if (delta.type === "args") {
      const call = this.#calls.get(delta.index);
      if (!call) return;
      call.take(delta.delta);
      this.#shaped.add(call);
      return;
    }
    if (delta.type === "thinking") this.#thinks(delta.index);
    else if (delta.type === "text" || delta.type === "call") this.#thought();
    if (delta.type === "call" && !this.#calls.has(delta.index))
      this.#calls.set(delta.index, new CallReader(delta.id, delta.name));
    const last = this.#gathered.at(-1);
    if (isWords(delta) && last?.type === delta.type && last.index === delta.index)
      this.#gathered[this.#gathered.length - 1] = { ...last, delta: last.delta + delta.delta };
    else this.#gathered.push(delta);
  }

  #thinks(index: number): void {
    const now = this.#timers.now();
    if (this.#thinking?.index !== index) this.#thought();
    this.#thinking = { index, from: this.#thinking?.from ?? now, to: now };
  }

  /** Ends the thought: something else follows. */
  #thought(): void {
    if (!this.#thinking) return;
    const { index, from, to } = this.#thinking;
    this.#thinking = undefined;
    this.#gathered.push({ type: "thought", index, ms: to - from });
  }

  #plan(): void {
    if (this.#cancel) return;
    const wait = this.#told + everyMs - this.#timers.now();
    if (wait <= 0) this.#flush("held");
    else
      this.#cancel = this.#timers.after(wait, () => {
        this.#cancel = undefined;
        this.#flush("held");
      });
  }

  /** Tells what was gathered; with `held`, words at the end that say nothing yet are kept. */
  #flush(rest?: "held"): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const last = this.#gathered.at(-1);
    const held = rest && last?.type === "text" && !this.#says(last.delta) ? this.#gathered.splice(-1) : [];
    const told = this.#gathered;
    const shaped = [...this.#shaped];
    this.#gathered = held;
    if (told.length === 0 && shaped.length === 0) return;
    this.#told = this.#timers.now();
    this.#shaped.clear();
    this.#spoken ||= told.some(({ type }) => type === "text");
    for (const event of grouped(told)) this.#tell(event);
    for (const call of shaped) this.#tell({ type: "shaping", ...call.shape });
  }

  #says(text: string): boolean {
    if (text.length >= mostHeld) return true;
    let letters = 0;
    for (const _ of text.matchAll(/[\p{L}\p{N}_]/gu))
      if (++letters >= (this.#spoken ? least.later : least.first)) return true;
    return false;
  }
}

const isWords = (delta: StreamEvent): delta is Words => delta.type === "text" || delta.type === "thinking";

function endsReply(event: Event): boolean {
  if (event.type === "entry") return event.entry.type === "message" && event.entry.message.role === "assistant";
  return event.type === "turn" && event.state.name !== "running";
}

/** Joins what has streamed to few events, with thoughts in their place. */
function* grouped(told: readonly (StreamEvent | Thought)[]): Generator<ScreenEvent> {
  let deltas: StreamEvent[] = [];
  for (const each of told) {
    if (each.type !== "thought") {
      deltas.push(each);
      continue;
    }
    if (deltas.length > 0) yield { type: "delta", deltas };
    deltas = [];
    yield each;
  }
  if (deltas.length > 0) yield { type: "delta", deltas };
}

/** A few words about a call that arrives; undefined for other events. */
export function arrivingText(event: ScreenEvent): string | undefined {
  if (event.type !== "shaping") return undefined;
  const { name, arguments: about } = event.call;
  if (name !== "write") return `calling ${plainLine(name)}`;
  return `writing ${typeof about.path === "string" ? fit(plainLine(about.path), 60) : ""}`.trimEnd();
}
