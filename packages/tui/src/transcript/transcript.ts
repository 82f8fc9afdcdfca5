import { notDrawn, type Pane, type PaneBounds, rowsOf } from "../screen/frame.ts";
import { strip } from "../text/width.ts";
import { LiveRows } from "./live-rows.ts";

/** One thing in a transcript: a message, a tool call. */
export interface TranscriptBlock {
  render(columns: number): readonly string[];
  /** Once true, the block is drawn a last time and never asked again at this width. */
  readonly final: boolean;
  /** How many of the rows last drawn will not change, where the block knows. */
  readonly settled?: number;
}

export interface TranscriptOptions {
  /**
   * Rows of the first `count` blocks, in order, in portions of any size, at these columns. Asked when history has to
   * be written again:
   * what is in history is kept by nobody here. Without it the transcript keeps the blocks themselves.
   */
  history?: (columns: number, count: number) => Iterable<readonly string[]>;
  /** Blank rows between blocks. */
  gap?: number;
}

export interface Transcript extends Pane {
  add(block: TranscriptBlock): void;
  /** The transcript begins with this many blocks that only the history function knows. */
  resume(count: number): void;
  /** Takes blocks away, the given one and all after it; what is in history stays there. */
  cut(block: TranscriptBlock): void;
  /** Takes all of them away: another list begins. What is in history stays there until the screen is replaced. */
  reset(): void;
  readonly length: number;
}

/** Rows behind the history line that are kept for the audit and for a wider window. */
const kept = 256;
/**
 * Rows per frame while history is written again: few at first, because a window that is being dragged begins again at
 * once. Input has its turn in between.
 */
const portion = { first: 100, most: 2000 };

interface DrawnBlock {
  readonly block: TranscriptBlock;
  rows: readonly string[];
  columns: number;
  frozen: boolean;
  live?: LiveRows;
}

