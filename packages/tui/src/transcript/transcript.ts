import { notDrawn, type Pane, type PaneBounds, rowsOf } from "../screen/frame.ts";
import { strip } from "../text/width.ts";
import { LiveRows } from "./live-rows.ts";

/** A message or a tool call in a transcript. */
export interface TranscriptBlock {
  render(columns: number): readonly string[];
  /** Once true, the block is drawn a last time and never asked again at this width. */
  readonly final: boolean;
  /** Number of the rows last drawn that will not change, where the block knows. */
  readonly settled?: number;
}

export interface TranscriptOptions {
  /**
   * Rows of the first `count` blocks, in order, in portions of any size, at these columns. Asked for when history has
   * to be written again, since nobody here keeps its rows. Without it the transcript keeps the blocks themselves.
   */
  history?: (columns: number, count: number) => Iterable<readonly string[]>;
  /** Blank rows between blocks. */
  gap?: number;
}

/** Rows before the end of history that are kept for the audit and for a wider window. */
const keptRows = 256;

interface DrawnBlock {
  readonly block: TranscriptBlock;
  rows: readonly string[];
  columns: number;
  frozen: boolean;
  live?: LiveRows;
}

export const createTranscript = (options: TranscriptOptions = {}): Transcript => new Transcript(options);

/** The pane of a conversation: blocks below each other, which are forgotten when they lie far enough in history. */
export class Transcript implements Pane {
  readonly #history: TranscriptOptions["history"];
  readonly #gap: readonly string[];
  #held: DrawnBlock[] = [];
  /** Number of blocks before those that are held. */
  #forgotten = 0;
  /** The forgotten blocks, where no function gives their rows. */
  readonly #archive: TranscriptBlock[] = [];
  /** Number of rows that are no longer drawn. */
  #base = 0;
  readonly #replay = new Replay();
  #startsFresh = false;
  #bounds: PaneBounds = {};

  constructor({ history, gap = 1 }: TranscriptOptions) {
    this.#history = history;
    this.#gap = new Array<string>(gap).fill("");
  }

  get length(): number {
    return this.#forgotten + this.#held.length;
  }

  add(block: TranscriptBlock): void {
    this.#held.push({ block, rows: [], columns: -1, frozen: false });
  }

  /** Begins with this many blocks that only the history function knows. */
  resume(count: number): void {
    this.#forgotten = count;
    this.#startsFresh = true;
  }

  /** Removes a block and all after it; rows in history stay there. */
  cut(block: TranscriptBlock): void {
    const at = this.#held.findIndex((entry) => entry.block === block);
    if (at !== -1) this.#held.length = at;
  }

  /** Removes all blocks, for another list. Rows in history stay there until the screen is replaced. */
  reset(): void {
    this.#held = [];
    this.#archive.length = 0;
    this.resume(0);
    this.restart(0);
  }

  bounds(): PaneBounds {
    return this.#bounds;
  }

