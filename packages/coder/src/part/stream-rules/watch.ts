import type { Engine } from "./engine.ts";
import { Prefilter } from "./prefilter.ts";
import { Text } from "./text.ts";
import { type Source, type Test, testsOf, type Watcher } from "./watcher.ts";

/** What was found, and where. */
export interface Hit<W extends Watcher> {
  rule: W;
  source: Source;
}

/**
 * Watches texts as they arrive. A word that a condition cannot do without is looked for first, in new characters only;
 * what has none is looked for at the ends of lines; and all of a text once more when it is over.
 */
export class Watch<W extends Watcher> {
  readonly #tests: readonly Test<W>[];
  /** Which test a word of the prefilter is for. */
  readonly #owners: readonly number[];
  readonly #prefilter: Prefilter;
  readonly #texts = new Map<string, Text>();
  readonly #load: () => Promise<Engine>;
  /** Told of a rule whose shapes are no code of a file that it minds. */
  readonly #wrong: (rule: W, why: string) => void;
  #engine: Engine | undefined;

  constructor(rules: readonly W[], load: () => Promise<Engine>, wrong: (rule: W, why: string) => void = () => {}) {
    this.#load = load;
    this.#wrong = wrong;
    this.#tests = rules.flatMap(testsOf);
    const words = this.#tests.flatMap((test, number) => test.words.map((word) => ({ word, number })));
    this.#owners = words.map(({ number }) => number);
    this.#prefilter = new Prefilter(words.map(({ word }) => word));
  }

  /** What came so far is forgotten. */
  reset(): void {
    this.#texts.clear();
  }

  push(key: string, source: Source, piece: string): void {
    let text = this.#texts.get(key);
    if (!text) {
      text = new Text(source, this.#tests);
      this.#texts.set(key, text);
    }
    if (text.isIdle) return;
    const to = text;
    text.state = this.#prefilter.run(text.state, piece, (word, at) => to.wake(this.#owners[word] as number, at));
    text.add(piece);
  }

  /** These texts are over. */
  close(...keys: readonly string[]): void {
    for (const key of keys) this.#texts.get(key)?.end();
  }

  get open(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** Looks for what may be there now; undefined where nothing may. */
  look(): Promise<Hit<W>[]> | undefined {
    for (const text of this.#texts.values()) if (text.due.size > 0) return this.#search();
    return undefined;
  }

  async #search(): Promise<Hit<W>[]> {
    const hits: Hit<W>[] = [];
    for (const [key, text] of this.#texts) {
      for (const number of text.takeDue()) {
        const test = this.#tests[number] as Test<W>;
        if (hits.some(({ rule }) => rule === test.rule) || !(await this.#found(test, number, text))) continue;
        text.drop(number);
        hits.push({ rule: test.rule, source: text.source });
      }
      if (text.over) this.#texts.delete(key);
    }
    return hits;
  }

  async #found(test: Test<W>, number: number, text: Text): Promise<boolean> {
    if (test.is === "shape") {
      const { source, over } = text;
      if (source.of !== "tool" || source.path === undefined) return false;
      const { findShape } = await import("./structure.ts");
      const state = over ? "whole" : "arriving";
      const wrong = (why: string) => this.#wrong(test.rule, why);
      return (await findShape(test.rule.watch.patterns, source.path, text.whole, state, wrong)) !== undefined;
    }
    this.#engine ??= await this.#load();
    const seen = text.seen(number, test.condition);
    if (!seen) return false;
    const place = this.#engine.find(test.condition, seen.text, seen.from);
    // What asks what follows is not answered by the end of what has come so far.
    return place !== undefined && (text.over || !test.condition.asks.includes("end") || place.to < seen.text.length);
  }
}
