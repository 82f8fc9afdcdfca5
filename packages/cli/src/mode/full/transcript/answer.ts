import { plainText, plural } from "@pith/kit";
import { createMarkdownStream, fit, shown, wrap } from "@pith/tui";
import { gutter, type Ink, indented, type Piece } from "./piece.ts";

/** What a model says, while it says it. */
export interface Growing extends Piece {
  append(text: string): void;
  finish(): void;
}

export function answerPiece({ look }: Ink): Growing {
  const stream = createMarkdownStream({ look });
  let final = false;
  let drawn = { columns: 0, done: [] as string[] };
  return {
    get final() {
      return final;
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
      if (drawn.columns !== columns) drawn = { columns, done: [] };
      // Rows that stay are moved behind the gutter once.
      const { done } = drawn;
      done.length = Math.min(done.length, stream.settled);
      for (let at = done.length; at < stream.settled; at++) done.push(behind(rows[at] ?? ""));
      return done.length === rows.length ? done : [...done, ...rows.slice(done.length).map(behind)];
    },
  };
}

const behind = (row: string): string => (row === "" ? row : `  ${row}`);

/** What a model thinks: in brief its last rows while it does, and one afterwards. */
export function thinkingPiece(ink: Ink): Growing {
  const { look } = ink;
  const live = 3;
  let text = "";
  let final = false;
  return {
    get final() {
      return final;
    },
    append(more) {
      text += more;
    },
    finish() {
      final = true;
    },
    render(columns) {
      const room = Math.max(10, columns - gutter);
      const dim = (rows: readonly string[]) => indented(rows.map((row) => look.paint("quote", row.trimEnd())));
      const brief = ink.thinking === "brief";
      const said = shown(plainText(brief && !final ? text.slice(-live * room * 2) : text)).trim();
      if (said === "") return [];
      if (!brief) return dim(wrap(said, room));
      if (!final) return dim(wrap(said, room).slice(-live));
      const lines = said.split("\n").filter((line) => line.trim() !== "");
      const more = lines.length > 1 ? ` (${plural(lines.length - 1, "more line")})` : "";
      return dim([fit(`thought: ${lines[0] ?? ""}`, room - more.length, look.glyph.ellipsis) + more]);
    },
    whole: () => ({ title: "what the model thought", text }),
  };
}
