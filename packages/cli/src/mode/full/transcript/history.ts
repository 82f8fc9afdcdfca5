import { plural } from "@pith/kit";
import { rowsOf } from "@pith/tui";
import type { Address, Piece, PieceStyle } from "./piece.ts";
import { dividerPiece } from "./text.ts";

/**
 * The addresses of all pieces, in order. A final piece is let go; its address makes it again from the journal when the
 * window has another size.
 */
export class PieceHistory {
  readonly #style: PieceStyle;
  /** Rows that are written again at most. */
  readonly #most: number;
  readonly #all: { address: Address; rows: number }[] = [];
  above = 0;

  constructor(style: PieceStyle, most: number) {
    this.#style = style;
    this.#most = most;
  }

  get length(): number {
    return this.#all.length;
  }

  add(address: Address): number {
    this.#all.push({ address, rows: 1 });
    return this.#all.length - 1;
  }

  /** Sets the address of a piece that is final. */
  settle(at: number, address: Address): void {
    const painted = this.#all[at];
    if (painted) painted.address = address;
  }

  /** Holds the pieces that could be written again: their record is left. */
  hold(): void {
    let rows = 0;
    for (const painted of this.#all.toReversed()) {
      if (rows >= this.#most) break;
      rows += painted.rows + 1;
      const piece = painted.address();
      painted.address = () => piece;
    }
  }

  drew(at: number, rows: number): void {
    const painted = this.#all[at];
    if (painted) painted.rows = rows;
  }

  /** Removes the pieces from this one on. */
  cut(at: number): void {
    this.#all.length = Math.min(this.#all.length, at);
  }

  clear(): void {
    this.#all.length = 0;
    this.above = 0;
  }

  /** The first answer of a piece, from the newest on. */
  newest<T>(ask: (piece: Piece) => T | undefined): T | undefined {
    for (const { address } of this.#all.toReversed()) {
      const piece = address();
      const answer = piece && ask(piece);
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** The rows of the first pieces; of very many, the last ones below a line that counts the others. */
  *history(columns: number, count: number): Iterable<readonly string[]> {
    let from = count;
    for (let rows = 0; from > 0 && rows < this.#most; from--) rows += (this.#all[from - 1]?.rows ?? 0) + 1;
    const gap = (at: number) => (at > 0 ? [""] : []);
    if (from > 0)
      yield dividerPiece(this.#style, `${plural(from, "block")} above: /transcript shows them`).render(columns);
    for (let at = from; at < count; at++) {
      const piece = this.#all[at]?.address();
      yield [...gap(at), ...(piece ? rowsOf(() => piece.render(columns), columns) : [])];
    }
  }
}
