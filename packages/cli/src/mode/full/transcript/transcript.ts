import type { Entry, Notice, Outcome } from "@pith/agent";
import type { Coder, Settings } from "@pith/coder";
import { plural } from "@pith/kit";
import { createTranscript, rowsOf as drawn, type Transcript } from "@pith/tui";
import type { ScreenEvent } from "../../../view/throttle.ts";
import { Chat } from "./chat.ts";
import { PieceHistory } from "./history.ts";
import type { Address, Piece, PieceList, PieceStyle, Whole } from "./piece.ts";

/** Rows of the end of a session that are painted when it is opened. */
const resumedRows = 500;

/** The conversation as it is painted: its pieces, and the addresses by which they are painted again. */
export class ConversationView implements PieceList {
  readonly pane: Transcript;
  readonly style: PieceStyle;
  readonly #history: PieceHistory;
  /** The places of pieces that are not final. */
  readonly #places = new Map<Piece, number>();
  #coder: Coder | undefined;
  #chat: Chat;

  constructor(style: Pick<PieceStyle, "theme" | "album" | "code">, settings: Settings) {
    this.style = { ...style, whole: false, thinking: settings.get("transcript.thinking") };
    this.#history = new PieceHistory(this.style, settings.get("transcript.replayRows"));
    this.pane = createTranscript({ history: (columns, count) => this.#history.history(columns, count) });
    this.#chat = new Chat(this.style, this);
  }

  hear(event: ScreenEvent): void {
    // This entry is the last of its record: another one takes its place.
    if (event.type === "entry" && event.entry.type === "custom" && event.entry.customType === "pith.handoff")
      this.#history.hold();
    this.#chat.take(event);
  }

  /** Shows the end of this conversation. */
  open(coder: Coder, columns: number): void {
    if (this.#coder) {
      this.#history.clear();
      this.#places.clear();
      this.pane.reset();
      this.#chat = new Chat(this.style, this);
    }
    this.#coder = coder;
    const { entries, above } = lastOf(coder, columns, this.style);
    if (above > 0) this.#chat.divide(`${plural(above, "message")} above: /transcript shows them`);
    for (const entry of entries) this.#chat.entry(entry);
    this.#chat.end();
  }

  say(level: Notice["level"], text: string): void {
    this.#chat.say(level === "info" ? "dim" : level, text);
  }

  show(outcome: Outcome): void {
    this.#chat.show(outcome);
  }

  /** Shows what runs now at full height; otherwise returns the text of the newest piece that has more of it. */
  expand(): Whole | "expanded" | undefined {
    const live = [...this.#places.keys()].filter((piece) => piece.whole && !piece.final);
    for (const piece of live) piece.expanded = !piece.expanded;
    return live.length > 0 ? "expanded" : this.#history.newest((piece) => piece.whole?.());
  }

  add(piece: Piece, address?: Address): void {
    const at = this.#history.add(address ?? (() => piece));
    if (!piece.final && !address) this.#places.set(piece, at);
    const render = piece.render.bind(piece);
    piece.render = (columns) => {
      const rows = render(columns);
      this.#history.drew(at, rows.length);
      return rows;
    };
    this.pane.add(piece);
  }

  settle(piece: Piece, address: Address): void {
    const at = this.#places.get(piece);
    if (at !== undefined) this.#history.settle(at, address);
    this.#places.delete(piece);
  }

  cut(piece: Piece): void {
    const at = this.#places.get(piece);
    if (at === undefined) return;
    this.#history.cut(at);
    for (const [each, place] of this.#places) if (place >= at) this.#places.delete(each);
    this.pane.cut(piece);
  }

  entry(id: string): Entry | undefined {
    return this.#coder?.record.entry(id);
  }
}

/** The entries at the end of the path that fill the rows, and how many messages are before them. */
function lastOf(coder: Coder, columns: number, style: PieceStyle): { entries: Entry[]; above: number } {
  const entries: Entry[] = [];
  let rows = 0;
  let rest = 0;
  for (const entry of coder.record.back()) {
    if (rows >= resumedRows) {
      rest = coder.messageCount();
      break;
    }
    entries.unshift(entry);
    if (entry.type !== "message" && entry.type !== "custom_message") continue;
    rows += rowsOf([entry], columns, style);
  }
  const messages = entries.filter((entry) => entry.type === "message" || isDamaged(entry)).length;
  return { entries, above: Math.max(0, rest - messages) };
}

/** True for an entry that replaces a message that cannot be read, and counts as one. */
const isDamaged = (entry: Entry) => entry.type === "custom" && entry.customType === "pith.damaged";

function rowsOf(entries: readonly Entry[], columns: number, style: PieceStyle): number {
  return piecesOf(entries, style).reduce((sum, piece) => sum + rowsIn(piece, columns).length + 1, 0);
}

const rowsIn = (piece: Piece, columns: number) => drawn(() => piece.render(columns), columns);

/** Makes the pieces of entries, for a list of their own. */
export function piecesOf(entries: readonly Entry[], style: PieceStyle): Piece[] {
  const pieces: Piece[] = [];
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const chat = new Chat(style, {
    add: (piece) => void pieces.push(piece),
    settle() {},
    cut() {},
    entry: (id) => byId.get(id),
  });
  for (const entry of entries) chat.entry(entry);
  chat.end();
  return pieces;
}
