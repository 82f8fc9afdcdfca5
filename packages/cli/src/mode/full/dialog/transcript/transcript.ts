import { rowsOf } from "@pith/tui";
import type { Dialog, ScreenContext } from "../../context.ts";
import { wordAlbum } from "../../transcript/album.ts";
import { piecesOf } from "../../transcript/transcript.ts";
import { drawnOnce, pager } from "../pager.ts";

/** Shows the whole conversation page by page, from its end, with every output in full. */
export function transcriptDialog({ coder, theme }: ScreenContext): Dialog {
  const pieces = piecesOf(coder?.path() ?? [], { theme, album: wordAlbum, whole: true, thinking: "whole" });
  const rows = drawnOnce((columns) =>
    pieces.flatMap((piece, at) => [...(at > 0 ? [""] : []), ...rowsOf(() => piece.render(columns), columns)]),
  );
  return pager(theme, "the whole conversation", rows, "end");
}
