import type { Condition } from "../../capability/read/condition.ts";
import { mostText } from "./engine.ts";
import type { Source, Test } from "./watcher.ts";

/** What is looked at while a text arrives: its end, between one and two of these. */
const near = 4096;
/** A test may look at this much for nothing, and at several times the text itself; then it waits for the end. */
const free = { bytes: 256 * 1024, times: 8 };
/** What goes over several lines is looked for every so many characters. */
const stride = 512;
/** Code is parsed again when it has grown by a part of this. */
const growth = 16;

/** One text as it arrives, and which tests are to look at it. */
export class Text {
  readonly source: Source;
  readonly #tests: readonly Test[];
  /** Whether a test minds this text, once somebody wanted to know; one that has found something is done with it. */
  readonly #minding = new Map<number, boolean>();
  #idle: boolean | undefined;
  /** Those that have no word to wait for. */
  readonly #always: readonly number[];
  /** Those whose word has come, at any time. */
  readonly #woken = new Set<number>();
  /** Those whose word stands on the present line, or goes over lines, and where it ended. */
  readonly #awake = new Map<number, number>();
  readonly #spent = new Map<number, number>();
  /** What each that goes over lines, or parses, has seen last. */
  readonly #last = new Map<number, number>();
  readonly due = new Set<number>();
  /** Of the prefilter. */
  state = 0;
  over = false;
  #window = "";
  #whole = "";
  #size = 0;
  /** Where the first line begins that was not over when it was last looked at. */
  #line = 0;
  /** The same, once something more comes. */
  #next = 0;

  constructor(source: Source, tests: readonly Test[]) {
    this.source = source;
    this.#tests = tests;
    this.#always = tests.flatMap(({ words }, number) => (words.length === 0 && this.#minds(number) ? [number] : []));
  }

  /** Nobody minds it. To ask that of every rule takes longer than to look for words in what a call mostly says. */
  get isIdle(): boolean {
    if (this.source.of === "tool" && this.#size < near) return false;
    this.#idle ??= this.#tests.every((_, number) => !this.#minds(number));
    return this.#idle;
  }

  /** At most so much of it as can be searched at once. */
  get whole(): string {
    return this.#whole.length > mostText ? this.#whole.slice(-mostText) : this.#whole;
  }

  /** A word of a test ends in the next piece. */
  wake(number: number, at: number): void {
    if (!this.#minds(number)) return;
    this.#woken.add(number);
    this.#awake.set(number, this.#size + at);
    if (this.#tests[number]?.is === "condition") this.due.add(number);
  }

  add(piece: string): void {
    this.#line = Math.max(this.#line, this.#next);
    this.#next = 0;
    this.#size += piece.length;
    this.#window += piece;
    this.#whole += piece;
    if (this.#whole.length > 2 * mostText) this.#whole = this.#whole.slice(-mostText);
    if (this.#window.length > 2 * near) {
      this.#line = Math.max(0, this.#line - (this.#window.length - near));
      this.#window = this.#window.slice(-near);
    }
    const ends = piece.includes("\n");
    // Near its word a test looks at every piece, and then at the ends of lines.
    for (const [number, at] of this.#awake)
      if (this.#isOne(number) || (this.#size - at < near && this.#tests[number]?.is === "condition"))
        this.due.add(number);
      else if (ends) this.#want(number);
    if (ends) for (const number of this.#always) this.#want(number);
  }

  end(): void {
    if (this.over) return;
    this.over = true;
    for (const number of [...this.#woken, ...this.#always]) if (this.#minds(number)) this.due.add(number);
  }

  drop(number: number): void {
    this.#minding.set(number, false);
    this.#idle = undefined;
    this.#awake.delete(number);
  }

  /** Those that are to look now. On lines that are over, this is their last look. */
  takeDue(): readonly number[] {
    const all = [...this.due];
    this.due.clear();
    this.#next = this.#window.lastIndexOf("\n") + 1;
    const ended = this.#size - this.#window.length + this.#next;
    for (const [number, at] of this.#awake) if (at < ended && this.#isOne(number)) this.#awake.delete(number);
    return all;
  }

  /** What a condition is to look at; nothing where it has looked too much already, or cannot tell. */
  seen(number: number, { asks, lines }: Condition): { text: string; from: number } | undefined {
    const cut = this.#size > this.#window.length;
    if (this.over) {
      const { whole } = this;
      const begins = this.#size === whole.length;
      return asks.includes("begin") && !begins ? undefined : { text: whole, from: begins ? 0 : 1 };
    }
    if (cut && asks.includes("begin")) return undefined;
    const from = Math.max(cut ? 1 : 0, lines === "one" ? this.#line : 0);
    const spent = (this.#spent.get(number) ?? 0) + this.#window.length - from;
    if (spent > free.bytes + free.times * this.#size) return undefined;
    this.#spent.set(number, spent);
    return { text: this.#window, from };
  }

  #want(number: number): void {
    const test = this.#tests[number];
    if (!test || !this.#minds(number)) return;
    if (test.is === "condition" && test.condition.lines === "one") this.due.add(number);
    else {
      const last = this.#last.get(number) ?? 0;
      const grown = this.#size - last;
      if (grown < (test.is === "shape" ? last / growth : Math.min(stride, last))) return;
      this.#last.set(number, this.#size);
      this.due.add(number);
    }
  }

  #minds(number: number): boolean {
    const known = this.#minding.get(number);
    if (known !== undefined) return known;
    const { source } = this;
    const test = this.#tests[number];
    const isCode = source.of === "tool" && source.path !== undefined;
    const minds = test !== undefined && (test.is === "condition" || isCode) && test.rule.minds(source);
    this.#minding.set(number, minds);
    return minds;
  }

  /** Looks within one line. */
  #isOne(number: number): boolean {
    const test = this.#tests[number];
    return test?.is === "condition" && test.condition.lines === "one";
  }
}
