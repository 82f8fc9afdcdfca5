import type { RE2JS } from "re2js";
import type { Condition } from "../../capability/read/condition.ts";

/** At most this much of a text is searched at once: the engine cannot be interrupted. */
export const mostText = 1024 * 1024;

/** Where a condition was met. */
export interface Place {
  from: number;
  to: number;
}

/** Finds conditions in linear time. Loaded when a condition may be met, and not before. */
export class Engine {
  readonly #made = new Map<string, RE2JS | undefined>();
  readonly #compile: (source: string) => RE2JS;
  /** Told of what cannot be used after all. */
  readonly #wrong: (condition: Condition, why: string) => void;

  constructor(compile: (source: string) => RE2JS, wrong: (condition: Condition, why: string) => void) {
    this.#compile = compile;
    this.#wrong = wrong;
  }

  static async load(wrong: (condition: Condition, why: string) => void): Promise<Engine> {
    const { RE2JS } = await import("re2js");
    return new Engine((source) => RE2JS.compile(source), wrong);
  }

  /** The first match that begins at `from` or behind. */
  find(condition: Condition, text: string, from = 0): Place | undefined {
    const made = this.#of(condition);
    if (!made) return undefined;
    const matcher = made.matcher(text);
    return matcher.find(Math.min(from, text.length)) ? { from: matcher.start(), to: matcher.end() } : undefined;
  }

  #of(condition: Condition): RE2JS | undefined {
    const { source } = condition;
    if (!this.#made.has(source)) this.#made.set(source, this.#tried(condition));
    return this.#made.get(source);
  }

  #tried(condition: Condition): RE2JS | undefined {
    try {
      return this.#compile(condition.source);
    } catch (error) {
      this.#wrong(condition, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}
