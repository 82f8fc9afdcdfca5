import { plainText, plural } from "@pith/kit";
import { createMarkdownStream, fit, printable, wrap } from "@pith/tui";
import { secondsOf } from "../../../view/kind/run.ts";
import { gutter, indented, type Piece, type PieceStyle } from "./piece.ts";

/** A piece that grows while the model writes it. */
export interface StreamingPiece extends Piece {
  append(text: string): void;
  /** Ends the piece; a thought has taken so many milliseconds. */
  finish(ms?: number): void;
  readonly took?: number | undefined;
}

export function answerPiece({ theme, code }: PieceStyle): StreamingPiece {
  const stream = createMarkdownStream({ theme, highlighter: code });
  let final = false;
  let drawn = { columns: 0, arrived: code?.arrived, done: [] as string[] };
  return {
    get final() {
      return final && !code?.waiting;
    },
    get settled() {
      return stream.settled;
    },
    append: (text) => stream.append(text),
    finish() {
      stream.finish();
      final = true;
    },
    render(columns) {
      const rows = stream.rows(Math.max(10, columns - gutter));
      if (drawn.columns !== columns || drawn.arrived !== code?.arrived)
        drawn = { columns, arrived: code?.arrived, done: [] };
      // Settled rows are indented once.
      const { done } = drawn;
      done.length = Math.min(done.length, stream.settled);
      for (let at = done.length; at < stream.settled; at++) done.push(behind(rows[at] ?? ""));
      return done.length === rows.length ? done : [...done, ...rows.slice(done.length).map(behind)];
    },
  };
}

const behind = (row: string): string => (row === "" ? row : `  ${row}`);

/** A thought: in brief, its last rows while it grows and one row afterwards. */
export function thinkingPiece(style: PieceStyle): StreamingPiece {
  const { theme } = style;
  const live = 3;
  let text = "";
  let final = false;
  let took: number | undefined;
  return {
    get final() {
      return final;
    },
    get took() {
      return took;
    },
    append(more) {
      text += more;
    },
    finish(ms) {
      took ??= ms;
      final = true;
    },
    render(columns) {
      const room = Math.max(10, columns - gutter);
      const dim = (rows: readonly string[]) => indented(rows.map((row) => theme.paint("thinking", row.trimEnd())));
      const brief = style.thinking === "brief";
      const said = printable(plainText(brief && !final ? text.slice(-live * room * 2) : text)).trim();
      if (said === "") return [];
      if (!brief) return dim(wrap(said, room));
      if (!final) return dim(wrap(said, room).slice(-live));
      const lines = said.split("\n").filter((line) => line.trim() !== "");
      const more = lines.length > 1 ? ` (${plural(lines.length - 1, "more line")})` : "";
      const time = took !== undefined && took >= 1000 ? ` for ${secondsOf(took)}` : "";
      return dim([fit(`thought${time}: ${lines[0] ?? ""}`, room - more.length, theme.glyph.ellipsis) + more]);
    },
    whole: () => ({ title: "what the model thought", text }),
  };
}
