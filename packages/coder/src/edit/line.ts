/** A text as lines, each with its own line end. A final newline does not begin another line; an empty text has none. */
export class Lines {
  readonly text: string;
  /** Offset of each line's first character, and the end of the text. */
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.text = text;
    for (let at = 0; at < text.length; ) {
      this.#starts.push(at);
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end + 1;
    }
    this.#starts.push(text.length);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** Where line `n` (1-based) begins; `count + 1` gives the end of the text. */
  start(n: number): number {
    return this.#starts[n - 1] ?? this.text.length;
  }

  /** The line with its line end. */
  whole(n: number): string {
    return this.text.slice(this.start(n), this.start(n + 1));
  }

  /** The line without its line end. */
  at(n: number): string {
    const from = this.start(n);
    const to = this.start(n + 1);
    const end =
      this.text[to - 1] !== "\n" || to === from ? to : this.text[to - 2] === "\r" && to - 2 >= from ? to - 2 : to - 1;
    return this.text.slice(from, end);
  }

  /** `\n`, `\r\n`, or nothing on a last line that has none. */
  eol(n: number): string {
    const whole = this.whole(n);
    if (!whole.endsWith("\n")) return "";
    return whole.endsWith("\r\n") ? "\r\n" : "\n";
  }

  /** The number of the line that holds this offset; the end of the text belongs to the last line. */
  of(offset: number): number {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  wholes(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let n = from; n <= to; n++) lines.push(this.whole(n));
    return lines;
  }

  /** The line end that most lines have. */
  get style(): "\n" | "\r\n" {
    let wide = 0;
    let all = 0;
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) {
      all++;
      if (this.text[at - 1] === "\r") wide++;
    }
    return wide * 2 > all ? "\r\n" : "\n";
  }
}
