import type { Entry, Event, Notice, Outcome } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { plural } from "@pith/kit";
import { createTranscript, type Look, type Transcript } from "@pith/tui";
import { Chat } from "./chat.ts";
import { type Address, Painted } from "./painted.ts";
import type { Ink, Piece, Whole } from "./piece.ts";

/** Rows of the end of a session that are painted when it is opened. */
const resumedRows = 500;

export interface Story {
  pane: Transcript;
  hear(event: Event): void;
  /** The conversation is this one: where it stands is painted. */
  seat(coder: Coder, columns: number): void;
  say(level: Notice["level"], text: string): void;
  show(outcome: Outcome): void;
  /** Shows what runs now whole, or says what the newest piece is of which there is more. */
  expand(): Whole | "expanded" | undefined;
  readonly ink: Ink;
}

/** The conversation as it is painted: pieces, and the addresses by which they are painted again. */
export function createStory(look: Look, replayRows: number): Story {
  const ink: Ink = { look, whole: false, thinking: "brief" };
  const painted = new Painted(ink, replayRows);
  const places = new Map<Piece, number>();
  let coder: Coder | undefined;
  const pane = createTranscript({ history: (columns, count) => painted.history(columns, count) });
  const sheet = {
    add(piece: Piece, address: Address = () => piece) {
      const at = painted.add(address);
      if (!piece.final) places.set(piece, at);
      const { render } = piece;
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
    entry: (id: string) => coder?.entry(id),
  };
  let chat = new Chat(ink, sheet);
  return {
    pane,
    ink,
    hear: (event) => chat.take(event),
    seat(next, columns) {
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
function lastOf(coder: Coder, columns: number, ink: Ink): { entries: Entry[]; above: number } {
  const entries: Entry[] = [];
  let rows = 0;
  for (const entry of coder.back()) {
    if (rows >= resumedRows) break;
    entries.unshift(entry);
    if (entry.type !== "message" && entry.type !== "custom_message") continue;
    rows += rowsOf([entry], columns, ink);
  }
  const messages = entries.filter(({ type }) => type === "message").length;
  return { entries, above: Math.max(0, coder.messageCount() - messages) };
}

/** How many rows entries take, drawn by themselves. */
function rowsOf(entries: readonly Entry[], columns: number, ink: Ink): number {
  return piecesOf(entries, ink).reduce((sum, piece) => sum + piece.render(columns).length + 1, 0);
}

/** Entries as pieces that nobody holds. */
export function piecesOf(entries: readonly Entry[], ink: Ink): Piece[] {
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
