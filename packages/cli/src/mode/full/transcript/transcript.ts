import type { Entry, Notice, Outcome } from "@pith/agent";
import type { Coder, Settings } from "@pith/coder";
import { plural } from "@pith/kit";
import { createTranscript, rowsOf as drawn, type Theme, type Transcript } from "@pith/tui";
import type { ScreenEvent } from "../../../view/throttle.ts";
import type { Album } from "./album.ts";
import { Chat } from "./chat.ts";
import { PieceHistory } from "./history.ts";
import type { Address, Piece, PieceStyle, Whole } from "./piece.ts";

/** Rows of the end of a session that are painted when it is opened. */
const resumedRows = 500;

export interface ConversationView {
  pane: Transcript;
  hear(event: ScreenEvent): void;
  /** The conversation is this one: where it stands is painted. */
  open(coder: Coder, columns: number): void;
  say(level: Notice["level"], text: string): void;
  show(outcome: Outcome): void;
  /** Shows what runs now whole, or says what the newest piece is of which there is more. */
  expand(): Whole | "expanded" | undefined;
  readonly style: PieceStyle;
}

/** The conversation as it is painted: pieces, and the addresses by which they are painted again. */
export function createConversationView(
  theme: Theme,
  album: Album,
  code: PieceStyle["code"],
  settings: Settings,
): ConversationView {
  const ink: PieceStyle = { theme, album, code, whole: false, thinking: settings.get("transcript.thinking") };
  const painted = new PieceHistory(ink, settings.get("transcript.replayRows"));
  const places = new Map<Piece, number>();
  let coder: Coder | undefined;
  const pane = createTranscript({ history: (columns, count) => painted.history(columns, count) });
  const sheet = {
    add(piece: Piece, address?: Address) {
      const at = painted.add(address ?? (() => piece));
      if (!piece.final && !address) places.set(piece, at);
      const render = piece.render.bind(piece);
      piece.render = (columns) => {
        const rows = render(columns);
        painted.drew(at, rows.length);
        return rows;
      };
      pane.add(piece);
    },
    settle(piece: Piece, address: Address) {
      const at = places.get(piece);
      if (at !== undefined) painted.settle(at, address);
      places.delete(piece);
    },
    cut(piece: Piece) {
      const at = places.get(piece);
      if (at === undefined) return;
      painted.cut(at);
      for (const [each, place] of places) if (place >= at) places.delete(each);
      pane.cut(piece);
    },
    entry: (id: string) => coder?.record.entry(id),
  };
  let chat = new Chat(ink, sheet);
  return {
    pane,
    style: ink,
    hear(event) {
      // The last word of a record that another one takes the place of.
      if (event.type === "entry" && event.entry.type === "custom" && event.entry.customType === "pith.handoff")
        painted.hold();
      chat.take(event);
    },
    open(next, columns) {
      if (coder) {
        painted.clear();
        places.clear();
        pane.reset();
        chat = new Chat(ink, sheet);
      }
      coder = next;
      const { entries, above } = lastOf(next, columns, ink);
      if (above > 0) chat.divide(`${plural(above, "message")} above: /transcript shows them`);
      for (const entry of entries) chat.entry(entry);
      chat.end();
    },
    say: (level, text) => chat.say(level === "info" ? "dim" : level, text),
    show: (outcome) => chat.show(outcome),
    expand() {
      const live = [...places.keys()].filter((piece) => piece.whole && !piece.final);
      for (const piece of live) piece.expanded = !piece.expanded;
      return live.length > 0 ? "expanded" : painted.newest((piece) => piece.whole?.());
    },
  };
}

/** The end of the path that fills the rows, and how many messages stand before it. */
function lastOf(coder: Coder, columns: number, ink: PieceStyle): { entries: Entry[]; above: number } {
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
    rows += rowsOf([entry], columns, ink);
  }
  const messages = entries.filter((entry) => entry.type === "message" || isDamaged(entry)).length;
  return { entries, above: Math.max(0, rest - messages) };
}

/** It stands in the place of a message that nobody can read, and is counted as one. */
const isDamaged = (entry: Entry) => entry.type === "custom" && entry.customType === "pith.damaged";

/** How many rows entries take, drawn by themselves. */
function rowsOf(entries: readonly Entry[], columns: number, ink: PieceStyle): number {
  return piecesOf(entries, ink).reduce((sum, piece) => sum + rowsIn(piece, columns).length + 1, 0);
}

/** What cannot be drawn is said to be so: a record may be a stranger's. */
const rowsIn = (piece: Piece, columns: number) => drawn(() => piece.render(columns), columns);

/** Entries as pieces that nobody holds. */
export function piecesOf(entries: readonly Entry[], ink: PieceStyle): Piece[] {
  const pieces: Piece[] = [];
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const chat = new Chat(ink, {
    add: (piece) => void pieces.push(piece),
    settle() {},
    cut() {},
    entry: (id) => byId.get(id),
  });
  for (const entry of entries) chat.entry(entry);
  chat.end();
  return pieces;
}
