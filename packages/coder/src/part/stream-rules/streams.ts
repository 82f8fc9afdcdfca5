import type { ArrivingTextReader } from "@pith/agent";
import type { StreamEvent } from "@pith/llm";
import type { RuleMatcher } from "./matcher.ts";
import type { StreamRule, StreamSource } from "./rule.ts";

/** A call whose arguments arrive. */
interface OpenCall {
  tool: string;
  /** Reads the text that the arguments add to files. */
  adding: ArrivingTextReader;
}

/** Feeds stream events to the matcher: text and thinking as they are, calls by what they add to each file. */
export class Streams<R extends StreamRule> {
  readonly #watch: RuleMatcher<R>;
  readonly #opens: (name: string) => OpenCall;
  readonly #calls = new Map<number, OpenCall & { id: string }>();
  #block = 0;

  constructor(watch: RuleMatcher<R>, opens: (name: string) => OpenCall) {
    this.#watch = watch;
    this.#opens = opens;
  }

  reset(): void {
    this.#calls.clear();
    this.#watch.reset();
  }

  take(events: readonly StreamEvent[]): void {
    for (const event of events) {
      if ("index" in event && event.index > this.#block) this.end();
      if ("index" in event) this.#block = event.index;
      if (event.type === "text" || event.type === "thinking")
        this.#watch.push(`${event.index}/`, { of: event.type }, event.delta);
      else if (event.type === "call") this.#calls.set(event.index, { id: event.id, ...this.#opens(event.name) });
      else if (event.type === "args") this.#push(event.index, (reader) => reader.take(event.delta));
      else if (event.type === "stop") this.end();
      else if (event.type === "fail") this.reset();
    }
  }

  #push(index: number, read: (reader: ArrivingTextReader) => ReturnType<ArrivingTextReader["take"]>): void {
    const call = this.#calls.get(index);
    for (const { path, text } of call ? read(call.adding) : []) {
      const source: StreamSource = { of: "tool", call: call?.id ?? "", tool: call?.tool ?? "", path };
      this.#watch.push(`${index}/${path ?? ""}`, source, text);
    }
  }

  /** Ends all texts that have come so far. */
  end(): void {
    for (const index of this.#calls.keys()) this.#push(index, (reader) => reader.end());
    this.#calls.clear();
    this.#watch.close(...this.#watch.open);
  }
}
