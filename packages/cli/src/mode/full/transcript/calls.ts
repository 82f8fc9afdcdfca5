import type { ToolCall, ToolResultMessage } from "@pith/llm";
import { Card } from "./card.ts";
import { type Address, callIn, type Piece, type PieceList, type PieceStyle, resultAt } from "./piece.ts";
import { ReadGroups } from "./reads.ts";

/** Calls and their results, each as a card; files that are read one after the other as one piece. */
export class Calls {
  readonly #style: PieceStyle;
  readonly #list: PieceList;
  /** Calls without a result, with their entries. */
  readonly #cards = new Map<string, { card: Card; entry: string | undefined }>();
  readonly reads: ReadGroups;

  constructor(style: PieceStyle, list: PieceList) {
    this.#style = style;
    this.#list = list;
    this.reads = new ReadGroups(style, list);
  }

  card(id: string): Card | undefined {
    return this.#cards.get(id)?.card;
  }

  /** Begins a call whose arguments are still to come; returns the piece that it began. */
  arrives(id: string, name: string): Piece | undefined {
    return this.#begin({ type: "toolCall", id, name, arguments: {} }, undefined);
  }

  /** Takes a call as the record has it. */
  called(call: ToolCall, entry: string): void {
    const known = this.#cards.get(call.id);
    if (known) {
      known.card.call = call;
      known.entry = entry;
    } else this.#begin(call, entry);
  }

  ended(result: ToolResultMessage, id: string): void {
    const { toolCallId, toolName } = result;
    if (this.reads.has(toolCallId)) {
      this.reads.ended(result, id);
      return;
    }
    const known = this.#cards.get(toolCallId);
    this.#cards.delete(toolCallId);
    const card = known?.card ?? new Card(this.#style, unknownCall(toolCallId, toolName));
    card.ends(result);
    const address = this.#addressOf(known?.entry, card.call, id);
    if (known) this.#list.settle(card, address);
    else this.#list.add(card, address);
  }

  /** Removes calls whose reply came to nothing. */
  forget(ids: Iterable<string>): void {
    const all = [...ids];
    this.reads.forget(all);
    for (const id of all) this.#cards.delete(id);
  }

  /** Settles all cards: no result comes any more. */
  end(): void {
    this.reads.end();
    for (const { card, entry } of this.#cards.values()) {
      card.drops();
      this.#list.settle(card, this.#addressOf(entry, card.call, undefined));
    }
    this.#cards.clear();
  }

  #begin(call: ToolCall, entry: string | undefined): Piece | undefined {
    if (call.name === "read") return this.reads.called(call, entry);
    this.reads.close();
    const card = new Card(this.#style, call);
    this.#cards.set(call.id, { card, entry });
    this.#list.add(card);
    return card;
  }

  #addressOf(entry: string | undefined, { id, name }: ToolCall, result: string | undefined): Address {
    return () => {
      const card = new Card(this.#style, callIn(this.#list, entry, id) ?? unknownCall(id, name));
      const ended = resultAt(this.#list, result);
      if (ended) card.ends(ended);
      else card.drops();
      return card;
    };
  }
}

const unknownCall = (id: string, name: string): ToolCall => ({ type: "toolCall", id, name, arguments: {} });
