import { strip } from "../text/width.ts";

/** Frames without a rewrite after which growing counts again. */
const clean = 8;
/** Frames a row has to stay the same to count as stable while others tick. */
const stable = 24;

/**
 * Finds the rows of a growing block that will not change again. Such a block may be taller than the window: its head
 * has to reach history before its end is known. Rows count that only grew at their end, or stayed the same for long.
 */
export class LiveRows {
  private last: readonly string[] = [];
  private quiet = clean;
  private grew = false;
  /** Shortest common start seen in the window of frames now being counted. */
  private common = Number.POSITIVE_INFINITY;
  private counted = 0;
  private promoted = 0;
  /** From here on a row changed after it had counted as stable: a slow ticker, never trusted again. */
  private floor = Number.POSITIVE_INFINITY;

  /** Looks at the rows of one frame; says how many of them may enter history. */
  observe(rows: readonly string[]): number {
    const shared = sharedRows(this.last, rows);
    const inner = Math.max(0, Math.min(this.last.length, rows.length) - 1);
    const rewritten =
      this.last.length > 0 && (shared < inner || rows.length < this.last.length || !continues(this.last, rows, shared));
    if (rewritten) this.quiet = 0;
    else if (this.quiet < clean) this.quiet++;
    if (!rewritten && this.last.length > 0 && rows.length > this.last.length) this.grew = true;
    this.retreat(shared, rows.length);
    if (this.last.length > 0) this.ratchet(shared);
    this.last = rows.slice();
    const appended = this.grew && this.quiet >= clean ? Math.max(0, rows.length - 1) : 0;
    return Math.max(appended, Math.min(this.promoted, rows.length));
  }

  // Rows inserted above the floor move it along; a change of a promoted row sets it for ever.
  private retreat(shared: number, length: number) {
    const grown = length - this.last.length;
    if (this.floor !== Number.POSITIVE_INFINITY && grown > 0 && shared < this.floor) this.floor += grown;
    if (shared >= this.promoted) return;
    this.promoted = shared;
    this.floor = Math.min(this.floor, shared);
  }

  private ratchet(shared: number) {
    this.common = Math.min(this.common, shared);
    if (++this.counted < stable) return;
    this.promoted = Math.max(this.promoted, Math.min(this.common, this.floor));
    this.common = Number.POSITIVE_INFINITY;
    this.counted = 0;
  }
}

function sharedRows(before: readonly string[], now: readonly string[]): number {
  const limit = Math.min(before.length, now.length);
  let at = 0;
  while (at < limit && (before[at] === now[at] || strip(before[at] ?? "") === strip(now[at] ?? ""))) at++;
  return at;
}

// The last row may grow; if it says something else, that is a rewrite.
function continues(before: readonly string[], now: readonly string[], shared: number): boolean {
  if (shared >= before.length) return true;
  return shared === before.length - 1 && strip(now[shared] ?? "").startsWith(strip(before[shared] ?? "").trimEnd());
}
