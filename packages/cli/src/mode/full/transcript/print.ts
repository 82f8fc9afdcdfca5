import type { Event } from "@pith/agent";
import { rowsOf, systemTimers, type Theme } from "@pith/tui";
import { EventThrottle } from "../../../view/throttle.ts";
import { wordAlbum } from "./album.ts";
import { Chat } from "./chat.ts";
import type { Piece } from "./piece.ts";

/** Prints events as the transcript shows them: each piece once, when it and all before it are final. */
export function printTranscript(theme: Theme, columns: number, write: (text: string) => void): (event: Event) => void {
  const pieces: Piece[] = [];
  let first = true;
  const print = () => {
    while (pieces[0]?.final) {
      const [piece] = pieces.splice(0, 1);
      const rows = rowsOf(() => piece?.render(columns) ?? [], columns);
      write([...(first ? [] : [""]), ...rows].map((row) => `${row.trimEnd()}\n`).join(""));
      first = false;
    }
  };
  const chat = new Chat(
    { theme, album: wordAlbum, whole: false, thinking: "brief" },
    {
      add: (piece) => void pieces.push(piece),
      settle: print,
      cut: (piece) => void pieces.splice(Math.max(0, pieces.indexOf(piece))),
      // A printed piece is never made again.
      entry: () => undefined,
    },
  );
  const calm = new EventThrottle(systemTimers, (event) => chat.take(event));
  return (event) => {
    calm.take(event);
    print();
  };
}
