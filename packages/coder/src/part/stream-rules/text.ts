import type { Condition } from "../../capability/read/condition.ts";
import { mostText } from "./engine.ts";
import type { StreamSource, Test } from "./rule.ts";

/** Tests see the last one to two of these characters while a text arrives. */
const near = 4096;
/** A test may search so many bytes, and so many times the text; then it waits for the end. */
const searchLimit = { bytes: 256 * 1024, times: 8 };
/** Conditions over several lines are tested every so many characters. */
const stride = 512;
/** Code is parsed again when the text has grown by one part of so many. */
const growth = 16;

/** A text as it arrives, and the tests that are due for it. */
export class StreamText {
  readonly source: StreamSource;
  readonly #tests: readonly Test[];
  /** Answers of `#minds`; false also for a test that has matched. */
  readonly #minding = new Map<number, boolean>();
  #idle: boolean | undefined;
  /** Tests without words. */
  readonly #always: readonly number[];
  /** Tests one of whose words has come. */
  readonly #woken = new Set<number>();
  /** Tests that may match on, because a word is on the present line or they go over lines; and where it ended. */
  readonly #awake = new Map<number, number>();
  /** Characters that each test has searched. */
  readonly #spent = new Map<number, number>();
  /** The size at the last test of code or of a condition over several lines. */
  readonly #last = new Map<number, number>();
  readonly due = new Set<number>();
  /** The state of the prefilter. */
  state = 0;
  over = false;
  #window = "";
  #whole = "";
  #size = 0;
  /** Start in the window of the first line that was not over at the last look. */
  #line = 0;
  /** The value of `#line` from the next piece on. */
  #next = 0;

  constructor(source: StreamSource, tests: readonly Test[]) {
    this.source = source;
    this.#tests = tests;
    this.#always = tests.flatMap(({ words }, number) => (words.length === 0 && this.#minds(number) ? [number] : []));
  }

  /** True when no rule watches the text; not asked for short calls, which are searched faster than that. */
  get isIdle(): boolean {
    if (this.source.of === "tool" && this.#size < near) return false;
    this.#idle ??= this.#tests.every((_, number) => !this.#minds(number));
    return this.#idle;
  }

  /** The text, or as much of its end as can be searched at once. */
  get whole(): string {
    return this.#whole.length > mostText ? this.#whole.slice(-mostText) : this.#whole;
  }

  /** Notes that a word of a test ends in the next piece. */
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
    // Near its word a test is due at every piece, and then at the ends of lines.
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

  /** The tests to run now; for lines that are over, this is the last time. */
  takeDue(): readonly number[] {
    const all = [...this.due];
    this.due.clear();
    this.#next = this.#window.lastIndexOf("\n") + 1;
    const ended = this.#size - this.#window.length + this.#next;
    for (const [number, at] of this.#awake) if (at < ended && this.#isOne(number)) this.#awake.delete(number);
    return all;
  }

  /** The text to search for a condition; undefined if the condition cannot be decided, or has searched enough. */
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
    if (spent > searchLimit.bytes + searchLimit.times * this.#size) return undefined;
    this.#spent.set(number, spent);
    return { text: this.#window, from };
  }

  #want(number: number): void {
    if (!this.#minds(number)) return;
    if (!this.#isOne(number)) {
      const last = this.#last.get(number) ?? 0;
      const least = this.#tests[number]?.is === "code" ? last / growth : Math.min(stride, last);
      if (this.#size - last < least) return;
      this.#last.set(number, this.#size);
    }
    this.due.add(number);
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

  /** True for a condition that matches within one line. */
  #isOne(number: number): boolean {
    const test = this.#tests[number];
    return test?.is === "condition" && test.condition.lines === "one";
  }
}
