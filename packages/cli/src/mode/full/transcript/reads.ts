import type { ToolCall, ToolResultMessage } from "@pith/llm";
import { type Reads, readsPiece } from "./card.ts";
import type { Address, Piece, PieceStyle } from "./piece.ts";

interface Group {
  piece: Reads;
  ids: { entry: string | undefined; call: string; result?: string }[];
  closed: boolean;
}

export interface ReadsNeeds {
  ink: PieceStyle;
  add(piece: Piece): void;
  settle(piece: Piece, address: Address): void;
  callIn(entry: string | undefined, call: string): ToolCall | undefined;
  resultAt(entry: string): ToolResultMessage | undefined;
}

/** Files that are read one after the other, as one piece that stands where the first of them was called. */
export class ReadGroups {
  readonly #needs: ReadsNeeds;
  /** What the next one joins. */
  #open: Group | undefined;
  /** Those that wait for a result, by their calls. */
  readonly #waiting = new Map<string, Group>();

  constructor(needs: ReadsNeeds) {
    this.#needs = needs;
  }

  has(call: string): boolean {
    return this.#waiting.has(call);
  }

  /** A call, as far as it is known; the piece that it began. */
  called(call: ToolCall, entry: string | undefined): Piece | undefined {
    const known = this.#waiting.get(call.id);
    const group = known ?? this.#open ?? { piece: readsPiece(this.#needs.ink), ids: [], closed: false };
    const began = known === undefined && this.#open === undefined;
    group.piece.put(call);
    const named = group.ids.find((each) => each.call === call.id);
    if (named) named.entry = entry;
    else group.ids.push({ entry, call: call.id });
    this.#waiting.set(call.id, group);
    if (!began) return undefined;
    this.#open = group;
    this.#needs.add(group.piece);
    return group.piece;
  }

  ended(result: ToolResultMessage, entry: string): void {
    const group = this.#waiting.get(result.toolCallId);
    if (!group) return;
    this.#waiting.delete(result.toolCallId);
    group.piece.ends(result.toolCallId, result);
    const read = group.ids.find(({ call }) => call === result.toolCallId);
    if (read) read.result = entry;
    this.#settle(group);
  }

  /** Something else comes: those before it are one piece. */
  close(): void {
    const group = this.#open;
    this.#open = undefined;
    if (!group) return;
    group.closed = true;
    this.#settle(group);
  }

  /** They were never called: their reply came to nothing. */
  forget(calls: Iterable<string>): void {
    for (const id of calls) {
      const group = this.#waiting.get(id);
      if (!group) continue;
      this.#waiting.delete(id);
      group.piece.forget(id);
      group.ids = group.ids.filter(({ call }) => call !== id);
      if (group.ids.length === 0 && group === this.#open) this.#open = undefined;
      else this.#settle(group);
    }
  }

  /** No result comes any more. */
  end(): void {
    const left = new Set(this.#waiting.values());
    this.#waiting.clear();
    this.close();
    for (const group of left) this.#settle(group);
  }

  /** Final once nothing joins it and nothing of it is awaited. */
  #settle(group: Group): void {
    if (!group.closed || group.ids.some(({ call }) => this.#waiting.has(call))) return;
    const { ink, settle, callIn, resultAt } = this.#needs;
    group.piece.close();
    settle(group.piece, () => {
      const piece = readsPiece(ink);
      for (const { entry, call, result } of group.ids) {
        const made = callIn(entry, call);
        if (made) piece.put(made);
        const ended = result === undefined ? undefined : resultAt(result);
        if (ended) piece.ends(call, ended);
      }
      piece.close();
      return piece;
    });
  }
}
