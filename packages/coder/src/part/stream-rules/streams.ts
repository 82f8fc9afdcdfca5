import type { ArrivingTextReader } from "@pith/agent";
import type { StreamEvent } from "@pith/llm";
import type { Watch } from "./watch.ts";
import type { Source, Watcher } from "./watcher.ts";

/** A call that arrives: what it is called here, and what reads its arguments. */
export interface OpenCall {
  tool: string;
  adding: ArrivingTextReader;
}

/** Leads what streams to the watch: words and thoughts as they are, of calls what they add or say, file by file. */
export class Streams<W extends Watcher> {
  readonly #watch: Watch<W>;
  readonly #opens: (name: string) => OpenCall;
  readonly #calls = new Map<number, OpenCall & { id: string }>();
  #block = 0;

  constructor(watch: Watch<W>, opens: (name: string) => OpenCall) {
    this.#watch = watch;
    this.#opens = opens;
  }

  reset(): void {
    this.#calls.clear();
    this.#watch.reset();
  }

  take(events: readonly StreamEvent[]): void {
    for (const event of events) {
      // A block that another follows is over.
      if ("index" in event && event.index > this.#block) this.end();
      if ("index" in event) this.#block = event.index;
      if (event.type === "text" || event.type === "thinking")
        this.#watch.push(`${event.index}/`, { of: event.type }, event.delta);
      else if (event.type === "call") this.#calls.set(event.index, { id: event.id, ...this.#opens(event.name) });
      else if (event.type === "args") this.#args(event.index, event.delta);
      else if (event.type === "stop") this.end();
      else if (event.type === "fail") this.reset();
    }
  }

  #args(index: number, delta: string): void {
    const call = this.#calls.get(index);
    if (call) this.#push(index, call, call.adding.take(delta));
  }

  #push(index: number, { id, tool }: OpenCall & { id: string }, added: ReturnType<ArrivingTextReader["take"]>): void {
    for (const { path, text } of added) {
      const source: Source = { of: "tool", call: id, tool, path };
      this.#watch.push(`${index}/${path ?? ""}`, source, text);
    }
  }

  /** What has come is over. */
  end(): void {
    for (const [index, call] of this.#calls) this.#push(index, call, call.adding.end());
    this.#calls.clear();
    this.#watch.close(...this.#watch.open);
  }
}
