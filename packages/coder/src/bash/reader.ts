import type { List, Problem, ProblemKind, TextSpan, Word } from "./tree.ts";

/** Limits of what is read: nobody writes by hand what is longer. */
export const maxScript = { characters: 64 * 1024, parts: 500, depth: 60 } as const;

/** A here-document whose text has not come yet. */
export interface PendingHeredoc extends TextSpan {
  delimiter: string;
  tabs: "strip" | "keep";
  quoted: boolean;
  take(body: Word): undefined;
}

/** Counts of all readers of one text and of the backquotes in it. */
interface Tally {
  parts: number;
}

export interface ReaderOptions {
  /** Reads commands up to what ends them; given, because words hold commands and commands words. */
  list(reader: BashReader): List;
  extglob: "on" | "off";
  /** Gives the place in the whole text of a character of this one. */
  place?(index: number): number;
  depth?: number;
  tally?: Tally;
}

/**
 * A place in a text, and what goes wrong from there. After a problem it stands at the end, so that whoever reads on
 * comes to an end too; the first problem counts.
 */
export class BashReader {
  readonly source: string;
  readonly options: ReaderOptions;
  at = 0;
  depth: number;
  problem: Problem | undefined;
  /** Here-documents that begin behind the next newline. */
  heredocs: PendingHeredoc[] = [];
  /** Inside `$(…)`, where a here-document may end in several ways. */
  substituted = false;
  readonly tally: Tally;
  /** Places where `((` turned out to be two brackets. */
  readonly #nested = new Set<number>();

  constructor(source: string, options: ReaderOptions) {
    this.source = source;
    this.options = options;
    this.depth = options.depth ?? 0;
    this.tally = options.tally ?? { parts: 0 };
  }

  /** The character here, behind line continuations; -1 at the end. */
  peek(): number {
    const { source } = this;
    while (source.charCodeAt(this.at) === 92 && source.charCodeAt(this.at + 1) === 10) this.at += 2;
    return this.at < source.length ? source.charCodeAt(this.at) : -1;
  }

  /** The character behind the one here. */
  second(): number {
    const { source } = this;
    let next = this.at + 1;
    while (source.charCodeAt(next) === 92 && source.charCodeAt(next + 1) === 10) next += 2;
    return next < source.length ? source.charCodeAt(next) : -1;
  }

  /** Goes past a character if it stands here. */
  take(code: number): boolean {
    if (this.peek() !== code) return false;
    this.at++;
    return true;
  }

  stop(kind: ProblemKind, message: string, at = this.at): undefined {
    this.problem ??= { kind, message, at: this.place(Math.min(at, this.source.length)) };
    this.at = this.source.length;
  }

  place(index: number): number {
    return this.options.place?.(index) ?? index;
  }

  span(start: number, end = this.at): TextSpan {
    // What follows may stand further on: a backslash between them was dropped.
    return { start: this.place(start), end: end > start ? this.place(end - 1) + 1 : this.place(end) };
  }

  /** Counts a command. */
  part(): undefined {
    if (++this.tally.parts > maxScript.parts) this.stop("large", `it has more than ${maxScript.parts} parts`);
  }

  /** Reads something that holds others of its kind. */
  deeper<T>(read: () => T, otherwise: T): T {
    if (this.depth >= maxScript.depth) {
      this.stop("large", `it is nested more than ${maxScript.depth} deep`);
      return otherwise;
    }
    this.depth++;
    const got = read();
    this.depth--;
    return got;
  }

  /** Reads `((…))`; back to where it began when its brackets turn out to belong to something else. */
  attempt<T>(read: () => T | undefined): T | undefined {
    const { at } = this;
    const { parts } = this.tally;
    if (this.#nested.has(at)) return undefined;
    const got = read();
    // Brackets that never close do not close as something else either.
    if (got !== undefined || this.problem) return got;
    this.#nested.add(at);
    this.at = at;
    this.tally.parts = parts;
    return undefined;
  }
}
