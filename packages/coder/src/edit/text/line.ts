import { firstFrom } from "./ends.ts";

/** A line end: of Unix, of Windows, or of old Macs. */
export type Eol = "\n" | "\r\n" | "\r";

/** The same text, place by place, with no line end that only a carriage return makes: most programs know none. */
export const plainEnds = (text: string): string => (text.includes("\r") ? text.replace(bareReturn, "\n") : text);

const bareReturn = /\r(?!\n)/g;

/** A text as lines, each with its own line end. A final newline does not begin another line; an empty text has none. */
export class Lines {
  readonly text: string;
  /** Offset of each line's first character, and the end of the text. */
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.text = text;
    const plain = plainEnds(text);
    for (let at = 0; at < text.length; ) {
      this.#starts.push(at);
      const end = plain.indexOf("\n", at);
      at = end === -1 ? text.length : end + 1;
    }
    this.#starts.push(text.length);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** The beginning of line `n` (1-based); `count + 1` gives the end of the text. */
  start(n: number): number {
    return this.#starts[n - 1] ?? this.text.length;
  }

  /** The line with its line end. */
  whole(n: number): string {
    return this.text.slice(this.start(n), this.start(n + 1));
  }

  /** The line without its line end. */
  at(n: number): string {
    const whole = this.whole(n);
    return whole.slice(0, whole.length - eolOf(whole).length);
  }

  /** The line end, empty on a last line that has none. */
  eol(n: number): Eol | "" {
    return eolOf(this.whole(n));
  }

  /** The number of the line that holds this offset; the end of the text belongs to the last line. */
  of(offset: number): number {
    return Math.max(1, Math.min(this.count, firstFrom(this.#starts, offset + 1)));
  }

  wholes(from = 1, to = this.count): string[] {
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => this.whole(from + i));
  }

  /** All lines without their ends. */
  all(): string[] {
    return Array.from({ length: this.count }, (_, i) => this.at(i + 1));
  }

  /** The line end that most lines have. */
  get style(): Eol {
    if (!this.text.includes("\r")) return "\n";
    const ends = this.text.match(/\r\n|\r|\n/g) ?? [];
    return (["\r\n", "\r"] as const).find((eol) => ends.filter((end) => end === eol).length * 2 > ends.length) ?? "\n";
  }
}

const eolOf = (line: string): Eol | "" =>
  line.endsWith("\n") ? (line.endsWith("\r\n") ? "\r\n" : "\n") : line.endsWith("\r") ? "\r" : "";
