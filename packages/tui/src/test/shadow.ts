import { fit, graphemes, strip, width } from "../text/width.ts";

// The rules of history written a second time, from the contract and not from the engine: fed with the frames an
// application drew, it says what every line of the terminal has to be.

export interface SeenFrame {
  readonly base: number;
  readonly rows: readonly string[];
  readonly live?: number;
  readonly safe?: number;
  readonly columns: number;
  readonly height: number;
  /** Text of a box that covers the middle of the window, half as wide. */
  readonly box?: readonly string[];
}

export class Shadow {
  /** Lines above the window, oldest first: history, then lines of others that are still on the grid. */
  above: string[] = [];
  /** Number of them that are still on the grid. */
  onGrid = 0;
  private committed = 0;
  private top = 0;
  private texts: (string | undefined)[] = [];
  grew = 0;

  /** History was erased, or goes on below whatever is there. */
  restart(how: "erase" | "below") {
    if (how === "erase") this.above = [];
    this.committed = 0;
    this.top = 0;
    this.texts = [];
    this.onGrid = 0;
  }

  /** Lines that others wrote while the screen was off. */
  wrote(lines: readonly string[]) {
    this.above.push(...lines);
    this.onGrid = 0;
  }

  /**
   * A multiplexer moved lines about: start again from what it holds. The last `known` committed rows were seen being
   * written.
   */
  adopt(above: readonly string[], onGrid: number, committed: number, frame: SeenFrame, known: number | "all") {
    this.above = [...above];
    this.onGrid = onGrid;
    const from = known === "all" ? Math.min(this.committed, committed) : committed - known;
    this.texts = known === "all" ? this.texts.slice(0, from) : new Array<undefined>(from).fill(undefined);
    for (let row = from; row < committed; row++) this.texts[row] = strip(frame.rows[row - frame.base] ?? "").trimEnd();
    this.committed = committed;
    this.top = committed;
  }

  /** Takes a frame; the answer is what has to stand on the grid. */
  see(frame: SeenFrame, audit: "audit" | "trust"): string[] {
    const end = frame.base + frame.rows.length;
    const at = (row: number) => frame.rows[row - frame.base] ?? "";
    if (audit === "audit") this.inspect(frame);
    if (this.committed < frame.base) this.committed = frame.base;
    const before = this.above.length;
    const leaving = Math.min(this.onGrid, Math.max(0, end - this.committed - (frame.height - this.onGrid)));
    this.onGrid -= leaving;
    const room = frame.height - this.onGrid;
    const barrier = Math.min(end, Math.max(frame.live ?? end, frame.live === undefined ? 0 : (frame.safe ?? 0)));
    if (this.committed > 0 && end <= this.committed) {
      this.top = Math.max(frame.base, end - room, 0);
      this.committed = Math.max(frame.base, Math.min(barrier, this.top));
      this.texts.length = Math.min(this.texts.length, this.committed);
    } else {
      this.top = Math.max(this.committed, end - room);
      const goal = frame.box ? this.committed : Math.max(this.committed, Math.min(barrier, this.top));
      for (; this.committed < goal; this.committed++) {
        const row = at(this.committed);
        this.above.splice(this.above.length - this.onGrid, 0, shownAs(row, frame.columns));
        this.texts[this.committed] = strip(row).trimEnd();
      }
    }
    this.grew = this.above.length - before;
    const window = Array.from({ length: room }, (_, line) =>
      this.top + line < end ? shownAs(at(this.top + line), frame.columns) : "",
    );
    return [
      ...this.above.slice(this.above.length - this.onGrid, this.above.length),
      ...(frame.box ? covered(window, frame.box, frame.columns) : window),
    ];
  }

  /** Lines that have left the grid. */
  history(): string[] {
    return this.above.slice(0, this.above.length - this.onGrid);
  }

  cursorLine(row: number): number {
    return this.onGrid + row - this.top;
  }

  private inspect(frame: SeenFrame) {
    const seen: boolean[] = [];
    for (
      let row = this.committed - 1;
      row >= 0 && row >= frame.base && row >= this.committed - 24 && seen.length < 8;
      row--
    ) {
      const known = this.texts[row];
      const now = frame.rows[row - frame.base];
      if (known === undefined) break;
      if (now !== undefined && now.trim() === "") continue;
      seen.push(now === undefined || strip(now).trimEnd() === known);
    }
    if (seen.filter((fine) => !fine).length < 2) return;
    for (let row = frame.base; row < this.committed; row++) {
      const known = this.texts[row];
      const now = frame.rows[row - frame.base];
      if (known === undefined || now === undefined || strip(now).trimEnd() === known) continue;
      this.committed = row;
      this.texts.length = row;
      return;
    }
  }
}

const shownAs = (row: string, columns: number) => strip(fit(row, columns)).trimEnd();

// Cell by cell, so that a wide character cut by an edge of the box leaves a blank.
function covered(window: readonly string[], box: NonNullable<SeenFrame["box"]>, columns: number): string[] {
  const height = window.length;
  const rows = box.slice(0, height);
  const wide = Math.max(1, Math.floor(columns / 2));
  const first = Math.floor((height - rows.length) / 2);
  const left = Math.floor((columns - wide) / 2);
  return window.map((line, at) => {
    const text = rows[at - first];
    if (at < first || text === undefined) return line;
    const cells: string[] = [];
    for (const each of graphemes(line)) {
      const taken = width(each);
      if (taken > 0) cells.push(each, ...new Array<string>(taken - 1).fill(""));
    }
    while (cells.length < columns) cells.push(" ");
    if (cells[left] === "") cells[left - 1] = " ";
    if (cells[left + wide] === "") cells[left + wide] = " ";
    const inside = fit(text, wide);
    return [...cells.slice(0, left), inside + " ".repeat(wide - width(inside)), ...cells.slice(left + wide)]
      .join("")
      .trimEnd();
  });
}
