import type { Engine } from "./engine.ts";
import { Prefilter } from "./prefilter.ts";
import { type StreamRule, type StreamSource, type Test, testsOf } from "./rule.ts";
import { StreamText } from "./text.ts";

export interface Hit<R extends StreamRule> {
  rule: R;
  source: StreamSource;
}

/**
 * Matches rules with texts that arrive. A test runs when one of its words has come, at the ends of lines if it has no
 * words, and once more at the end of a text.
 */
export class RuleMatcher<R extends StreamRule> {
  readonly #tests: readonly Test<R>[];
  /** The test of each word of the prefilter. */
  readonly #owners: readonly number[];
  readonly #prefilter: Prefilter;
  readonly #texts = new Map<string, StreamText>();
  readonly #load: () => Promise<Engine>;
  /** Called for a rule whose patterns are no code of a file that it watches. */
  readonly #onInvalid: (rule: R, why: string) => void;
  #engine: Engine | undefined;

  constructor(rules: readonly R[], load: () => Promise<Engine>, onInvalid: (rule: R, why: string) => void = () => {}) {
    this.#load = load;
    this.#onInvalid = onInvalid;
    this.#tests = rules.flatMap(testsOf);
    const words = this.#tests.flatMap((test, number) => test.words.map((word) => ({ word, number })));
    this.#owners = words.map(({ number }) => number);
    this.#prefilter = new Prefilter(words.map(({ word }) => word));
  }

  /** Forgets all texts. */
  reset(): void {
    this.#texts.clear();
  }

  push(key: string, source: StreamSource, piece: string): void {
    let text = this.#texts.get(key);
    if (!text) {
      text = new StreamText(source, this.#tests);
      this.#texts.set(key, text);
    }
    if (text.isIdle) return;
    const to = text;
    text.state = this.#prefilter.run(text.state, piece, (word, at) => to.wake(this.#owners[word] as number, at));
    text.add(piece);
  }

  /** Ends texts. */
  close(...keys: readonly string[]): void {
    for (const key of keys) this.#texts.get(key)?.end();
  }

  get open(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** Runs the tests that are due; undefined if none is. */
  look(): Promise<Hit<R>[]> | undefined {
    return this.#texts.values().some(({ due }) => due.size > 0) ? this.#search() : undefined;
  }

  async #search(): Promise<Hit<R>[]> {
    const hits: Hit<R>[] = [];
    for (const [key, text] of this.#texts) {
      for (const number of text.takeDue()) {
        const test = this.#tests[number] as Test<R>;
        if (hits.some(({ rule }) => rule === test.rule) || !(await this.#found(test, number, text))) continue;
        text.drop(number);
        hits.push({ rule: test.rule, source: text.source });
      }
      if (text.over) this.#texts.delete(key);
    }
    return hits;
  }

  async #found(test: Test<R>, number: number, text: StreamText): Promise<boolean> {
    if (test.is === "code") {
      const { source, over } = text;
      if (source.of !== "tool" || source.path === undefined) return false;
      const { findCode } = await import("./code.ts");
      const state = over ? "whole" : "arriving";
      const onInvalid = (why: string) => this.#onInvalid(test.rule, why);
      return (await findCode(test.rule.watch.patterns, source.path, text.whole, state, onInvalid)) !== undefined;
    }
    this.#engine ??= await this.#load();
    const seen = text.seen(number, test.condition);
    if (!seen) return false;
    const place = this.#engine.find(test.condition, seen.text, seen.from);
    // A condition about what follows cannot be decided at the end of an unfinished text.
    return place !== undefined && (text.over || !test.condition.asks.includes("end") || place.to < seen.text.length);
  }
}
