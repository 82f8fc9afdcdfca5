import type { ToolCall, ToolResultMessage } from "@pith/llm";
import { type Card, cardPiece } from "./card.ts";
import type { Address, Piece, PieceList, PieceStyle } from "./piece.ts";
import { ReadGroups } from "./reads.ts";

/** Calls that wait for their results, each as a card; files that are read one after the other as one. */
export class Calls {
  readonly #ink: PieceStyle;
  readonly #sheet: PieceList;
  readonly #cards = new Map<string, { card: Card; entry: string | undefined }>();
  readonly reads: ReadGroups;

  constructor(ink: PieceStyle, sheet: PieceList) {
    this.#ink = ink;
    this.#sheet = sheet;
    this.reads = new ReadGroups({
      ink,
      add: (piece) => sheet.add(piece),
      settle: (piece, address) => sheet.settle(piece, address),
      callIn: (entry, call) => this.#callIn(entry, call),
      resultAt: (entry) => this.#resultAt(entry),
    });
  }

  card(id: string): Card | undefined {
    return this.#cards.get(id)?.card;
  }

  /** A call whose first word has arrived has its place; what it is about is told later. The piece that it began. */
  arrives(id: string, name: string): Piece | undefined {
    if (name === "read") return this.reads.called({ type: "toolCall", id, name, arguments: {} }, undefined);
    return this.#begin({ type: "toolCall", id, name, arguments: {} }, undefined);
  }

  /** A call as the record has it. */
  called(call: ToolCall, entry: string): void {
    const known = this.#cards.get(call.id);
    if (known) {
      known.card.call = call;
      known.entry = entry;
    } else if (call.name === "read") this.reads.called(call, entry);
    else this.#begin(call, entry);
  }

  ended(result: ToolResultMessage, id: string): void {
    if (this.reads.has(result.toolCallId)) {
      this.reads.ended(result, id);
      return;
    }
    const known = this.#cards.get(result.toolCallId);
    this.#cards.delete(result.toolCallId);
    const call = known?.card.call ?? unknown(result.toolCallId, result.toolName);
    const card = known?.card ?? cardPiece(this.#ink, call);
    card.ends(result);
    const address = this.#again(known?.entry, call, id);
    if (known) this.#sheet.settle(card, address);
    else this.#sheet.add(card, address);
  }

  /** They were never called: their reply came to nothing. */
  forget(ids: Iterable<string>): void {
    const all = [...ids];
    this.reads.forget(all);
    for (const id of all) this.#cards.delete(id);
  }

  /** No result comes any more. */
  end(): void {
    this.reads.end();
    for (const { card, entry } of this.#cards.values()) {
      card.drops();
      this.#sheet.settle(card, this.#again(entry, card.call, undefined));
    }
    this.#cards.clear();
  }

  #begin(call: ToolCall, entry: string | undefined): Card {
    this.reads.close();
    const card = cardPiece(this.#ink, call);
    this.#cards.set(call.id, { card, entry });
    this.#sheet.add(card);
    return card;
  }

  #again(entry: string | undefined, { id, name }: ToolCall, result: string | undefined): Address {
    return () => {
      const card = cardPiece(this.#ink, this.#callIn(entry, id) ?? unknown(id, name));
      const ended = result === undefined ? undefined : this.#resultAt(result);
      if (ended) card.ends(ended);
      else card.drops();
      return card;
    };
  }

  #callIn(id: string | undefined, call: string): ToolCall | undefined {
    const entry = id === undefined ? undefined : this.#sheet.entry(id);
    if (entry?.type !== "message" || entry.message.role !== "assistant") return undefined;
    return entry.message.content.find((part): part is ToolCall => part.type === "toolCall" && part.id === call);
  }

  #resultAt(id: string): ToolResultMessage | undefined {
    const entry = this.#sheet.entry(id);
    return entry?.type === "message" && entry.message.role === "toolResult" ? entry.message : undefined;
  }
}

const unknown = (id: string, name: string): ToolCall => ({ type: "toolCall", id, name, arguments: {} });
