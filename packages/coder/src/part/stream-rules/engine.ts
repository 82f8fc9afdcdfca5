import { messageOf } from "@pith/kit";
import type { RE2JS } from "re2js";
import type { Condition } from "../../capability/read/condition.ts";

/** Characters that are searched at once; the engine cannot be interrupted. */
export const mostText = 1024 * 1024;

/** Finds conditions in linear time. Load it when a condition may match, and not before. */
export class Engine {
  readonly #compiled = new Map<string, RE2JS | undefined>();
  readonly #compile: (source: string) => RE2JS;
  readonly #onInvalid: (condition: Condition, why: string) => void;

  constructor(compile: (source: string) => RE2JS, onInvalid: (condition: Condition, why: string) => void) {
    this.#compile = compile;
    this.#onInvalid = onInvalid;
  }

  static async load(onInvalid: (condition: Condition, why: string) => void): Promise<Engine> {
    const { RE2JS } = await import("re2js");
    return new Engine((source) => RE2JS.compile(source), onInvalid);
  }

  /** The first match that begins at `from` or behind. */
  find(condition: Condition, text: string, from = 0): { from: number; to: number } | undefined {
    if (!this.#compiled.has(condition.source)) this.#compiled.set(condition.source, this.#tryCompile(condition));
    const matcher = this.#compiled.get(condition.source)?.matcher(text);
    return matcher?.find(Math.min(from, text.length)) ? { from: matcher.start(), to: matcher.end() } : undefined;
  }

  #tryCompile(condition: Condition): RE2JS | undefined {
    try {
      return this.#compile(condition.source);
    } catch (error) {
      this.#onInvalid(condition, messageOf(error));
      return undefined;
    }
  }
}
