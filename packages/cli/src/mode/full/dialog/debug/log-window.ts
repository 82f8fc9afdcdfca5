/** So many lines at first, and so many more whenever somebody asks for older ones. */
const step = 50;

/** What of a log is looked at: its newest lines, which of them is chosen, and from where on they are marked. */
export class LogWindow {
  readonly #lines: readonly string[];
  readonly #own: readonly string[];
  own = false;
  #shown = step;
  /** Counted from the newest, so that older lines move nothing. */
  #back = 0;
  #anchor: number | undefined;

  constructor(lines: readonly string[], pid: number) {
    this.#lines = lines;
    this.#own = lines.filter((line) => pidOf(line) === pid);
  }

  get #all(): readonly string[] {
    return this.own ? this.#own : this.#lines;
  }
  get count(): number {
    return this.#all.length;
  }
  /** The lines that were loaded, the newest last. */
  get rows(): readonly string[] {
    return this.#all.slice(-this.#shown);
  }
  get at(): number {
    return this.rows.length - 1 - this.#back;
  }
  get current(): string | undefined {
    return this.rows[this.at];
  }

  /** Upwards beyond the oldest one brings older ones. */
  move(by: number, how: "go" | "mark" = "go"): void {
    if (how === "mark") this.#anchor ??= this.#back;
    if (this.#back - by >= this.rows.length && this.#back === this.rows.length - 1) this.older();
    this.#back = Math.max(0, Math.min(this.rows.length - 1, this.#back - by));
  }

  older(): void {
    this.#shown = Math.min(Math.max(step, this.count), this.#shown + step);
  }

  get marking(): boolean {
    return this.#anchor !== undefined;
  }

  /** Begins a range here, or ends the one that there is. */
  mark(): void {
    this.#anchor = this.#anchor === undefined ? this.#back : undefined;
  }

  /** Whether there was something to take away. */
  unmark(): boolean {
    const was = this.#anchor !== undefined;
    this.#anchor = undefined;
    return was;
  }

  filter(): void {
    this.own = !this.own;
    this.#shown = step;
    this.#back = 0;
    this.#anchor = undefined;
  }

  isMarked(index: number): boolean {
    const back = this.rows.length - 1 - index;
    const from = this.#anchor ?? this.#back;
    return back >= Math.min(from, this.#back) && back <= Math.max(from, this.#back);
  }

  /** The marked lines, or the one that is chosen. */
  chosen(): string[] {
    return this.rows.filter((_, index) => this.isMarked(index));
  }

  /** As many as there is room for, around the one that is chosen. */
  seen(room: number): { first: number; rows: readonly string[] } {
    const first = Math.max(0, Math.min(this.at - Math.floor(room / 2), this.rows.length - room));
    return { first, rows: this.rows.slice(first, first + room) };
  }
}

function pidOf(line: string): unknown {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === "object" && row !== null && "pid" in row ? row.pid : undefined;
  } catch {
    return undefined;
  }
}
