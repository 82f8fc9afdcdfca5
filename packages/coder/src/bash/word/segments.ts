import type { BashReader } from "../reader.ts";
import type { Dynamic, List, WordSegment } from "../tree.ts";

/** The pieces of a word while it is read. */
export class Segments {
  readonly list: WordSegment[] = [];
  readonly #reader: BashReader;
  #sealed = false;

  constructor(reader: BashReader) {
    this.#reader = reader;
  }

  /** Text from `start` up to here; what follows on text of its kind joins it. */
  add(kind: "text" | "quoted", text: string, start: number): undefined {
    const { start: from, end } = this.#reader.span(start);
    const last = this.#sealed ? undefined : this.list.at(-1);
    this.#sealed = false;
    if (last?.kind === kind) {
      last.text += text;
      last.end = end;
    } else this.list.push({ kind, text, start: from, end });
  }

  dynamic(of: Dynamic["of"], start: number, quoted: boolean, scripts: readonly List[], name?: string): undefined {
    const span = this.#reader.span(start);
    this.list.push({ kind: "dynamic", of, quoted, scripts, ...span, ...(name !== undefined && { name }) });
  }

  /** Keeps what follows apart from what came. */
  seal(): undefined {
    this.#sealed = true;
  }

  /** The text so far if nothing else than bare text came. */
  bare(): string | undefined {
    let text = "";
    for (const piece of this.list) {
      if (piece.kind !== "text") return undefined;
      text += piece.text;
    }
    return text;
  }
}

/** Every command that finding out the pieces runs. */
export const scriptsIn = (pieces: readonly WordSegment[]): List[] =>
  pieces.flatMap((piece) => (piece.kind === "dynamic" ? piece.scripts : []));

/** Parts of a text put together, and where each character of them stood. */
export class Splice {
  text = "";
  readonly #from: number[] = [];
  readonly #at: number[] = [];

  add(source: string, start: number, end: number): undefined {
    this.#from.push(start);
    this.#at.push(this.text.length);
    this.text += source.slice(start, end);
  }

  place(index: number): number {
    let low = 0;
    let high = this.#at.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#at[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return (this.#from[low] ?? 0) + index - (this.#at[low] ?? 0);
  }
}