  render(columns: number): readonly string[] {
    if (this.#startsFresh) this.restart(columns);
    this.#replay.refill();
    const rows = this.#replay.rows.slice();
    const more = this.#replay.isPending;
    let live = more ? this.#base + rows.length : undefined;
    let safe: number | undefined;
    for (const [at, entry] of this.#held.entries()) {
      redraw(entry, columns);
      if (this.#forgotten + at > 0) rows.push(...this.#gap);
      if (!entry.frozen && live === undefined) {
        live = this.#base + rows.length;
        safe = live + safeRows(entry);
      }
      for (const row of entry.rows) rows.push(row);
    }
    this.#bounds = { base: this.#base, live: live ?? this.#base + rows.length, safe, more };
    return rows;
  }

  /** Forgets blocks that lie far enough before the end of history. */
  committed(count: number): void {
    const end = count - keptRows;
    this.#base += this.#replay.drop(end - this.#base);
    while (this.#replay.isDone && this.#held.length > 1) {
      const [first] = this.#held;
      const size = (first?.rows.length ?? 0) + (this.#forgotten > 0 ? this.#gap.length : 0);
      if (!first?.frozen || this.#base + size > end) return;
      this.#base += size;
      this.#held.shift();
      this.#forgotten++;
      if (!this.#history) this.#archive.push(first.block);
    }
  }

  restart(columns: number): void {
    this.#startsFresh = false;
    this.#base = 0;
    this.#replay.begin(this.#forgotten > 0 ? this.#stored(columns)[Symbol.iterator]() : undefined);
  }

  remap(rows: number, columns: number, spare: number): { rows: number; also: number } {
    const replayed = this.#replay.rows.length;
    if (this.#replay.isPending || rows - this.#base < replayed) {
      // Rows that only the history function knows are not all written yet: once more from the beginning, twice being
      // better than not at all.
      this.restart(columns);
      return { rows: 0, also: 0 };
    }
    this.#base += this.#replay.drop(replayed);
    const before = this.#held.flatMap(({ rows }, at) => (this.#forgotten + at > 0 ? [...this.#gap, ...rows] : rows));
    const after = this.render(columns);
    const known = Math.max(0, rows - this.#base);
    const covered = (also: number) => coveredRows(before.slice(0, known + also), after);
    let also = 0;
    while (also < spare && !covered(also).whole) also++;
    if (!covered(also).whole) also = 0;
    return { rows: this.#base + covered(also).rows, also };
  }

  #stored(columns: number): Iterable<readonly string[]> {
    const count = this.#forgotten;
    return this.#history?.(columns, count) ?? redrawAll(this.#archive.slice(0, count), columns, this.#gap);
  }
}

/**
 * Rows per frame while history is written again: few at first, because a window that is being dragged begins again at
 * once. Input has its turn in between.
 */
const portion = { first: 100, most: 2000 };

/** Rows of forgotten blocks that are written again, a portion per frame. */
class Replay {
  /** Rows that were asked for and not yet forgotten. */
  rows: string[] = [];
  #source: Iterator<readonly string[]> | undefined;
  #portion = portion.first;

  get isPending(): boolean {
    return this.#source !== undefined;
  }
  get isDone(): boolean {
    return !this.isPending && this.rows.length === 0;
  }

  begin(source: Iterator<readonly string[]> | undefined): void {
    this.rows = [];
    this.#source = source;
    this.#portion = portion.first;
  }

  /** Asks for the next portion, unless many rows wait behind an overlay. */
  refill(): void {
    if (!this.#source || this.rows.length > keptRows + portion.most) return;
    const end = this.rows.length + this.#portion;
    this.#portion = Math.min(portion.most, this.#portion * 2);
    while (this.#source && this.rows.length < end) {
      const next = nextOf(this.#source);
      if (next.done) this.#source = undefined;
      for (const row of next.value ?? []) this.rows.push(row);
    }
  }

  /** Forgets at most so many of the first rows; returns how many. */
  drop(count: number): number {
    const dropped = Math.max(0, Math.min(this.rows.length, count));
    if (dropped > 0) this.rows = this.rows.slice(dropped);
    return dropped;
  }
}

function redraw(entry: DrawnBlock, columns: number): void {
  if (entry.frozen && entry.columns === columns) return;
  const rows = rowsOf(() => entry.block.render(columns), columns);
  entry.frozen = entry.block.final;
  entry.rows = entry.frozen ? rows.slice() : rows;
  if (entry.frozen || entry.columns !== columns) entry.live = undefined;
  entry.columns = columns;
}

/** Rows that will not change: what the block says, or what was seen of a block that does not know. */
function safeRows(entry: DrawnBlock): number {
  const { settled } = entry.block;
  if (settled !== undefined) return Math.min(settled, entry.rows.length);
  entry.live ??= new LiveRows();
  return entry.live.observe(entry.rows);
}

/** The next rows; a history that throws ends with a note. */
function nextOf(source: Iterator<readonly string[]>): { done?: boolean; value?: readonly string[] } {
  try {
    return source.next();
  } catch (thrown) {
    return { done: true, value: [notDrawn(thrown)] };
  }
}

function* redrawAll(
  blocks: readonly TranscriptBlock[],
  columns: number,
  blank: readonly string[],
): Iterable<readonly string[]> {
  for (const [at, block] of blocks.entries())
    yield [...(at > 0 ? blank : []), ...rowsOf(() => block.render(columns), columns)];
}

/**
 * Number of first rows of `after` whose letters are those of `before`, line breaks aside; `whole` if no letters of
 * `before` are left.
 */
function coveredRows(before: readonly string[], after: readonly string[]): { rows: number; whole: boolean } {
  const all = before.map(letters).join("");
  let at = 0;
  let rows = 0;
  for (const row of after) {
    const text = letters(row);
    if (!all.startsWith(text, at) || (at >= all.length && text === "")) break;
    at += text.length;
    rows++;
  }
  return { rows, whole: at >= all.length };
}
const letters = (row: string) => strip(row).replace(/\s+/g, "");
