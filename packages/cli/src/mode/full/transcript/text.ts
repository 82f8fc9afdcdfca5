import { plainText, plural } from "@pith/kit";
import type { Image } from "@pith/llm";
import { fit, pad, printable, type StyleName, width, wrap, wrapHanging } from "@pith/tui";
import { minuteOf } from "../../../view/clock.ts";
import { readUserText } from "../../../view/user-text.ts";
import { grounded, gutter, indented, type Piece, type PieceStyle } from "./piece.ts";

/** A notice, a note, or a line about changes. */
export function textPiece(style: PieceStyle, token: StyleName, text: string, most = Number.POSITIVE_INFINITY): Piece {
  const said = printable(plainText(text).trimEnd());
  return {
    final: true,
    render(columns) {
      const rows = said
        .split("\n")
        .flatMap((line) => hung(line, Math.max(10, columns - gutter)))
        .map((row) => style.theme.paint(token, row.trimEnd()));
      const cut = style.whole || rows.length <= most ? rows : rows.slice(0, most);
      const left = rows.length - cut.length;
      return indented(
        left > 0
          ? [...cut, style.theme.paint("dim", `${style.theme.glyph.ellipsis} ${plural(left, "more line")}`)]
          : cut,
      );
    },
    whole: () => (most < Number.POSITIVE_INFINITY ? { title: "note", text: said } : undefined),
  };
}

/** Wraps a line below its indentation; in a list with two columns, below the second one. */
function hung(line: string, columns: number): string[] {
  const lead = /^ *\S.*? {2,}(?=\S)/.exec(line)?.[0] ?? /^ */.exec(line)?.[0] ?? "";
  if (width(line) <= columns) return wrap(line, columns);
  const [about, wide] = [line.slice(lead.length), width(lead)];
  if (wide <= columns / 2) return wrapHanging(about, columns, lead, " ".repeat(wide));
  return [...wrapHanging(lead.trimEnd(), columns, "", "  "), ...wrapHanging(about, columns, "    ", "    ")];
}

/** A rule with a word in it. */
export function dividerPiece({ theme }: PieceStyle, text: string): Piece {
  return {
    final: true,
    render(columns) {
      const { h } = theme.glyph.box;
      const word = fit(` ${text} `, Math.max(1, columns - 4));
      return [
        theme.paint("border", `${h}${h}`) +
          theme.paint("dim", word) +
          theme.paint("border", h.repeat(Math.max(0, columns - 2 - width(word)))),
      ];
    },
  };
}

/** Lines and characters of a prompt that are drawn. */
const most = { lines: 20, chars: 1600 };

/** A person's prompt, with the time at the right where there is room. */
export function promptPiece(
  { theme, album }: PieceStyle,
  text: string,
  images: readonly Image[],
  at: number | undefined,
): Piece {
  const { words, files } = readUserText(text);
  const all = printable(plainText(words).trimEnd());
  const beside = files.length > 0 ? printable(plainText(`with ${files.join(", ")}`)).replaceAll("\n", " ") : "";
  const cut = all.split("\n").slice(0, most.lines).join("\n").slice(0, most.chars);
  const left = all.length - cut.length;
  return {
    get final() {
      return album.ready(images);
    },
    render(columns) {
      const time = at === undefined ? "" : minuteOf(at);
      const rows = wrap(cut, Math.max(10, columns - gutter)).map((row) => row.trimEnd());
      if (left > 0)
        rows.push(theme.paint("dim", `${theme.glyph.ellipsis} ${plural(left, "more letter")}: Ctrl+O shows all`));
      if (beside !== "")
        rows.push(theme.paint("dim", fit(beside, Math.max(10, columns - gutter), theme.glyph.ellipsis)));
      const [first = "", ...rest] = rows;
      const head = `${theme.paint("accent", theme.glyph.pointer)} ${first}`;
      const free = columns - width(head);
      const stamp = time !== "" && free > time.length + 1 ? theme.paint("dim", pad(time, free, "start")) : "";
      const seen = album.rows(images, Math.max(10, columns - gutter), theme);
      const said = [head + stamp, ...indented(rest)].map((row) => grounded(theme, "user", row, columns));
      return [...said, ...indented(seen)];
    },
    whole: () =>
      left > 0 || beside !== "" ? { title: "what you said", text: printable(plainText(text).trimEnd()) } : undefined,
  };
}