export function createTranscript(options: TranscriptOptions = {}): Transcript {
  const gap = options.gap ?? 1;
  const blank = new Array<string>(gap).fill("");
  let held: DrawnBlock[] = [];
  /** Blocks that are gone, and (without a history function) themselves. */
  let forgotten = 0;
  const archive: TranscriptBlock[] = [];
  let base = 0;
  /** Rows streamed again and not yet forgotten, and where more come from. */
  let replayed: string[] = [];
  let source: Iterator<readonly string[]> | undefined;
  let fresh = false;
  let wanted = portion.first;
  let seam: PaneBounds = {};

  const stored = (columns: number, count: number): Iterable<readonly string[]> =>
    options.history?.(columns, count) ?? redraw(archive.slice(0, count), columns, blank);

  function draw(entry: DrawnBlock, columns: number) {
    if (entry.frozen && entry.columns === columns) return;
    entry.rows = rowsOf(() => entry.block.render(columns), columns);
    if (entry.columns !== columns) entry.live = undefined;
    entry.columns = columns;
    entry.frozen = entry.block.final;
    if (entry.frozen) {
      entry.rows = entry.rows.slice();
      entry.live = undefined;
    }
  }

  function refill() {
    // What waits behind an overlay is not piled up.
    if (!source || replayed.length > kept + portion.most) return;
    const end = replayed.length + wanted;
    wanted = Math.min(portion.most, wanted * 2);
    while (replayed.length < end) {
      const next = nextOf(source);
      if (next.done) source = undefined;
      for (const row of next.value ?? []) replayed.push(row);
      if (!source) return;
    }
  }

  function render(columns: number): readonly string[] {
    if (fresh) pane.restart?.(columns);
    refill();
    const rows: string[] = replayed.slice();
    let live: number | undefined = source ? base + rows.length : undefined;
    let safe: number | undefined;
    for (const [at, entry] of held.entries()) {
      draw(entry, columns);
      if (forgotten + at > 0) rows.push(...blank);
      if (!entry.frozen && live === undefined) {
        live = base + rows.length;
        safe = live + safeRows(entry);
      }
      for (const row of entry.rows) rows.push(row);
    }
    seam = { base, live: live ?? base + rows.length, safe, more: source !== undefined };
    return rows;
  }

  // Blocks that lie far enough behind the history line are let go.
  function committed(count: number) {
    const line = count - kept;
    const spare = Math.min(replayed.length, line - base);
    if (spare > 0) {
      replayed = replayed.slice(spare);
      base += spare;
    }
    while (replayed.length === 0 && source === undefined && held.length > 1) {
      const first = held[0];
      if (!first?.frozen) return;
      const size = first.rows.length + (forgotten > 0 ? gap : 0);
      if (base + size > line) return;
      base += size;
      held.shift();
      forgotten++;
      if (!options.history) archive.push(first.block);
    }
  }

  const heldRows = () =>
    held.flatMap((entry, at) => (forgotten + at > 0 ? [...blank, ...entry.rows] : [...entry.rows]));

  const pane: Transcript = {
    add(block) {
      held.push({ block, rows: [], columns: -1, frozen: false });
    },
    resume(count) {
      forgotten = count;
      fresh = true;
    },
    cut(block) {
      const at = held.findIndex((entry) => entry.block === block);
      if (at !== -1) held = held.slice(0, at);
    },
    reset() {
      held = [];
      forgotten = 0;
      archive.length = 0;
      base = 0;
      replayed = [];
      source = undefined;
      fresh = false;
    },
    get length() {
      return forgotten + held.length;
    },
    render,
    bounds: () => seam,
    committed,
    restart(columns) {
      fresh = false;
      wanted = portion.first;
      base = 0;
      replayed = [];
      source = forgotten > 0 ? stored(columns, forgotten)[Symbol.iterator]() : undefined;
    },
    remap(rows, columns, spare) {
      if (source || rows - base < replayed.length) {
        // Rows that only the history function knows are not all written yet: once more from the beginning, twice being
        // better than not at all.
        pane.restart?.(columns);
        return { rows: 0, also: 0 };
      }
      base += replayed.length;
      replayed = [];
      const before = heldRows();
      const after = render(columns);
      const known = Math.max(0, rows - base);
      const covered = (also: number) => coveredRows(before.slice(0, known + also), after);
      let also = 0;
      while (also < spare && !covered(also).whole) also++;
      if (!covered(also).whole) also = 0;
      return { rows: base + covered(also).rows, also };
    },
  };
  return pane;
}

// A block that knows which of its rows stay is believed; of the others only what has been seen counts.
function safeRows(entry: DrawnBlock): number {
  const { settled } = entry.block;
  if (settled !== undefined) return Math.min(settled, entry.rows.length);
  entry.live ??= new LiveRows();
  return entry.live.observe(entry.rows);
}

/** A history that fails ends there. */
function nextOf(source: Iterator<readonly string[]>): { done?: boolean; value?: readonly string[] } {
  try {
    return source.next();
  } catch (thrown) {
    return { done: true, value: [notDrawn(thrown)] };
  }
}

function* redraw(
  blocks: readonly TranscriptBlock[],
  columns: number,
  blank: readonly string[],
): Iterable<readonly string[]> {
  for (const [at, block] of blocks.entries())
    yield [...(at > 0 ? blank : []), ...rowsOf(() => block.render(columns), columns)];
}

/**
 * How many rows of `after` say nothing that the rows `before` have not said, in the same order, line breaks aside; and
 * whether these say nothing more.
 */
function coveredRows(before: readonly string[], after: readonly string[]): { rows: number; whole: boolean } {
  const said = before.map(letters).join("");
  let at = 0;
  let rows = 0;
  for (const row of after) {
    const text = letters(row);
    if (!said.startsWith(text, at) || (at >= said.length && text === "")) break;
    at += text.length;
    rows++;
  }
  return { rows, whole: at >= said.length };
}
const letters = (row: string) => strip(row).replace(/\s+/g, "");
